"""Giving time: a player gives whoever is to move a turn's worth more."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import states
from games.clock import GRANTS
from games.models import Match, Move, Seat
from games.now import now
from games.services import clocks, resting, rows
from games.services.errors import NotRunning, Paused, Refused

LEAST = 60
"""Seconds that are worth giving."""


class CannotGrant(Refused):
    """There is nobody to give time to, or no time to give."""

    code = "cannot_grant"


def give(match_id: int, seat: int, *, version: int) -> Move:
    """The seat gives time to whoever is to move. Returns the row.

    A turn more by a clock of days, what a turn adds by one with a bank, as far
    as the bank holds it. Raises NotRunning, StaleMatch, Paused, or CannotGrant:
    to oneself, to a bot, without a clock, or more than GRANTS times; then
    nothing is written.
    """
    match = rows.running(match_id, version)
    if match.paused_at is not None:
        raise Paused
    seats = list(match.seats.select_related("user"))
    if not seats[seat].has_player:
        raise NotRunning
    mover, begun = _receiver(match, seats, seat)
    if match.moves.filter(kind=Move.Kind.CLOCK, by=Move.By.USER, seat=seat).count() >= GRANTS:
        raise CannotGrant(_("You have given time in this match as often as anybody may."))
    left = None
    if mover.bank is not None:
        spent = match.clock.spent(begun, now(), resting.since(mover.user, match, begun))
        left = timedelta(seconds=mover.bank) - spent
    seconds = int(match.clock.grant(left).total_seconds())
    if seconds < LEAST:
        raise CannotGrant(_("There is as much time left as the clock of this match allows."))
    if mover.bank is None:
        match.granted += seconds
    else:
        mover.bank += seconds
    news = [{"what": "clock", "why": "grant", "seat": mover.number, "by": seat, "seconds": seconds}]
    # Never nearer than it was, whatever became of the windows that it was worked out with.
    deadline = clocks.worked_out(match, mover, begun)
    sets: dict[str, Any] = {"granted": match.granted, "deadline": max(deadline, match.deadline or deadline)}
    with rows.sound(match):
        state = states.load(match, seats)
    with rows.sound(match), transaction.atomic():
        move = rows.append(match, seats, Move.Kind.CLOCK, seat=seat, by=Move.By.USER, state=state, news=news, sets=sets)
        Seat.objects.filter(pk=mover.pk).update(bank=mover.bank)
    return move


def _receiver(match: Match, seats: list[Seat], giver: int) -> tuple[Seat, datetime]:
    """Who is to move, and since when, if time may be given to them. Raises CannotGrant."""
    if match.clock.none:
        raise CannotGrant(_("This match has no clock, so there is no time to give."))
    if match.active_seat == giver:
        raise CannotGrant(_("It is your own turn: only the others can give you time."))
    if match.active_seat is None or match.decision_at is None or match.deadline is None:
        raise CannotGrant(_("Nobody whose time runs is to move."))
    return seats[match.active_seat], match.decision_at
