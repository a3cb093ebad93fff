"""What a visitor's lists show: my turns, my matches, history, what can be watched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    Window,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce, RowNumber

from accounts.models import User
from games import registry
from games.models import Consent, Departure, Invitation, Match, Move, Notice, Nudge, Seat
from games.now import now

PAGE = 20
"""Rows on one page of a list."""

REMEMBERED = timedelta(days=7)
"""How long a match that came to nothing stays on the lists of who sat there."""

MOST = 300
"""The longest list that is shown on one page: running matches of one user."""


def known() -> list[str]:
    """The games of this site: a match of one that was taken away cannot be shown."""
    return list(registry.all_titles())


def _mine(user: User) -> QuerySet[Seat]:
    """The user's seats in matches without a result: they are found by ``finished_at``, however many are over."""
    seats = Seat.objects.filter(user=user, finished_at=None, left_version=None, match__game__in=known())
    seats = seats.select_related("match")
    return seats.prefetch_related("match__seats__user")


def my_turns(user: User) -> QuerySet[Seat]:
    """The seats whose turn it is, the most urgent first: the one query behind badge, title and lists."""
    seats = _mine(user).filter(match__status=Match.Status.PLAYING, match__active_seat=F("number"))
    seats = seats.filter(match__paused_at=None)
    return seats.order_by(F("match__deadline").asc(nulls_last=True), "match_id")


def next_turn(user: User, after: Match) -> list[Seat]:
    """The seats, with users and match, of the most urgent other match that waits for the user; empty if none does."""
    first = my_turns(user).exclude(match=after).values("match")[:1]
    return list(Seat.objects.filter(match=Subquery(first)).select_related("match", "user"))


def waiting_for_others(user: User) -> QuerySet[Seat]:
    """The seats in running matches where somebody else is to move, or nobody in a pause, the last moved first."""
    seats = _mine(user).filter(match__status=Match.Status.PLAYING)
    seats = seats.exclude(match__active_seat=F("number"), match__paused_at=None)
    return seats.order_by(F("match__moved_at").desc(nulls_last=True), "match_id")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a player wants of the others beside the game: ``what`` is "pause", "cancel", "nudge" or "grant".

    ``who`` is a seat; for a nudge, a user. ``row`` is its own number, ``version`` that of the turn it is about.
    """

    what: str
    who: int
    row: int
    at: datetime
    version: int


def asked(match: Match) -> list[Asked]:
    """Proposals, reminders in the present decision or the day before it, and all grants of time; by one query."""
    consents = Consent.objects.filter(match=match).values_list("kind", "seat", "pk", "at", Value(0))
    lately = (match.decision_at or match.created_at) - timedelta(days=1)
    nudges = Nudge.objects.filter(match=match, at__gt=lately)
    grants = Move.objects.filter(match=match, kind=Move.Kind.CLOCK, by=Move.By.USER).order_by()
    rows = consents.union(
        nudges.values_list(Value("nudge"), "by", "pk", "at", "version"),
        grants.values_list(Value("grant"), "seat", "number", "at", Value(0)),
        all=True,
    )
    return sorted((Asked(*row) for row in rows), key=lambda one: (one.at, one.row))


def calls(user: User) -> dict[int, set[str]]:
    """By running match: "nudge" where the user is asked to move, and the kinds of proposals that wait for them."""
    mine = {"match__status": Match.Status.PLAYING, "match__seats__user": user, "match__seats__left_version": None}
    consents = Consent.objects.filter(**mine).values_list("match", "kind", "seat", "match__seats__number")
    nudges = Nudge.objects.filter(to=user, version=F("match__since_version"), match__status=Match.Status.PLAYING)
    rows = consents.union(nudges.values_list("match", Value("nudge"), Value(-1), Value(0)), all=True)
    found: dict[int, set[str]] = {}
    agreed = set()
    for match, what, seat, own in rows:
        found.setdefault(match, set()).add(what)
        agreed |= {(match, what)} if seat == own else set()
    return {match: {what for what in whats if (match, what) not in agreed} for match, whats in found.items()}


def together(*found: QuerySet[Seat]) -> list[list[Seat]]:
    """The rows of several lists, with the seats and users of all their matches by two queries."""
    rows = [list(each.prefetch_related(None)) for each in found]
    prefetch_related_objects([seat.match for each in rows for seat in each], "seats__user")
    return rows


def stopped(user: User) -> QuerySet[Seat]:
    """The seats in matches that a fault of ours stopped."""
    return _mine(user).filter(match__status=Match.Status.QUARANTINED).order_by("match_id")


def not_started(user: User) -> QuerySet[Seat]:
    """The seats in matches that still wait for players, the newest first."""
    seats = _mine(user).filter(match__status=Match.Status.OPEN).prefetch_related("match__invitations__to")
    return seats.order_by("-match_id")


def invitations(user: User) -> QuerySet[Invitation]:
    """What the user is invited to and has not answered, the newest first."""
    found = Invitation.objects.waiting(now()).filter(to=user, match__status=Match.Status.OPEN, match__game__in=known())
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


def left(user: User) -> QuerySet[Seat]:
    """The seats in running matches that the user has left and that nobody else has got, the latest left first."""
    seats = Seat.objects.filter(user=user, finished_at=None, left_version__isnull=False)
    seats = seats.filter(match__status=Match.Status.PLAYING, match__game__in=known())
    seats = seats.select_related("match").prefetch_related("match__seats__user")
    return seats.order_by("-match__moved_at", "-match_id")


@dataclass(frozen=True)
class Former:
    """Who had a seat before row ``until``, by which somebody else took it over."""

    seat: int
    until: int
    user_id: int
    name: str


def former(match: Match) -> list[Former]:
    """Who had seats that others took over, in the order of that; asked only where it can have happened."""
    return formers([match]).get(match.pk, [])


def formers(matches: Iterable[Match]) -> dict[int, list[Former]]:
    """The same for several matches by one query, by match; those without any are not in it."""
    asked = {match.pk for match in matches if match.leave_policy == Match.LeavePolicy.SUBSTITUTE}
    found: dict[int, list[Former]] = {}
    if asked:
        handed_on = Departure.objects.filter(match__in=asked, taken_over__isnull=False).select_related("user")
        for one in handed_on.order_by("taken_over"):
            had = Former(one.seat, one.taken_over or 0, one.user_id, one.user.name)
            found.setdefault(one.match_id, []).append(had)
    return found


def vacant(user: User | None, wanted: Mapping[str, Any]) -> QuerySet[Match]:
    """Running matches with a seat that ``user`` may take over, as everybody may find them, the newest first.

    ``wanted`` are lookups, as ``LobbyFilter`` makes them.
    """
    free = Seat.objects.filter(vacant_until__isnull=False).values("match")
    seen = Q(audience=Match.Audience.PUBLIC) | Q(listed=True)
    matches = Match.objects.filter(seen, pk__in=free, status=Match.Status.PLAYING, game__in=known(), **wanted)
    if user is not None:
        matches = matches.exclude(seats__user=user).exclude(departures__user=user)
    return matches.prefetch_related("seats__user").order_by("-pk")


def recently_finished(number: int = 6, game: str = "") -> QuerySet[Match]:
    """Public matches that ended last, of all games or of one."""
    matches = Match.objects.filter(audience=Match.Audience.PUBLIC, finished_at__isnull=False, game__in=known())
    matches = matches.filter(status=Match.Status.FINISHED).prefetch_related("seats__user")
    if game:
        matches = matches.filter(game=game)
    return matches.order_by("-finished_at", "-pk")[:number]


def running(game: str = "", before: tuple[datetime, int] | None = None) -> QuerySet[Match]:
    """Public matches that are being played, the last moved first, from behind (moved_at, id) ``before``."""
    matches = Match.objects.filter(audience=Match.Audience.PUBLIC, status=Match.Status.PLAYING, game__in=known())
    if game:
        matches = matches.filter(game=game)
    if before is not None:
        moment, pk = before
        matches = matches.filter(Q(moved_at__lt=moment) | Q(moved_at=moment, pk__lt=pk))
    return matches.prefetch_related("seats__user").order_by("-moved_at", "-pk")


def played_now(users: Collection[int], number: int) -> list[Seat]:
    """At most so many seats of each user in public matches that are being played, the last moved first."""
    seats = Seat.objects.filter(user__in=users, finished_at=None, left_version=None, match__game__in=known())
    seats = seats.filter(match__audience=Match.Audience.PUBLIC, match__status=Match.Status.PLAYING)
    latest = (F("match__moved_at").desc(), F("match").desc())
    # The rank is found for bare rows: with all their columns the query takes long to be made.
    ranked = seats.annotate(rank=Window(RowNumber(), partition_by="user", order_by=latest)).filter(rank__lte=number)
    seats = Seat.objects.filter(pk__in=ranked.values("pk")).select_related("match", "user")
    seats = seats.prefetch_related("match__seats__user")
    return list(seats.order_by("user", *latest)) if users else []


def tables(wanted: Mapping[str, Any], before: int | None = None, also: Q | None = None) -> QuerySet[Match]:
    """Open matches of the lobby with a seat for anybody (``free`` of them), the newest first, from behind ``before``.

    ``wanted`` are lookups, as ``LobbyFilter`` makes them, and ``also`` is what else must hold.
    """
    seats = Seat.objects.filter(match=OuterRef("pk")).order_by()
    kept = Invitation.objects.waiting(now()).filter(match=OuterRef("pk")).exclude(to=None).order_by()
    matches = Match.objects.filter(status=Match.Status.OPEN, listed=True, game__in=known(), **wanted)
    matches = matches.annotate(free=F("seat_count") - _number_of(seats) - _number_of(kept)).filter(free__gt=0)
    if before is not None:
        matches = matches.filter(pk__lt=before)
    if also is not None:
        matches = matches.filter(also)
    return matches.prefetch_related("seats__user").order_by("-pk")


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """How many rows a query about ``OuterRef("pk")`` finds."""
    return Coalesce(Subquery(rows.values("match").annotate(number=Count("pk")).values("number")), 0)
