"""What a visitor's lists show: my turns, my matches, history, what can be watched."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, Q, QuerySet

from accounts.models import User
from games import registry
from games.models import Match, Seat

PAGE = 20
"""Rows on one page of a list."""

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


def waiting_for_others(user: User) -> QuerySet[Seat]:
    """The seats in running matches where somebody else is to move, the last moved first."""
    seats = _mine(user).filter(match__status=Match.Status.PLAYING).exclude(match__active_seat=F("number"))
    return seats.order_by(F("match__moved_at").desc(nulls_last=True), "match_id")


def stopped(user: User) -> QuerySet[Seat]:
    """The seats in matches that a fault of ours stopped."""
    return _mine(user).filter(match__status=Match.Status.QUARANTINED).order_by("match_id")


def not_started(user: User) -> QuerySet[Seat]:
    """The seats in matches that still wait for players, the newest first."""
    return _mine(user).filter(match__status=Match.Status.OPEN).order_by("-match_id")


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


def running(number: int = 6) -> QuerySet[Match]:
    """Public matches that are being played, the newest first."""
    matches = Match.objects.filter(audience=Match.Audience.PUBLIC, status=Match.Status.PLAYING, game__in=_known())
    return matches.prefetch_related("seats__user").order_by("-started_at", "-pk")[:number]
