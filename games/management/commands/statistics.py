"""manage.py statistics rebuild: what finished matches add up to, made again from nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.services import paces


class Command(BaseCommand):
    help = "rebuild: counts all finished matches again, for how people play."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The one thing to do."""
        parser.add_argument("what", choices=["rebuild"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuilds."""
        self.stdout.write(f"{paces.rebuild()} finished matches counted.")
