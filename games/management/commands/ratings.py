"""manage.py ratings: all ratings from nothing, compared or made anew; or the result of one match taken back."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Match
from games.services import annulments, standings


class Command(BaseCommand):
    help = (
        "rebuild: rates all finished matches again from nothing. With --check: compares and changes nothing. "
        "annul MATCH --why TEXT: takes back what a match did to the ratings, as when one person held two seats; "
        "the reason is shown to everybody who sees the match."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do, and with which match."""
        parser.add_argument("what", choices=["rebuild", "annul"])
        parser.add_argument("match", nargs="?", help="to annul: the last part of the match's address")
        parser.add_argument("--why", help="to annul: the reason, as everybody reads it")
        parser.add_argument("--check", action="store_true", help="only say where the stored ratings differ")

    def handle(self, *args: Any, **options: Any) -> None:
        """Does it; exit status 1 if anything differs, or if there is nothing to annul."""
        if options["what"] == "annul":
            self._annul(options["match"], options["why"])
        elif options["check"]:
            self._compare()
        else:
            self.stdout.write(f"{standings.rebuild()} results rated.")

    def _annul(self, slug: str | None, why: str | None) -> None:
        if not slug or not (why or "").strip():
            raise CommandError("To annul takes a match and --why.")
        match = Match.objects.filter(slug=slug).first()
        if match is None:
            raise CommandError(f"There is no match {slug}.")
        try:
            row = annulments.annul(match.pk, str(why).strip())
        except annulments.NotRated as refused:
            raise CommandError(str(refused.sentence)) from refused
        self.stdout.write(f"Annulled: {row.why}. The ratings follow within a minute.")

    def _compare(self) -> None:
        found = standings.differences()
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} differences: run `manage.py ratings rebuild`.", returncode=1)
        self.stdout.write("The ratings are what the results make of them.")
