"""manage.py sweep: does once what is due now, as the worker does all the time."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import tasks
from games.services import clocks

SWEEPS = {
    "deadlines": (tasks.deadlines, "time-outs"),
    "wishes": (tasks.wishes, "moves by wish"),
    "bots": (tasks.bots, "moves of bots"),
    "reminders": (tasks.reminders, "reminders"),
    "deliveries": (tasks.deliveries, "mails and pushes sent"),
    "ratings": (tasks.ratings, "results rated"),
    "tallies": (tasks.tallies, "finished matches added up"),
    "rankings": (tasks.rankings, "rankings made anew"),
    "open_tables": (tasks.open_tables, "matches taken down that found no players"),
    "guests": (tasks.guests, "guests forgotten"),
}
"""What there is to do and what its number counts, in the order of doing."""

MINUTES = round(clocks.SILENCE.total_seconds() / 60)


class Command(BaseCommand):
    help = (
        "Does once what is due now, and says how much that was. It serves where no Celery runs: call it by cron every "
        f"minute. If {MINUTES} minutes pass without it the site counts as standing still, and the time is given back "
        "to whoever was to move. It does no harm beside a worker, nor twice at the same time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Names of sweeps; all of them by default."""
        parser.add_argument("sweeps", nargs="*", metavar="SWEEP", help=f"only these, of: {', '.join(SWEEPS)}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs the sweeps one after the other. Raises CommandError for one that there is not."""
        unknown = set(options["sweeps"]) - set(SWEEPS)
        if unknown:
            raise CommandError(f"There is no sweep {', '.join(sorted(unknown))}; there are {', '.join(SWEEPS)}.")
        for name, (sweep, counts) in SWEEPS.items():
            if name in options["sweeps"] or not options["sweeps"]:
                if options["verbosity"] > 1:
                    self.stdout.write(f"{name} ...")
                    self.stdout.flush()
                self.stdout.write(f"{name}: {sweep()} {counts}")
