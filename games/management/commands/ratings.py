"""manage.py ratings rebuild: all ratings from nothing; with --check they are only compared."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import standings


class Command(BaseCommand):
    help = "rebuild: rates all finished matches again from nothing. With --check: compares and changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The one thing to do, and --check."""
        parser.add_argument("what", choices=["rebuild"])
        parser.add_argument("--check", action="store_true", help="only say where the stored ratings differ")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuilds or compares; exit status 1 if anything differs."""
        if not options["check"]:
            self.stdout.write(f"{standings.rebuild()} results rated.")
            return
        found = standings.differences()
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} differences: run `manage.py ratings rebuild`.", returncode=1)
        self.stdout.write("The ratings are what the results make of them.")
