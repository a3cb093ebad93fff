"""A match as an item of a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.models import Match, Seat
from games.titles import Title


@dataclass(frozen=True)
class Card:
    """What a list shows of one match."""

    match: Match
    title: Title
    opponents: list[str]
    active: str
    mine_active: bool
    place: int | None
    places_total: int
    finished_at: datetime | None
    winners: list[str]
    url: str
    free: bool = False
    calls: tuple[str, ...] = ()

    @property
    def moves(self) -> int:
        """How far the match is: rows of the log after the start."""
        return max(self.match.version - 1, 0)


def match_card(
    match: Match,
    visitor: User | AnonymousUser,
    mine: Seat | None = None,
    calls: Iterable[str] = (),
    of: User | None = None,
) -> Card:
    """The item for ``match`` (seats and users fetched); with the visitor's own seat if it is their list.

    ``calls`` is what others ask of the visitor there, as ``lists.calls`` finds it. In the list ``of`` somebody else the
    seat is theirs, and so are the opponents.
    """
    seats = list(match.seats.all())
    own = visitor.pk if visitor.is_authenticated else None
    whose = own if of is None else of.pk
    active = next((seat.user for seat in seats if seat.number == match.active_seat), None)
    return Card(
        match=match,
        title=match.title,
        opponents=[seat.user.name for seat in seats if seat.user_id != whose],
        active=active.name if active else "",
        mine_active=active is not None and active.pk == own,
        place=mine.place if mine else None,
        places_total=len(seats),
        finished_at=match.finished_at,
        winners=[seat.user.name for seat in seats if seat.place == 1],
        url=match.get_absolute_url(),
        free=mine is not None and mine.vacant_until is not None,
        calls=tuple(sorted(calls)),
    )
