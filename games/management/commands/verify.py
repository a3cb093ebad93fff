"""manage.py verify: is every log what the rules make of its seed? The gate before a change of rules ships."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Match, Record
from games.services import importing, records
from games.verify import Difference


class Command(BaseCommand):
    help = (
        "Replays every match and names match and version where the log differs. Exit status 1 if any does. "
        "With --all, which a change of rules must pass, also the records that users have brought."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--match for one match, --all for imported records as well, --json for machines."""
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--match", help="only the match with this slug")
        what.add_argument("--all", action="store_true", help="all matches, whatever became of them, and all records")
        parser.add_argument("--json", action="store_true", help="print one JSON value instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        """Checks the matches one by one, so that memory does not grow with their number."""
        matches = Match.objects.exclude(version=0).order_by("pk")
        if options["match"]:
            matches = matches.filter(slug=options["match"])
            if not matches.exists():
                raise CommandError(f"There is no match {options['match']} that has begun.")
        found = ((match.slug, records.differences(match)) for match in matches.iterator(chunk_size=100))
        count, wrong = self._look(found, tell=not options["json"])
        kept, more = self._look(_imported(), tell=not options["json"]) if options["all"] else (0, [])
        wrong += more
        if options["json"]:
            facts: dict[str, Any] = {"matches": count, "differences": wrong}
            self.stdout.write(json.dumps(facts | {"records": kept} if options["all"] else facts))
        else:
            records_too = f" and {kept} imported records" if options["all"] else ""
            self.stdout.write(f"{count} matches{records_too} replayed, {len(wrong)} differences.")
        if wrong:
            raise CommandError("The logs are not what the rules make of them.", returncode=1)

    def _look(
        self, looked_at: Iterator[tuple[str, list[Difference]]], *, tell: bool
    ) -> tuple[int, list[dict[str, Any]]]:
        """How many were looked at, and what differs, which is told at once."""
        count, wrong = 0, []
        for slug, differences in looked_at:
            count += 1
            for found in differences:
                wrong.append({"match": slug, "version": found.version, "what": found.what})
                if tell:
                    self.stdout.write(f"{slug}: version {found.version}: {found.what}")
        return count, wrong


def _imported() -> Iterator[tuple[str, list[Difference]]]:
    """The imported records by their slugs, with what differs."""
    for record in Record.objects.order_by("pk").iterator(chunk_size=20):
        yield record.slug, importing.differences(record)
