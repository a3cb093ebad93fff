"""Celery: a loop and a call each. What is due are rows; a task that never arrives only delays."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from celery import shared_task
from django.core.management import call_command

from accounts import mail, sessions, signup
from games import health
from games.clock import GRACE
from games.delivery import digests, routing, sending
from games.delivery.faults import Later
from games.models import OPEN_FOR, Channel, Delivery, Match
from games.now import now
from games.services import (
    clocks,
    counting,
    holidays,
    honours,
    leaving,
    lobby,
    notices,
    paces,
    pauses,
    people,
    rankings as ranks,
    standings,
    substitutes,
    turns,
    wishes as wished,
)

log = logging.getLogger(__name__)
T = TypeVar("T")

BATCH = 200
"""Matches that one sweep takes up at most; the next one takes the rest."""

SENDING_FOR = 20.0
"""Seconds after which a sweep begins no further sending: a slow server must not hold up what else is due."""


WEBHOOKS_FOR = 10.0
"""As many of them may be spent on webhooks, which are as slow as their users like: mails and pushes leave meanwhile."""


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
    due = turns.bots_due(now()).order_by("moved_at")
    made = sum(_each(turns.play_bots, due.values_list("pk", flat=True)[:BATCH]))
    health.beat("bots")
    return made


@shared_task
def wishes() -> int:
    """Makes the moves that players have wished for and whose moment has come; their number."""
    due = Match.objects.filter(status=Match.Status.PLAYING, auto_at__lte=now()).order_by("auto_at")
    done = _each(wished.play, due.values_list("pk", flat=True)[:BATCH])
    health.beat("wishes")
    return sum(move is not None for move in done)


@shared_task
def deadlines() -> int:
    """Takes the seats out whose time is up, after what was not counted was given back; the number of time-outs.

    Seats that nobody took over in time are given to bots, and pauses that have lasted long enough end here, too.
    """
    clocks.note_downtime()
    _each(clocks.credit, clocks.uncredited(BATCH))
    _each(holidays.spread, holidays.unspread(BATCH))
    _each(pauses.end, pauses.over(BATCH))
    due = Match.objects.filter(status=Match.Status.PLAYING, deadline__lt=now() - GRACE).order_by("deadline")
    done = _each(leaving.time_out, due.values_list("pk", flat=True)[:BATCH])
    _each(substitutes.let_bot_in, substitutes.overdue(BATCH))
    health.beat("deadlines")
    return sum(move is not None for move in done)


@shared_task
def reminders() -> int:
    """Reminds those whose time runs short; their number."""
    due = Match.objects.filter(status=Match.Status.PLAYING, remind_at__lte=now()).order_by("remind_at")
    done = _each(notices.remind, due.values_list("pk", flat=True)[:BATCH])
    health.beat("reminders")
    return sum(done)


@shared_task
def deliveries() -> int:
    """Makes out what is to be told by other ways than the page, and sends what is due; the number of what was sent."""
    routing.route(BATCH)
    _each(digests.gather, digests.due(BATCH))
    sent = _send(sending.due(BATCH))
    health.beat("deliveries")
    return sent


def _send(rows: list[tuple[int, str]]) -> int:
    """Sends these deliveries for SENDING_FOR at most, and no more by a way that is closed; how many left."""
    begun, sent, closed, webhooks = time.monotonic(), 0, set[str](), 0.0
    for pk, channel in rows:
        if channel in closed or (started := time.monotonic()) - begun > SENDING_FOR:
            continue
        if channel == Channel.WEBHOOK and webhooks > WEBHOOKS_FOR:
            continue
        try:
            sent += sending.send(pk) == Delivery.Status.SENT
        except Later:
            closed.add(channel)
        except Exception:  # of one row: the others are due as well, and this one's lease ends
            log.exception("delivery %s failed", pk)
        if channel == Channel.WEBHOOK:
            webhooks += time.monotonic() - started
    return sent


@shared_task
def ratings() -> int:
    """Rates the results that have come in, in their order; the number of events."""
    done = standings.rate_due()
    health.beat("ratings")
    return done


@shared_task
def tallies() -> int:
    """Adds the matches that have ended to what is kept of them; the number of matches."""
    done = max(paces.update(), counting.update(), honours.update())
    health.beat("tallies")
    return done


@shared_task
def rankings() -> int:
    """Makes the rankings anew in which anything has changed; their number."""
    done = ranks.refresh()
    health.beat("rankings")
    return done


@shared_task
def open_tables() -> int:
    """Calls off the matches that have waited long enough for players; their number."""
    due = Match.objects.filter(status=Match.Status.OPEN, created_at__lte=now() - OPEN_FOR).order_by("created_at")
    done = _each(lobby.close_unfilled, due.values_list("pk", flat=True)[:BATCH])
    health.beat("open_tables")
    return sum(done)


@shared_task
def guests() -> int:
    """Forgets guests who never came back, and what accounts keep for a while only; the number of guests."""
    forgotten = people.forget_guests()
    signup.release_names()
    mail.forget()
    notices.forget()
    call_command("clearsessions")
    sessions.forget()
    health.beat("guests")
    return forgotten
