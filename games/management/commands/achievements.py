"""manage.py achievements rebuild: what players have done, found again in the history."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.services import honours


class Command(BaseCommand):
    help = "rebuild: forgets all achievements and finds them again in the history."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The one thing to do."""
        parser.add_argument("what", choices=["rebuild"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuilds."""
        self.stdout.write(f"{honours.rebuild()} finished matches looked at.")
