"""manage.py verify: is every log what the rules make of its seed? The gate before a change of rules ships."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Match
from games.services import records


class Command(BaseCommand):
    help = "Replays every match and names match and version where the log differs. Exit status 1 if any does."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--match for one match, --json for machines."""
        parser.add_argument("--match", help="only the match with this slug")
        parser.add_argument("--json", action="store_true", help="print one JSON value instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        """Checks the matches one by one, so that memory does not grow with their number."""
        matches = Match.objects.exclude(version=0).order_by("pk")
        if options["match"]:
            matches = matches.filter(slug=options["match"])
            if not matches.exists():
                raise CommandError(f"There is no match {options['match']} that has begun.")
        count, wrong = 0, []
        for match in matches.iterator(chunk_size=100):
            count += 1
            for found in records.differences(match):
                wrong.append({"match": match.slug, "version": found.version, "what": found.what})
                if not options["json"]:
                    self.stdout.write(f"{match.slug}: version {found.version}: {found.what}")
        if options["json"]:
            self.stdout.write(json.dumps({"matches": count, "differences": wrong}))
        else:
            self.stdout.write(f"{count} matches replayed, {len(wrong)} differences.")
        if wrong:
            raise CommandError("The logs are not what the rules make of them.", returncode=1)
