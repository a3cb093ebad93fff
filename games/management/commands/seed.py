"""manage.py seed: demo data, so that every page shows something. Never in production."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from games.models import Match
from games.services import records


class Command(BaseCommand):
    help = "Loads the demo matches of seeds/: public, made for this, with users who cannot log in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """--if-empty leaves a database with users or matches as it is."""
        parser.add_argument("--if-empty", action="store_true", help="only into a database without users and matches")

    def handle(self, *args: Any, **options: Any) -> None:
        """One file a match; its ``demo`` says how long ago the last row was and the pace."""
        if settings.PRODUCTION:
            raise CommandError("Demo data is not for production.")
        if options["if_empty"] and (User.objects.exists() or Match.objects.exists()):
            return
        loaded = 0
        for path in sorted((settings.BASE_DIR / "seeds").glob("*.json")):
            record = json.loads(path.read_text())
            if Match.objects.filter(slug=record["id"]).exists():
                continue
            demo = record["demo"]
            records.load(record, ago=timedelta(seconds=demo["ago"]), days=demo["days"])
            loaded += 1
        self.stdout.write(f"{loaded} demo matches loaded.")
