"""What somebody has played and how it went: histories, profiles, and what two have played against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import (
    Exists,
    F,
    FilteredRelation,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
    prefetch_related_objects,
)
from django.db.models.functions import Lower

from accounts.models import User
from games import lists, people, registry
from games.models import Departure, Favourite, Match, Seat
from games.people import Viewer

WON, SHARED, LOST, LEFT = "won", "shared", "lost", "left"
"""How a match went for one player: a first place alone or with others, another one, or left before the end."""

COUNTED = 200
"""Results are counted over so many matches, the latest: a page costs the same however much somebody has played."""

NO_LIMIT = 10**6

CHUNK = 500
"""Matches that an export reads at once."""

Moment = tuple[datetime, int]
"""Where a match stands in a history: when it ended, and its id."""


@dataclass(frozen=True)
class Wanted:
    """Which matches of a history: ``facts`` are lookups of matches, the moments are those of the end."""

    facts: Mapping[str, Any] = field(default_factory=dict)
    opponent: User | None = None
    result: str = ""
    since: datetime | None = None
    until: datetime | None = None  # no longer that moment itself
    starred: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished match of somebody, without a seat where somebody else had it at the end."""

    match: Match
    seat: Seat | None
    starred: bool

    @property
    def result(self) -> str:
        """How it went for them."""
        if self.seat is None:
            return LEFT
        others = [seat.place for seat in self.match.seats.all() if seat.pk != self.seat.pk]
        return result(self.seat.place, self.seat.left_version, others)


def result(place: int | None, left: int | None, others: list[int | None]) -> str:
    """How it went for who got that place, or left with row ``left``; ``others`` are the places of the others."""
    if left is not None:
        return LEFT
    if place != 1:
        return LOST
    return SHARED if 1 in others else WON


def entries(
    user: User, viewer: Viewer, wanted: Wanted | None = None, number: int = lists.PAGE, before: Moment | None = None
) -> list[Entry]:
    """So many finished matches of a user that ``viewer`` may see, the latest first, from behind ``before``.

    The viewer's own, or public ones and those in which the viewer sat as well.
    """
    wanted = wanted or Wanted()
    seats = _finished(user, viewer)
    if wanted.opponent is not None:
        seats = seats.filter(match__in=_of_both(user, wanted.opponent))
    seats = _narrowed(seats, wanted, "", user, viewer, before)
    seats = seats.filter(_of_result(wanted.result)).select_related("match").annotate(starred=_starred(viewer))
    seats = seats.order_by("-finished_at", "-match_id")
    found = [Entry(seat.match, seat, seat.starred) for seat in seats[:number]]
    if wanted.result in ("", LEFT):
        gone = _handed_on(user, viewer)
        if wanted.opponent is not None:
            gone = gone.filter(Exists(_seats_of(wanted.opponent)))
        gone = _narrowed(gone, wanted, "match__", user, viewer, before)
        gone = gone.select_related("match").annotate(starred=_starred(viewer))
        gone = gone.order_by("-match__finished_at", "-match_id")
        found += [Entry(departure.match, None, departure.starred) for departure in gone[:number]]
        found.sort(key=lambda entry: (entry.match.finished_at, entry.match.pk), reverse=True)
    found = found[:number]
    prefetch_related_objects([entry.match for entry in found], "seats__user")
    return found


def opponent(user: User, viewer: Viewer, name: str) -> User | None:
    """Who is called so, as an opponent to ask for in the history of ``user``; None if there is nobody for ``viewer``.

    In their own history those too whose profile is hidden, and bots: their names stand there in any case.
    """
    found = people.find(viewer, name)
    if found is None and viewer == user:
        met = Seat.objects.filter(user=OuterRef("pk"), finished_at__isnull=False, match__seats__user=user)
        named = User.objects.exclude(kind=User.Kind.GUEST).annotate(plain=Lower("username"))
        found = named.filter(Exists(met), plain=name.lower().replace(" ", "-")).first()
    return None if found == user else found


def all_entries(user: User, wanted: Wanted) -> Iterator[Entry]:
    """The user's own history from the first to the last page, of which one at a time is kept in memory."""
    before: Moment | None = None
    while chunk := entries(user, user, wanted, CHUNK, before):
        yield from chunk
        last = chunk[-1].match
        assert last.finished_at is not None  # noqa: S101 - a finished match
        before = last.finished_at, last.pk
        if len(chunk) < CHUNK:
            return


def _finished(user: User, viewer: Viewer) -> QuerySet[Seat]:
    """The seats that the user had at the end of matches that ``viewer`` may see."""
    seats = Seat.objects.filter(user=user, finished_at__isnull=False, match__game__in=lists.known())
    seats = seats.filter(match__origin="")  # what goes on from a record is no match of its own
    return seats.filter(_seen(user, viewer))


def _handed_on(user: User, viewer: Viewer) -> QuerySet[Departure]:
    """The departures of the user whose seat somebody else had at the end, once a match."""
    given = Departure.objects.filter(user=user, taken_over__isnull=False, match__status=Match.Status.FINISHED)
    given = given.filter(match__game__in=lists.known()).exclude(match__seats__user=user)
    return given.filter(_seen(user, viewer))


def _seen(user: User, viewer: Viewer) -> Q:
    """Which matches of the user somebody else may see listed."""
    if viewer is None or not viewer.is_authenticated:
        return Q(match__audience=Match.Audience.PUBLIC)
    if viewer.pk == user.pk:
        return Q()
    return Q(match__audience=Match.Audience.PUBLIC) | Q(Exists(_seats_of(viewer)))


def _seats_of(user: Any) -> QuerySet[Seat]:
    return Seat.objects.filter(match=OuterRef("match"), user=user.pk).order_by()


def _of_both(one: User, other: User) -> QuerySet[Any]:
    """The matches that both have finished, to be asked for by ``match__in``.

    The limit is beyond any number of matches. With it a database makes this list first, from indexes alone, instead of
    looking up every match of one of them.
    """
    others = Seat.objects.filter(user=other).order_by().values("match")
    both = Seat.objects.filter(user=one, finished_at__isnull=False, match__in=others)
    return both.order_by().values("match")[:NO_LIMIT]


def _starred(viewer: Viewer) -> Exists:
    """Whether the row's match is a favourite of ``viewer``."""
    return Exists(Favourite.objects.filter(match=OuterRef("match"), user=viewer.pk if viewer is not None else None))


def _narrowed(
    rows: QuerySet[Any], wanted: Wanted, at: str, user: User, viewer: Viewer, before: Moment | None
) -> QuerySet[Any]:
    """The rows that are wanted, behind ``before``; ``at`` leads to when they ended."""
    rows = rows.filter(**{f"match__{lookup}": value for lookup, value in wanted.facts.items()})
    if wanted.since is not None:
        rows = rows.filter(**{f"{at}finished_at__gte": wanted.since})
    if wanted.until is not None:
        rows = rows.filter(**{f"{at}finished_at__lt": wanted.until})
    if wanted.starred:
        rows = rows.filter(_starred(viewer))
    if before is not None:
        moment, pk = before
        # The first condition is the range that the index is read in, the second leaves out of its end what was shown.
        behind = Q(**{f"{at}finished_at__lt": moment}) | Q(match__lt=pk)
        rows = rows.filter(behind, **{f"{at}finished_at__lte": moment})
    return rows


def _of_result(wanted: str) -> Q:
    """Seats for which it went so; any for ""."""
    first_too = Seat.objects.filter(match=OuterRef("match"), place=1).exclude(pk=OuterRef("pk")).order_by()
    stayed = Q(left_version=None)
    return {
        "": Q(),
        WON: stayed & Q(place=1) & ~Q(Exists(first_too)),
        SHARED: stayed & Q(place=1) & Q(Exists(first_too)),
        LOST: stayed & Q(place__gt=1),
        LEFT: Q(left_version__isnull=False),
    }[wanted]


@dataclass
class Tally:
    """How many matches went how."""

    won: int = 0
    shared: int = 0
    lost: int = 0
    left: int = 0

    def add(self, went: str) -> None:
        """Counts one more."""
        setattr(self, went, getattr(self, went) + 1)

    @property
    def total(self) -> int:
        """All of them."""
        return self.won + self.shared + self.lost + self.left


@dataclass(frozen=True)
class Results:
    """The results of somebody in the latest matches with other people, by what they depended on."""

    whole: Tally = field(default_factory=Tally)
    families: dict[tuple[str, str], Tally] = field(default_factory=dict)  # by game and family
    seats: dict[int, Tally] = field(default_factory=dict)
    opponents: dict[int, Tally] = field(default_factory=dict)  # by user, of all who are no bots
    capped: bool = False


def results(user: User, viewer: Viewer) -> Results:
    """The results in the last COUNTED matches that ``viewer`` may see, without those against bots alone.

    By three queries.
    """
    latest = _finished(user, viewer).order_by("-finished_at", "-match_id")
    facts = ("match__game", "match__options")
    own = list(latest.values_list("match", "number", "place", "left_version", *facts)[:COUNTED])
    gone = _handed_on(user, viewer).order_by("-match__finished_at", "-match_id")
    own += gone.values_list("match", "seat", Value(None, IntegerField()), "version", *facts)[:COUNTED]
    others: dict[int, list[tuple[int, int | None, str]]] = {}
    rows = Seat.objects.filter(match__in=[row[0] for row in own]).exclude(user=user).order_by()
    for match, other, place, kind in rows.values_list("match", "user", "place", "user__kind"):
        others.setdefault(match, []).append((other, place, kind))
    found = Results(capped=len(own) >= COUNTED)
    for match, number, place, left, game, options in own:
        against = [other for other, _place, kind in others.get(match, []) if kind != User.Kind.BOT]
        if not against:
            continue
        went = result(place, left, [other for _user, other, _kind in others[match]])
        counted = [found.whole, found.families.setdefault((game, registry.title(game).family(options)), Tally())]
        counted.append(found.seats.setdefault(number, Tally()))
        for tally in counted + [found.opponents.setdefault(other, Tally()) for other in against]:
            tally.add(went)
    return found


@dataclass
class Balance:
    """Who of two was ahead of the other how often."""

    ahead: int = 0
    level: int = 0
    behind: int = 0

    def add(self, mine: int, theirs: int) -> None:
        """Counts one more match with these places."""
        name = "ahead" if mine < theirs else "behind" if mine > theirs else "level"
        setattr(self, name, getattr(self, name) + 1)

    @property
    def total(self) -> int:
        """All matches."""
        return self.ahead + self.level + self.behind


def between(one: User, other: User, viewer: Viewer) -> dict[tuple[str, str], Balance]:
    """How two stand in the last COUNTED matches of both that ``viewer`` may see, by game and family; one query."""
    rival = FilteredRelation("match__seats", condition=Q(match__seats__user=other))
    rows = _finished(one, viewer).filter(match__in=_of_both(one, other))
    rows = rows.annotate(rival=rival).filter(rival__isnull=False)
    rows = rows.order_by("-finished_at", "-match_id")
    found: dict[tuple[str, str], Balance] = {}
    facts = rows.values_list("match__game", "match__options", F("place"), F("rival__place"))[:COUNTED]
    for game, options, mine, theirs in facts:
        found.setdefault((game, registry.title(game).family(options)), Balance()).add(mine, theirs)
    return found
