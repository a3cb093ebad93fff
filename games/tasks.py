"""Celery: a loop and a call each. What is due are rows; a task that never arrives only delays."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

from celery import shared_task
from django.core.management import call_command

from accounts import mail, sessions, signup
from games.clock import GRACE
from games.models import OPEN_FOR, Heartbeat, Match
from games.now import now
from games.services import clocks, holidays, leaving, lobby, people, standings, turns

log = logging.getLogger(__name__)
T = TypeVar("T")

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


def _each(act: Callable[[int], T], rows: Iterable[int]) -> list[T]:
    """What ``act`` gives for each row (a match, mostly); one that fails is logged and holds up no other."""
    done = []
    for row in list(rows):
        try:
            done.append(act(row))
        except Exception:  # of one row, in rules or database: the other rows are due as well
            log.exception("a sweep failed on row %s in %s", row, act)
    return done


@shared_task
def bots() -> int:
    """Lets every bot whose turn it is move; the number of moves."""
    due = Match.objects.filter(status=Match.Status.PLAYING, active_bot=True).order_by("moved_at")
    made = sum(_each(turns.play_bots, due.values_list("pk", flat=True)[:BATCH]))
    _beat("bots")
    return made


@shared_task
def deadlines() -> int:
    """Takes the seats out whose time is up, after what was not counted was given back; the number of time-outs."""
    clocks.note_downtime()
    _each(clocks.credit, clocks.uncredited(BATCH))
    _each(holidays.spread, holidays.unspread(BATCH))
    due = Match.objects.filter(status=Match.Status.PLAYING, deadline__lt=now() - GRACE).order_by("deadline")
    done = _each(leaving.time_out, due.values_list("pk", flat=True)[:BATCH])
    _beat("deadlines")
    return sum(move is not None for move in done)


@shared_task
def ratings() -> int:
    """Rates the results that have come in, in their order; the number of events."""
    done = standings.rate_due()
    _beat("ratings")
    return done


@shared_task
def open_tables() -> int:
    """Calls off the matches that have waited long enough for players; their number."""
    due = Match.objects.filter(status=Match.Status.OPEN, created_at__lte=now() - OPEN_FOR).order_by("created_at")
    done = _each(lobby.close_unfilled, due.values_list("pk", flat=True)[:BATCH])
    _beat("open_tables")
    return sum(done)


@shared_task
def guests() -> int:
    """Forgets guests who never came back, and what accounts keep for a while only; the number of guests."""
    forgotten = people.forget_guests()
    signup.release_names()
    mail.forget()
    call_command("clearsessions")
    sessions.forget()
    _beat("guests")
    return forgotten
