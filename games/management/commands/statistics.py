"""manage.py statistics rebuild: what finished matches add up to, made again from nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.services import counting, paces


class Command(BaseCommand):
    help = "rebuild: counts all finished matches again, for the statistics of games and how people play."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The one thing to do."""
        parser.add_argument("what", choices=["rebuild"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuilds."""
        paces.rebuild()
        self.stdout.write(f"{counting.rebuild()} finished matches counted.")
