"""Leaving a match: by giving up, by calling it off early, or because the time ran out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import states
from games.clock import GRACE, VACANT
from games.models import Departure, Match, Move, Seat
from games.now import now
from games.services import clocks, holidays, rows
from games.services.errors import NotRunning, Refused, StaleMatch, TooLate

BOT_LEVEL = "normal"
"""The bot that plays on in a seat somebody left."""

MOST_SUBSTITUTES = 2
"""So many people may take over a seat, one after the other; behind them comes a bot, so that a match ends."""

MOST_CALLED_OFF, LATELY = 3, timedelta(days=30)
"""So many rated matches may be called off in that time: who has seen the hand could else deal until it is good."""

EARLY = 2
"""A match of more rows than this for each seat is under way, though a seat may not have been asked yet."""


class CalledOffTooOften(Refused):
    """The user has called off so many rated matches lately that this one is to be played, or given up."""

    code = "called_off_too_often"
    sentence = _("You have called off several rated matches lately. This one can be played, or given up.")


def is_early(match: Match, moves: Iterable[Move]) -> bool:
    """Whether a running match may still be called off: not every seat has moved. ``moves`` are all of its rows."""
    moved = {move.seat for move in moves if move.kind == Move.Kind.PLAY}
    return (
        match.status == Match.Status.PLAYING
        and match.version <= EARLY * match.seat_count
        and len(moved) < match.seat_count
    )


def check_calling_off(match: Match, user: User) -> None:
    """Raises CalledOffTooOften if the match is rated and the user has called off MOST_CALLED_OFF such ones LATELY."""
    if not match.rated:
        return
    mine = Seat.objects.filter(user=user, left_how=Move.Kind.CANCEL, match__rated=True)
    if mine.filter(match__finished_at__gt=now() - LATELY).count() >= MOST_CALLED_OFF:
        raise CalledOffTooOften


def call_off(match_id: int, seat: int, *, version: int) -> Move:
    """The seat calls off a match that has hardly begun: it counts for nobody. Returns the row.

    Raises NotRunning, StaleMatch, CalledOffTooOften or, once everybody has moved, TooLate; then nothing is written.
    """
    match = rows.running(match_id, version)
    if not is_early(match, match.moves.all()):
        raise TooLate
    seats = list(match.seats.select_related("user"))
    if not seats[seat].has_player:
        raise NotRunning
    check_calling_off(match, seats[seat].user)
    news = [{"what": "cancelled", "seat": seat}]
    with rows.sound(match):
        state = states.load(match, seats)
    with rows.sound(match), transaction.atomic():
        move = rows.append(
            match, seats, Move.Kind.CANCEL, seat=seat, by=Move.By.USER, state=state, news=news, ends="cancelled"
        )
        Seat.objects.filter(pk=seats[seat].pk).update(left_how=Move.Kind.CANCEL)
    return move


def resign(match_id: int, seat: int, *, version: int) -> Move:
    """The seat gives up the match, on anybody's turn. Returns the row.

    As long as a person is left a bot plays on in the seat, or it waits for a
    substitute, as the match says; else the match ends. Raises NotRunning or StaleMatch; then nothing
    is written.
    """
    return _leave(rows.running(match_id, version), seat, Move.Kind.RESIGN)


def time_out(match_id: int) -> Move | None:
    """The active seat leaves because its deadline has passed; None if it moved after all or has time.

    What stood still and was not told yet comes first, then a day of holiday if the player wants it so.
    """
    match = Match.objects.filter(pk=match_id, status=Match.Status.PLAYING, deadline__lt=now() - GRACE).first()
    if match is None or match.active_seat is None:
        return None
    try:
        mover = match.seats.select_related("user").get(number=match.active_seat).user
        if clocks.review(match.pk) or holidays.instead_of_time_out(match, mover):
            return None
        return _leave(match, match.active_seat, Move.Kind.TIMEOUT)
    except (StaleMatch, NotRunning):
        return None


def _leave(match: Match, seat: int, kind: Move.Kind) -> Move:
    seats = list(match.seats.select_related("user"))
    leaver = seats[seat]
    if not leaver.has_player:
        raise NotRunning
    with rows.sound(match):
        state = states.load(match, seats)
    then, moment = _then(match, seats, leaver), now()
    leaver.left_version, leaver.left_how = match.version + 1, str(kind)
    if then == "bot":
        leaver.bot_level = BOT_LEVEL
    elif then == "vacant":
        leaver.vacant_until = moment + VACANT
    news = [{"what": "left", "seat": seat, "how": str(kind), "then": then}]
    if kind == Move.Kind.TIMEOUT and match.deadline is not None:
        news[0]["due"] = match.deadline.isoformat()
    with rows.sound(match), transaction.atomic():
        move = rows.append(
            match,
            seats,
            kind,
            seat=seat,
            by=Move.By.USER if kind == Move.Kind.RESIGN else Move.By.SERVER,
            state=state,
            news=news,
            ends=str(kind) if then == "end" else "",
        )
        Seat.objects.filter(pk=leaver.pk).update(
            left_version=leaver.left_version,
            left_how=leaver.left_how,
            bot_level=leaver.bot_level,
            vacant_until=leaver.vacant_until,
        )
        Departure.objects.create(
            match=match, seat=seat, user=leaver.user, version=move.number, how=leaver.left_how, at=moment
        )
    return move


def _then(match: Match, seats: list[Seat], leaver: Seat) -> str:
    """What becomes of the seat of who leaves: "bot", "vacant" until somebody takes it, or "end" for the whole match."""
    if match.leave_policy == Match.LeavePolicy.END or not any(seat.has_player for seat in seats if seat is not leaver):
        return "end"
    if match.leave_policy == Match.LeavePolicy.BOT:
        return "bot"
    handed_on = match.departures.filter(seat=leaver.number).exclude(taken_over=None).count()
    return "vacant" if handed_on < MOST_SUBSTITUTES else "bot"
