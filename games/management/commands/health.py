"""manage.py health: is work being done? For monitors that run a command; pages answer the same at /healthz."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import health


class Command(BaseCommand):
    help = "Says whether the sweeps run and nothing is overdue. Exit status 1 if something is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--json for machines."""
        parser.add_argument("--json", action="store_true", help="print one JSON value instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the report."""
        found = health.report()
        if options["json"]:
            self.stdout.write(json.dumps(found))
        elif found["ok"]:
            self.stdout.write("All sweeps run, nothing is overdue.")
        else:
            for sweep in found["silent_sweeps"]:
                self.stdout.write(f"The sweep {sweep} stands still.")
            self.stdout.write(f"{found['overdue_decisions']} decisions are overdue, {found['idle_bots']} bots idle.")
        if not found["ok"]:
            raise CommandError("Work is not being done as it should.", returncode=1)
