"""The one way a running match changes: claim it by version, append a row, refresh what lists and sweeps read."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games import engine, failpoints, live, states, verify
from games.clock import GRACE
from games.models import Match, Move, Seat
from games.now import now
from games.services.errors import StaleMatch

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
) -> Move:
    """Appends a row to a running match and returns it; to be called inside a transaction.

    ``state`` is the one after the row; ``ends`` is a reason for which the
    match ends although the rules would go on. ``seats`` are those after the
    row (who left is marked). Raises StaleMatch, and then nothing is written,
    if a rival committed first or, for a move, the time is up; Unreplayable if
    the rules fail on the new state.
    """
    moment = now()
    number = match.version + 1
    row = {"number": number, "kind": str(kind), "seat": seat, "text": text, "news": list(news)}
    previous = match.digest or match.commitment
    try:
        digest = verify.digest(bytes(match.seed), previous, row, match.rules.observe(state, "open"))
        fields = _facts(match, seats, kind, number, state, moment, ends)
    except Exception as fault:
        raise states.Unreplayable(f"{match} after row {number}: {fault!r}") from fault
    due = Q(deadline=None) | Q(deadline__gte=moment - GRACE)
    allowed = {Move.Kind.PLAY: due, Move.Kind.TIMEOUT: Q(deadline__lt=moment - GRACE)}.get(kind, Q())
    begun = match.Status.OPEN if kind == Move.Kind.START else match.Status.PLAYING
    failpoints.reach("before_lock")
    claimed = Match.objects.filter(allowed, pk=match.pk, version=match.version, status=begun).update(
        version=number, digest=digest, moved_at=moment, **fields
    )
    if not claimed:
        raise StaleMatch
    failpoints.reach("after_claim" if by == Move.By.BOT or kind == Move.Kind.TIMEOUT else "after_lock")
    move = Move.objects.create(match=match, by=by, digest=digest, key=key, at=moment, **row)
    if fields["status"] == Match.Status.FINISHED:
        _place(match, seats, state, moment)
    failpoints.reach("before_commit")
    transaction.on_commit(partial(failpoints.reach, "after_commit"))
    transaction.on_commit(partial(states.remember, digest, state), robust=True)
    people = [other.user_id for other in seats if not other.plays_itself]
    transaction.on_commit(partial(live.announce, match.pk, people), robust=True)
    return move


def _facts(
    match: Match, seats: list[Seat], kind: Move.Kind, number: int, state: Any, moment: datetime, ends: str
) -> dict[str, Any]:
    """The columns that follow from the new state: whose turn, since when, until when, and the end."""
    outcome = match.rules.outcome(state)
    if outcome is not None or ends:
        return {
            "status": Match.Status.FINISHED,
            "end_reason": outcome.reason if outcome else ends,
            "finished_at": moment,
            "active_seat": None,
            "active_bot": False,
            "deadline": None,
        }
    active = match.rules.active_seat(state)
    bot = active is not None and seats[active].plays_itself
    facts: dict[str, Any] = {"status": Match.Status.PLAYING, "active_seat": active, "active_bot": bot}
    if kind in (Move.Kind.START, Move.Kind.PLAY):
        facts |= {"since_version": number, "deadline": None if bot else match.clock.deadline(moment)}
    elif bot and not match.active_bot:
        facts |= {"since_version": number, "deadline": None}
    if kind == Move.Kind.START:
        facts["started_at"] = moment
    return facts


def _place(match: Match, seats: list[Seat], state: Any, moment: datetime) -> None:
    """Writes the places of a match that is over."""
    left = sorted((seat for seat in seats if seat.left_version is not None), key=lambda seat: seat.left_version or 0)
    places = engine.places(match.rules.outcome(state), len(seats), [seat.number for seat in left])
    for seat in seats:
        seat.place, seat.finished_at = places[seat.number], moment
    Seat.objects.bulk_update(seats, ["place", "finished_at"])


def quarantine(match: Match, fault: BaseException) -> None:
    """Stops a match whose rules or log fail: its time stands still, the others go on, staff read it in the log."""
    stopped = Match.objects.filter(pk=match.pk, status=Match.Status.PLAYING).update(
        status=Match.Status.QUARANTINED, active_bot=False, deadline=None
    )
    if stopped:
        log.error("match %s is quarantined at version %s: %r", match.slug, match.version, fault, exc_info=fault)
