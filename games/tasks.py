"""Celery: a loop and a call each. What is due are rows; a task that never arrives only delays."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task

from games.clock import GRACE
from games.models import Heartbeat, Match
from games.now import now
from games.services import leaving, people, turns

BEAT_EVERY = timedelta(seconds=20)
"""How often a fast sweep notes that it lives; noting every second would be a write a second for nothing."""

BATCH = 200
"""Matches that one sweep takes up at most; the next one takes the rest."""


def _beat(sweep: str) -> None:
    """Notes that the sweep did its work."""
    moment = now()
    last = Heartbeat.objects.filter(pk=sweep).values_list("at", flat=True).first()
    if last is None or last <= moment - BEAT_EVERY:
        Heartbeat.objects.update_or_create(pk=sweep, defaults={"at": moment})


@shared_task
def bots() -> int:
    """Lets every bot whose turn it is move; the number of moves."""
    due = Match.objects.filter(status=Match.Status.PLAYING, active_bot=True).order_by("moved_at")
    made = sum(turns.play_bots(match) for match in list(due.values_list("pk", flat=True)[:BATCH]))
    _beat("bots")
    return made


@shared_task
def deadlines() -> int:
    """Takes the seats out whose time is up; the number of time-outs."""
    due = Match.objects.filter(status=Match.Status.PLAYING, deadline__lt=now() - GRACE).order_by("deadline")
    done = [leaving.time_out(match) for match in list(due.values_list("pk", flat=True)[:BATCH])]
    _beat("deadlines")
    return sum(move is not None for move in done)


@shared_task
def guests() -> int:
    """Forgets guests who never came back; the number of them."""
    forgotten = people.forget_guests()
    _beat("guests")
    return forgotten
