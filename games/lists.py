"""What a visitor's lists show: my turns, my matches, history, what can be watched."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from games import registry
from games.models import Invitation, Match, Notice, Seat
from games.now import now

PAGE = 20
"""Rows on one page of a list."""

REMEMBERED = timedelta(days=7)
"""How long a match that came to nothing stays on the lists of who sat there."""

MOST = 300
"""The longest list that is shown on one page: running matches of one user."""


def _known() -> list[str]:
    """The games of this site: a match of one that was taken away cannot be shown."""
    return list(registry.all_titles())


def _mine(user: User) -> QuerySet[Seat]:
    seats = Seat.objects.filter(user=user, left_version=None, match__game__in=_known()).select_related("match")
    return seats.prefetch_related("match__seats__user")


def my_turns(user: User) -> QuerySet[Seat]:
    """The seats whose turn it is, the most urgent first: the one query behind badge, title and lists."""
    seats = _mine(user).filter(match__status=Match.Status.PLAYING, match__active_seat=F("number"))
    return seats.order_by(F("match__deadline").asc(nulls_last=True), "match_id")


def next_turn(user: User, after: Match) -> list[Seat]:
    """The seats, with users and match, of the most urgent other match that waits for the user; empty if none does."""
    first = my_turns(user).exclude(match=after).values("match")[:1]
    return list(Seat.objects.filter(match=Subquery(first)).select_related("match", "user"))


def waiting_for_others(user: User) -> QuerySet[Seat]:
    """The seats in running matches where somebody else is to move, the last moved first."""
    seats = _mine(user).filter(match__status=Match.Status.PLAYING).exclude(match__active_seat=F("number"))
    return seats.order_by(F("match__moved_at").desc(nulls_last=True), "match_id")


def stopped(user: User) -> QuerySet[Seat]:
    """The seats in matches that a fault of ours stopped."""
    return _mine(user).filter(match__status=Match.Status.QUARANTINED).order_by("match_id")


def not_started(user: User) -> QuerySet[Seat]:
    """The seats in matches that still wait for players, the newest first."""
    seats = _mine(user).filter(match__status=Match.Status.OPEN).prefetch_related("match__invitations__to")
    return seats.order_by("-match_id")


def invitations(user: User) -> QuerySet[Invitation]:
    """What the user is invited to and has not answered, the newest first."""
    found = Invitation.objects.waiting(now()).filter(to=user, match__status=Match.Status.OPEN, match__game__in=_known())
    return found.select_related("match", "created_by").prefetch_related("match__seats__user").order_by("-pk")


def fallen_through(user: User) -> QuerySet[Seat]:
    """The seats in matches that were called off or found no players in the last days, the latest first.

    Who sat there is read at once.
    """
    seats = _mine(user).filter(match__status=Match.Status.CANCELLED, match__finished_at__gt=now() - REMEMBERED)
    seats = seats.select_related("match__created_by").prefetch_related("match__seats__user")
    return seats.order_by("-match__finished_at", "-match_id")


def notices(user: User, before: int | None = None, *, with_mails: bool = False) -> QuerySet[Notice]:
    """What the user was told, the newest first, from behind the notice ``before``.

    ``with_mails`` also has the mails that told all that waited.
    """
    found = Notice.objects.filter(user=user).select_related("match").order_by("-pk")
    if not with_mails:
        found = found.exclude(kind=Notice.Kind.DIGEST)
    return found if before is None else found.filter(pk__lt=before)


def rematches(match: Match, user: User) -> QuerySet[Match]:
    """Rematches of a match that wait or run, in which the user sits or to which they are invited."""
    begun = match.rematches.filter(status__in=(Match.Status.OPEN, Match.Status.PLAYING))
    asked = Exists(Invitation.objects.waiting(now()).filter(match=OuterRef("pk"), to=user))
    sits = Exists(Seat.objects.filter(match=OuterRef("pk"), user=user))
    found = begun.annotate(asked=asked, sits=sits).filter(Q(sits=True) | Q(asked=True, status=Match.Status.OPEN))
    return found.select_related("created_by").order_by("-sits", "-pk")


def history(user: User, before: tuple[datetime, int] | None = None) -> QuerySet[Seat]:
    """The user's finished matches, the latest first, from behind (finished_at, id) ``before``."""
    seats = Seat.objects.filter(user=user, finished_at__isnull=False, match__game__in=_known()).select_related("match")
    if before is not None:
        moment, pk = before
        seats = seats.filter(Q(finished_at__lt=moment) | Q(finished_at=moment, pk__lt=pk))
    return seats.prefetch_related("match__seats__user").order_by("-finished_at", "-pk")


def recently_finished(number: int = 6) -> QuerySet[Match]:
    """Public matches that ended last."""
    matches = Match.objects.filter(audience=Match.Audience.PUBLIC, finished_at__isnull=False, game__in=_known())
    matches = matches.filter(status=Match.Status.FINISHED).prefetch_related("seats__user")
    return matches.order_by("-finished_at", "-pk")[:number]


def running(game: str = "", before: tuple[datetime, int] | None = None) -> QuerySet[Match]:
    """Public matches that are being played, the last moved first, from behind (moved_at, id) ``before``."""
    matches = Match.objects.filter(audience=Match.Audience.PUBLIC, status=Match.Status.PLAYING, game__in=_known())
    if game:
        matches = matches.filter(game=game)
    if before is not None:
        moment, pk = before
        matches = matches.filter(Q(moved_at__lt=moment) | Q(moved_at=moment, pk__lt=pk))
    return matches.prefetch_related("seats__user").order_by("-moved_at", "-pk")


def tables(wanted: Mapping[str, Any], before: int | None = None) -> QuerySet[Match]:
    """Open matches of the lobby with a seat for anybody (``free`` of them), the newest first, from behind ``before``.

    ``wanted`` are lookups, as ``LobbyFilter`` makes them.
    """
    seats = Seat.objects.filter(match=OuterRef("pk")).order_by()
    kept = Invitation.objects.waiting(now()).filter(match=OuterRef("pk")).exclude(to=None).order_by()
    matches = Match.objects.filter(status=Match.Status.OPEN, listed=True, game__in=_known(), **wanted)
    matches = matches.annotate(free=F("seat_count") - _number_of(seats) - _number_of(kept)).filter(free__gt=0)
    if before is not None:
        matches = matches.filter(pk__lt=before)
    return matches.prefetch_related("seats__user").order_by("-pk")


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """How many rows a query about ``OuterRef("pk")`` finds."""
    return Coalesce(Subquery(rows.values("match").annotate(number=Count("pk")).values("number")), 0)
