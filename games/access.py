"""The only way from a request to a row: who may watch a match, and who may act in it. Strangers get 404."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from accounts.models import User
from games import engine, registry, states
from games.models import Match, Seat

Visitor = User | AnonymousUser


@dataclass
class Table:
    """A match as one visitor may see it."""

    match: Match
    seats: list[Seat]
    mine: Seat | None

    @property
    def viewer(self) -> engine.Viewer:
        """For ``observe`` and ``seen``: everything after the end, the own seat while one holds it, else a spectator."""
        if self.match.over:
            return "open"
        if self.mine is None or self.mine.left_version is not None:
            return None
        return self.mine.number

    @property
    def me(self) -> int | None:
        """The visitor's own seat, also after leaving it."""
        return None if self.mine is None else self.mine.number

    def state(self, version: int | None = None) -> Any:
        """The state after a row; never shown but through ``observe``. Raises states.Unreplayable."""
        return states.load(self.match, self.seats, version)


def match_for(visitor: Visitor, slug: str) -> Table:
    """The match, if the visitor may watch it. Raises Http404 if there is none or it is not theirs to see."""
    match = Match.objects.filter(slug=slug).first()
    if match is None or match.game not in registry.all_titles():
        raise Http404
    seats = list(match.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == visitor.pk), None) if visitor.is_authenticated else None
    if match.audience == Match.Audience.SEATED and mine is None:
        raise Http404
    return Table(match, seats, mine)


def seat_for(visitor: Visitor, slug: str) -> tuple[Table, Seat]:
    """The match and the visitor's own seat, which they may act for. Raises Http404 if they hold none."""
    table = match_for(visitor, slug)
    if table.mine is None or table.mine.left_version is not None:
        raise Http404
    return table, table.mine
