"""The only way from a request to a row: who may watch a match, and who may act in it. Strangers get 404."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import Bot, Holiday, User
from games import engine, links, people, registry, states
from games.models import Device, Invitation, Match, Record, Seat, Webhook

Visitor = User | AnonymousUser

Own = TypeVar("Own", Holiday, Device, Webhook)
"""What belongs to a user."""

BY_LINK = (Match.Status.PLAYING, Match.Status.FINISHED)
"""Matches that a link of a mail opens."""


@dataclass
class Table:
    """A match as one visitor may see it; ``by_link`` if only a link of a mail makes the seat theirs (see ``links``)."""

    match: Match
    seats: list[Seat]
    mine: Seat | None
    by_link: bool = False

    @property
    def viewer(self) -> engine.Viewer:
        """For ``observe`` and ``seen``: everything after the end, the own seat while one holds it, else a spectator."""
        if self.match.over:
            return "open"
        if self.mine is None or self.mine.left_version is not None:
            return None
        return self.mine.number

    @property
    def full(self) -> Seat | None:
        """The visitor's own seat if they are logged in as who sits there, for all that a link does not allow."""
        return None if self.by_link else self.mine

    @property
    def me(self) -> int | None:
        """The visitor's own seat, also after leaving it."""
        return None if self.mine is None else self.mine.number

    def state(self, version: int | None = None) -> Any:
        """The state after a row; never shown but through ``observe``. Raises states.Unreplayable."""
        return states.load(self.match, self.seats, version)


def match_for(visitor: Visitor, slug: str, session: MutableMapping[str, Any] | None = None) -> Table:
    """The match, if the visitor may watch it. Raises Http404 if there is none or it is not theirs to see.

    With the session, who came in by a link of a mail is taken for its user: to be given for looking and moving only.
    """
    match = Match.objects.filter(slug=slug).first()
    if match is None or match.game not in registry.all_titles():
        raise Http404
    seats = list(match.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == visitor.pk), None) if visitor.is_authenticated else None
    linked = None
    if mine is None and session is not None and match.status in BY_LINK:
        linked = links.seat_of(session, match, seats)
    if match.audience == Match.Audience.SEATED and mine is None and linked is None:
        raise Http404
    return Table(match, seats, mine or linked, by_link=linked is not None)


def seat_for(visitor: Visitor, slug: str, session: MutableMapping[str, Any] | None = None) -> tuple[Table, Seat]:
    """The match and the visitor's own seat, which they may act for. Raises Http404 if they hold none.

    The session is to be given for a move only, see ``match_for``.
    """
    table = match_for(visitor, slug, session)
    if table.mine is None or table.mine.left_version is not None:
        raise Http404
    return table, table.mine


def made_by(visitor: Visitor, slug: str) -> tuple[Match, User]:
    """The match and the visitor, who made it and sits there. Raises Http404 for anybody else."""
    table, seat = seat_for(visitor, slug)
    if table.match.created_by_id != seat.user_id:
        raise Http404
    return table.match, seat.user


def account_of(visitor: Visitor) -> User:
    """The visitor. Raises Http404 for who has no account."""
    if isinstance(visitor, AnonymousUser) or visitor.is_guest:
        raise Http404
    return visitor


def person_for(visitor: Visitor, name: str) -> User:
    """Who is called so, in whatever case. Raises Http404 if there is nobody whose profile the visitor may see."""
    found = people.find(visitor, name)
    if found is None:
        raise Http404
    return found


def invitation_to(visitor: Visitor, pk: int) -> Invitation:
    """An invitation that the visitor may answer. Raises Http404 for anybody else's."""
    found = _invitations().filter(pk=pk, to=visitor).first() if visitor.is_authenticated else None
    if found is None:
        raise Http404
    return found


def invitation_by(visitor: Visitor, pk: int) -> Invitation:
    """An invitation by name that the visitor may withdraw: who made it, or the match. Raises Http404 for any other."""
    mine = Q(created_by=visitor.pk) | Q(match__created_by=visitor.pk)
    found = _invitations().filter(mine, pk=pk).exclude(to=None).first() if visitor.is_authenticated else None
    if found is None:
        raise Http404
    return found


def holiday_of(visitor: Visitor, pk: int) -> Holiday:
    """The visitor's own holiday. Raises Http404 for anybody else's."""
    return _own(Holiday, visitor, pk)


def device_of(visitor: Visitor, pk: int) -> Device:
    """The visitor's own device. Raises Http404 for anybody else's."""
    return _own(Device, visitor, pk)


def bot_of(visitor: Visitor, pk: int) -> Bot:
    """A bot of the visitor's. Raises Http404 for anybody else's, and for one that was removed."""
    found = None
    if visitor.is_authenticated and pk < 2**63:  # a larger number is none that a database could be asked for
        mine = Bot.objects.select_related("user").filter(user__owner=visitor.pk, user__is_active=True)
        found = mine.filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


def webhook_of(visitor: Visitor, pk: int) -> Webhook:
    """The visitor's own webhook. Raises Http404 for anybody else's."""
    return _own(Webhook, visitor, pk)


def record_for(slug: str) -> Record:
    """An imported record, for who has its address. Raises Http404 if there is none, or none of a game of this site."""
    found = Record.objects.filter(slug=slug, game__in=list(registry.all_titles())).select_related("owner").first()
    if found is None:
        raise Http404
    return found


def record_of(visitor: Visitor, slug: str) -> Record:
    """The visitor's own imported record. Raises Http404 for anybody else's."""
    found = record_for(slug)
    if not visitor.is_authenticated or found.owner_id != visitor.pk:
        raise Http404
    return found


def _own(model: type[Own], visitor: Visitor, pk: int) -> Own:
    found = model._default_manager.filter(pk=pk, user=visitor).first() if visitor.is_authenticated else None
    if found is None:
        raise Http404
    return found


def _invitations() -> QuerySet[Invitation]:
    return Invitation.objects.filter(match__game__in=list(registry.all_titles())).select_related("match", "to")
