"""Seats as pages show them: who sits there, who has left, and who may sit down instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.access import Table, Visitor
from games.lists import Former
from games.models import Match, Seat
from games.now import now
from games.services import returning
from games.telling import names_at

GONE = {True: _("left; the seat is free"), False: _("left; a bot plays on")}
"""What stands with a seat that was left, by whether it waits for somebody else."""


@dataclass(frozen=True)
class SeatView:
    """A seat as the page shows it."""

    number: int
    name: str
    is_me: bool
    is_bot: bool
    left_how: str
    gone: str | Promise
    place: int | None
    hue: int


def seat_views(table: Table, former: Sequence[Former] = (), viewing: int | None = None) -> list[SeatView]:
    """The seats by number; for an earlier version with the names of who sat there then."""
    names = names_at(viewing, former) if viewing is not None else {}
    return [
        SeatView(
            number=seat.number,
            name=names.get(seat.number, seat.user.name),
            is_me=seat is table.mine,
            is_bot=seat.plays_itself,
            left_how=seat.left_how,
            gone=_gone(table.match, seat),
            place=seat.place,
            hue=(seat.user_id * 5) % 12,
        )
        for seat in table.seats
    ]


def _gone(match: Match, seat: Seat) -> str | Promise:
    left = seat.left_version is not None and match.status == Match.Status.PLAYING
    return GONE[seat.vacant_until is not None] if left else ""


def changes(table: Table, visitor: Visitor, former: Sequence[Former]) -> dict[str, Any]:
    """What the page of a running match says of seats that were left: to come back to, to take over, or waited for."""
    match, mine = table.match, table.full
    vacant = [seat for seat in table.seats if seat.vacant_until is not None]
    may_sit = table.mine is None and visitor.pk not in {one.user_id for one in former}
    awaited = next((seat for seat in vacant if seat.number == match.active_seat), None)
    return {
        "free_seats": [(seat.number, seat.user.name, seat.vacant_until) for seat in vacant] if may_sit else [],
        "awaited": awaited,
        "held_until": held_until(match),
        "can_return": mine is not None and mine.left_version is not None and returning.is_possible(match, mine),
    }


def held_until(match: Match) -> datetime | None:
    """Until when the bot that is to move waits for who ran out of time; None if it does not."""
    held = match.held_until if match.active_bot else None
    return held if held is not None and held > now() else None
