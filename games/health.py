"""Whether work is being done: sweeps note that they live, and pages and commands for operators say of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from games.clock import GRACE
from games.models import Heartbeat, Match
from games.now import now
from games.services import clocks, turns

OVERDUE = GRACE + timedelta(minutes=1)
"""How long a decision may be overdue before somebody should look."""

SILENCE = {
    "bots": timedelta(minutes=3),
    "wishes": timedelta(minutes=3),
    "deadlines": clocks.SILENCE,
    "reminders": timedelta(minutes=5),
    "deliveries": timedelta(minutes=5),
    "ratings": timedelta(minutes=5),
    "tallies": timedelta(minutes=10),
    "rankings": timedelta(minutes=15),
    "open_tables": timedelta(minutes=15),
    "guests": timedelta(hours=3),
}
"""The oldest heartbeat of each sweep that still counts as alive."""


BEAT_EVERY = timedelta(seconds=20)
"""How often a fast sweep notes that it lives; noting every second would be a write a second for nothing."""


def beat(sweep: str) -> None:
    """Notes that the sweep did its work."""
    moment = now()
    last = Heartbeat.objects.filter(pk=sweep).values_list("at", flat=True).first()
    if last is None or last <= moment - BEAT_EVERY:
        Heartbeat.objects.update_or_create(pk=sweep, defaults={"at": moment})


def report() -> dict[str, Any]:
    """``ok``, or what is wrong: sweeps that stand still and counts of what is overdue; nothing about anybody."""
    moment = now()
    beats = dict(Heartbeat.objects.values_list("sweep", "at"))
    silent = [sweep for sweep, most in SILENCE.items() if sweep not in beats or beats[sweep] < moment - most]
    playing = Match.objects.filter(status=Match.Status.PLAYING)
    overdue = playing.filter(deadline__lt=moment - OVERDUE).count()
    idle_bots = turns.bots_due(moment - OVERDUE).filter(moved_at__lt=moment - OVERDUE).count()
    ok = not silent and not overdue and not idle_bots
    return {"ok": ok, "silent_sweeps": silent, "overdue_decisions": overdue, "idle_bots": idle_bots}
