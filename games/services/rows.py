"""The one way a running match changes: claim it by version, append a row, refresh what lists and sweeps read."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from typing import Any, TypeVar
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import Q

from games import engine, failpoints, live, states, verify
from games.clock import GRACE, HELD
from games.models import Consent, Match, Move, Seat
from games.now import now
from games.services import notices, resting
from games.services.errors import NotRunning, StaleMatch

log = logging.getLogger(__name__)
T = TypeVar("T")

CHANGES_HANDS = (Move.Kind.RESIGN, Move.Kind.TIMEOUT, Move.Kind.TAKEOVER, Move.Kind.RETURN)
"""Kinds of rows after which somebody else, or nobody, decides for a seat."""

WISH_AFTER = timedelta(minutes=2), timedelta(minutes=6)
"""How long after a decision begins a move by wish is looked for: at the earliest and at the latest."""

DROPS_WISHES = (Move.Kind.RESIGN, Move.Kind.TIMEOUT, Move.Kind.TAKEOVER)
"""Rows after which somebody else decides for their seat, so that what its player wished counts no more."""

TIME = (Move.Kind.CLOCK, Move.Kind.PAUSE, Move.Kind.RESUME)
"""Kinds of rows by which nobody has moved, only time."""

KEEP_PROPOSALS = (Move.Kind.PLAY, Move.Kind.CLOCK, Move.Kind.RESUME)
"""After any other row who must agree is not the same, or what was proposed is done."""


def append(
    match: Match,
    seats: list[Seat],
    kind: Move.Kind,
    *,
    seat: int | None,
    by: Move.By,
    state: Any,
    news: Sequence[engine.News],
    text: str = "",
    key: UUID | None = None,
    ends: str = "",
    sets: Mapping[str, Any] | None = None,
) -> Move:
    """Appends a row to a running match and returns it; to be called inside a transaction.

    ``state`` is the one after the row; ``ends`` is a reason for which the
    match ends although the rules would go on. ``seats`` are those after the
    row (who left is marked), with their users. ``sets`` are columns of the match
    that a row of the clock or of a pause sets besides. Raises StaleMatch, and then nothing is written,
    if a rival committed first or, for a move, the time is up; Unreplayable if
    the rules fail on the new state.
    """
    moment = now()
    number = match.version + 1
    banked = _settle(match, seats, kind, seat, moment)
    row = {"number": number, "kind": str(kind), "seat": seat, "text": text, "news": list(news)}
    previous = match.digest or match.commitment
    try:
        digest = verify.digest(bytes(match.seed), previous, row, match.rules.observe(state, "open"))
        fields = _facts(match, seats, kind, seat, number, state, moment, ends) | dict(sets or {})
        if "deadline" in fields:
            fields["remind_at"] = _remind_at(match, seats, fields)
    except DatabaseError:
        raise  # no fault of the match
    except Exception as fault:
        raise states.Unreplayable(f"{match} after row {number}: {fault!r}") from fault
    due = Q(deadline=None) | Q(deadline__gte=moment - GRACE)
    allowed = {Move.Kind.PLAY: due, Move.Kind.TIMEOUT: Q(deadline__lt=moment - GRACE)}.get(kind, Q())
    if by == Move.By.AUTO:
        allowed &= Q(auto_at__lte=moment)  # else the wishes are others by now than those that were looked at
    begun = match.Status.OPEN if kind == Move.Kind.START else match.Status.PLAYING
    failpoints.reach("before_lock")
    claimed = Match.objects.filter(allowed, pk=match.pk, version=match.version, status=begun).update(
        version=number, digest=digest, **fields
    )
    if not claimed:
        raise StaleMatch
    failpoints.reach("after_claim" if by == Move.By.BOT or kind == Move.Kind.TIMEOUT else "after_lock")
    if kind in DROPS_WISHES and seat is not None:
        Seat.objects.filter(match=match, number=seat).update(auto=[])
    if fields.get("since_version") == number or kind == Move.Kind.RESUME:
        _await_wish(match, seats, fields, moment)
    if banked is not None:
        Seat.objects.filter(pk=banked.pk).update(bank=banked.bank)
    move = Move.objects.create(match=match, by=by, digest=digest, key=key, at=moment, **row)
    if fields["status"] != Match.Status.PLAYING and any(other.vacant_until for other in seats):
        match.seats.update(vacant_until=None)
    if fields["status"] == Match.Status.FINISHED:
        _place(match, seats, state, moment)
    if kind not in KEEP_PROPOSALS or fields["status"] != Match.Status.PLAYING:
        Consent.objects.filter(match=match).delete()
    notices.store(notices.of_row(match, seats, move, fields), announced=True)
    failpoints.reach("before_commit")
    transaction.on_commit(partial(failpoints.reach, "after_commit"))
    transaction.on_commit(partial(states.remember, digest, state), robust=True)
    people = [other.user_id for other in seats if not other.plays_itself]
    transaction.on_commit(partial(live.announce, match.pk, people), robust=True)
    return move


def _settle(match: Match, seats: list[Seat], kind: Move.Kind, seat: int | None, moment: datetime) -> Seat | None:
    """The mover's seat with the bank as it is after the move; None if the clock has none, or none that counts."""
    if kind != Move.Kind.PLAY or seat is None or match.decision_at is None or match.clock.bank is None:
        return None
    mover = seats[seat]
    if mover.bank is None or not mover.has_player:
        return None
    rest = resting.since(mover.user, match, match.decision_at)
    left = match.clock.left(timedelta(seconds=mover.bank), match.decision_at, moment, rest)
    mover.bank = None if left is None else ceil(left.total_seconds())
    return mover


def _deadline(match: Match, seat: Seat, moment: datetime) -> datetime:
    """Until when a decision may take that begins now."""
    left = None if seat.bank is None else timedelta(seconds=seat.bank)
    return match.clock.deadline(moment, left, resting.from_now(seat.user, match.clock, moment))


def _facts(
    match: Match,
    seats: list[Seat],
    kind: Move.Kind,
    seat: int | None,
    number: int,
    state: Any,
    moment: datetime,
    ends: str,
) -> dict[str, Any]:
    """The columns that follow from the new state: whose turn, since when, until when, and the end."""
    outcome = match.rules.outcome(state)
    if outcome is not None or ends:
        return {
            "status": Match.Status.CANCELLED if kind == Move.Kind.CANCEL else Match.Status.FINISHED,
            "end_reason": outcome.reason if outcome else ends,
            "moved_at": moment,
            "finished_at": moment,
            "active_seat": None,
            "active_bot": False,
            "deadline": None,
            "auto_at": None,
            "held_until": None,
            "paused_at": None,
        }
    active = match.rules.active_seat(state)
    mover = None if active is None else seats[active]
    bot = mover is not None and mover.plays_itself
    facts: dict[str, Any] = {"status": Match.Status.PLAYING, "active_seat": active, "active_bot": bot}
    if kind in (Move.Kind.START, Move.Kind.PLAY) or (kind in CHANGES_HANDS and seat == active):
        # Where a seat is vacant nobody is late.
        until = _deadline(match, mover, moment) if mover is not None and mover.has_player else None
        held = moment + HELD if kind == Move.Kind.TIMEOUT and bot else None
        facts |= {"since_version": number, "decision_at": moment, "deadline": until, "held_until": held}
        facts |= {"auto_at": None, "stopped": [], "windows": {}, "granted": 0}
    if kind == Move.Kind.PAUSE:
        facts |= {"auto_at": None, "paused_at": moment}
    if kind == Move.Kind.PAUSE or match.paused_at is not None:
        facts["deadline"] = None  # also of a decision that begins in a pause; its end sets another
    if kind not in TIME:
        facts["moved_at"] = moment
    if kind == Move.Kind.START:
        facts["started_at"] = moment
    return facts


def wish_at(moment: datetime, deadline: datetime | None) -> datetime | None:
    """When a move by wish is looked for in a decision that waits from ``moment`` on; None if its time is up.

    The delay is drawn afresh each time, from no chance of the match: the others learn nothing from it.
    """
    first, last = WISH_AFTER
    wait = first + timedelta(milliseconds=secrets.randbelow((last - first) // timedelta(milliseconds=1)))
    if deadline is None:
        return moment + wait
    return moment + min(wait, (deadline - moment) / 2) if deadline > moment else None


def _await_wish(match: Match, seats: list[Seat], facts: dict[str, Any], moment: datetime) -> None:
    """Notes when to look for a move by wish, if a person is asked who wants any; whether one fits is seen only then.

    The wishes are read anew: who changes them locks the match, so they are those that hold at this row.
    """
    active = facts["active_seat"]
    if active is None or not seats[active].has_player or facts.get("paused_at", match.paused_at) is not None:
        return
    if Seat.objects.filter(match=match, number=active).exclude(auto=[]).exists():
        Match.objects.filter(pk=match.pk).update(auto_at=wish_at(moment, facts.get("deadline")))


def _remind_at(match: Match, seats: list[Seat], facts: dict[str, Any]) -> datetime | None:
    """When the mover is reminded of the deadline in ``facts``."""
    begun = facts.get("decision_at", match.decision_at)
    if facts["deadline"] is None or facts["active_seat"] is None or begun is None:
        return None
    stopped = facts.get("stopped", match.stopped)
    return notices.remind_at(match, seats[facts["active_seat"]].user, begun, facts["deadline"], stopped)


def _place(match: Match, seats: list[Seat], state: Any, moment: datetime) -> None:
    """Writes the places of a match that is over."""
    left = sorted((seat for seat in seats if seat.left_version is not None), key=lambda seat: seat.left_version or 0)
    places = engine.places(match.rules.outcome(state), len(seats), [seat.number for seat in left])
    for seat in seats:
        seat.place, seat.finished_at = places[seat.number], moment
    Seat.objects.bulk_update(seats, ["place", "finished_at"])


def running(match_id: int, version: int) -> Match:
    """The running match as somebody saw it. Raises NotRunning or StaleMatch."""
    match = Match.objects.get(pk=match_id)
    if match.status != Match.Status.PLAYING:
        raise NotRunning
    if match.version != version:
        raise StaleMatch
    return match


def again_if_stale(act: Callable[[], T], tries: int) -> T:
    """What ``act`` gives; whoever is overtaken looks again. Raises StaleMatch after ``tries`` times."""
    for _try in range(tries - 1):
        try:
            return act()
        except StaleMatch:
            continue
    return act()


@contextmanager
def sound(match: Match) -> Iterator[None]:
    """Around what loads or appends, outside its transaction: if log or rules fail the match stops, then NotRunning."""
    try:
        yield
    except states.Unreplayable as fault:
        quarantine(match, fault)
        raise NotRunning from fault


def quarantine(match: Match, fault: BaseException) -> None:
    """Stops a match whose rules or log fail: its time stands still, the others go on, staff read it in the log."""
    stopped = Match.objects.filter(pk=match.pk, status=Match.Status.PLAYING).update(
        status=Match.Status.QUARANTINED, active_bot=False, deadline=None, auto_at=None
    )
    if stopped:
        log.error("match %s is quarantined at version %s: %r", match.slug, match.version, fault, exc_info=fault)
