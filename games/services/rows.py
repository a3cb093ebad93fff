"""The one way a running match changes: claim it by version, append a row, refresh what lists and sweeps read."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import Q

from games import engine, failpoints, live, states, verify
from games.clock import GRACE
from games.models import Match, Move, Seat
from games.now import now
from games.services import notices, resting
from games.services.errors import NotRunning, StaleMatch

log = logging.getLogger(__name__)


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
    deadline: datetime | None = None,
) -> Move:
    """Appends a row to a running match and returns it; to be called inside a transaction.

    ``state`` is the one after the row; ``ends`` is a reason for which the
    match ends although the rules would go on. ``seats`` are those after the
    row (who left is marked), with their users. ``deadline`` is the new one that
    a row of the clock sets. Raises StaleMatch, and then nothing is written,
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
        fields = _facts(match, seats, kind, number, state, moment, ends, deadline)
    except DatabaseError:
        raise  # no fault of the match
    except Exception as fault:
        raise states.Unreplayable(f"{match} after row {number}: {fault!r}") from fault
    due = Q(deadline=None) | Q(deadline__gte=moment - GRACE)
    allowed = {Move.Kind.PLAY: due, Move.Kind.TIMEOUT: Q(deadline__lt=moment - GRACE)}.get(kind, Q())
    begun = match.Status.OPEN if kind == Move.Kind.START else match.Status.PLAYING
    failpoints.reach("before_lock")
    claimed = Match.objects.filter(allowed, pk=match.pk, version=match.version, status=begun).update(
        version=number, digest=digest, **fields
    )
    if not claimed:
        raise StaleMatch
    failpoints.reach("after_claim" if by == Move.By.BOT or kind == Move.Kind.TIMEOUT else "after_lock")
    if banked is not None:
        Seat.objects.filter(pk=banked.pk).update(bank=banked.bank)
    move = Move.objects.create(match=match, by=by, digest=digest, key=key, at=moment, **row)
    if fields["status"] == Match.Status.FINISHED:
        _place(match, seats, state, moment)
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
    if mover.bank is None or mover.plays_itself:
        return None
    rest = resting.since(mover.user, match.clock, match.decision_at)
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
    number: int,
    state: Any,
    moment: datetime,
    ends: str,
    deadline: datetime | None,
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
            "remind_at": None,
        }
    active = match.rules.active_seat(state)
    bot = active is not None and seats[active].plays_itself
    facts: dict[str, Any] = {"status": Match.Status.PLAYING, "active_seat": active, "active_bot": bot}
    if kind in (Move.Kind.START, Move.Kind.PLAY):
        until = None if bot or active is None else _deadline(match, seats[active], moment)
        facts |= {"since_version": number, "decision_at": moment, "deadline": until}
    elif bot and not match.active_bot:
        facts |= {"since_version": number, "decision_at": moment, "deadline": None}
    facts |= {"deadline": deadline} if kind == Move.Kind.CLOCK else {"moved_at": moment}
    if "deadline" in facts:
        facts["remind_at"] = _remind_at(match, seats, facts)
    if kind == Move.Kind.START:
        facts["started_at"] = moment
    return facts


def _remind_at(match: Match, seats: list[Seat], facts: dict[str, Any]) -> datetime | None:
    """When the mover is reminded of the deadline in ``facts``."""
    begun = facts.get("decision_at", match.decision_at)
    if facts["deadline"] is None or facts["active_seat"] is None or begun is None:
        return None
    return notices.remind_at(match, seats[facts["active_seat"]].user, begun, facts["deadline"])


def _place(match: Match, seats: list[Seat], state: Any, moment: datetime) -> None:
    """Writes the places of a match that is over."""
    left = sorted((seat for seat in seats if seat.left_version is not None), key=lambda seat: seat.left_version or 0)
    places = engine.places(match.rules.outcome(state), len(seats), [seat.number for seat in left])
    for seat in seats:
        seat.place, seat.finished_at = places[seat.number], moment
    Seat.objects.bulk_update(seats, ["place", "finished_at"])


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
        status=Match.Status.QUARANTINED, active_bot=False, deadline=None
    )
    if stopped:
        log.error("match %s is quarantined at version %s: %r", match.slug, match.version, fault, exc_info=fault)
