"""What players have done once, as questions to the history: asked again they give the same moment.

Only matches with other people count, played to their end; guests do not, whom anybody can make for themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, Min, OuterRef, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import registry
from games.models import OVERALL, Achievement as Row, Departure, RatingChange, Seat
from games.ratings import SCALE

STRONGER = 200
"""So many points more a player has whom to beat is remarkable."""

OPPONENTS, MANY, FULL = 10, 100, 4

FIRST = 500
"""In so many of somebody's first matches opponents are looked for: who has met ten has met them by then."""

A_YEAR = timedelta(days=365)


def _seats(user: int) -> QuerySet[Seat]:
    """The user's seats in matches with people that are over, the first ones first."""
    others = Seat.objects.filter(match=OuterRef("match"), user__kind=User.Kind.PERSON).exclude(user=user)
    played = Seat.objects.filter(user=user, finished_at__isnull=False, left_version=None)
    return played.filter(Exists(others.order_by())).order_by("finished_at", "match_id")


def _wins(user: int) -> QuerySet[Seat]:
    return _seats(user).filter(place=1)


def _moment(seats: QuerySet[Seat], number: int = 1) -> datetime | None:
    """When the seat of that number came; None if there are fewer."""
    found = seats.values_list("finished_at", flat=True)[number - 1 : number]
    return next(iter(found), None)


def _every_game(user: int) -> datetime | None:
    """When there was a win in each game of the site."""
    games = list(registry.all_titles())
    first = _wins(user).filter(match__game__in=games).order_by().values("match__game").annotate(at=Min("finished_at"))
    moments = [row["at"] for row in first]
    return max(moments) if len(moments) == len(games) else None


def _opponents(user: int) -> datetime | None:
    """When the tenth opponent was met, within the first matches."""
    matches = list(_seats(user).values_list("match", flat=True)[:FIRST])
    others = Seat.objects.filter(match__in=matches).exclude(user=user)
    met = others.filter(user__kind=User.Kind.PERSON).order_by().values("user").annotate(at=Min("finished_at"))
    return next(iter(met.order_by("at").values_list("at", flat=True)[OPPONENTS - 1 : OPPONENTS]), None)


def _giant(user: int) -> datetime | None:
    """When somebody was left behind whose rating was far higher; by what both had before the match."""
    results = RatingChange.objects.filter(kind=RatingChange.Kind.RESULT).exclude(family=OVERALL)
    beaten = results.filter(match=OuterRef("match"), family=OuterRef("family"), place__gt=OuterRef("place"))
    beaten = beaten.filter(mu_before__gte=OuterRef("mu_before") + STRONGER / SCALE)
    mine = results.filter(user=user, place=1).filter(Exists(beaten))
    return next(iter(mine.order_by("at").values_list("at", flat=True)[:1]), None)


def _comeback(user: int) -> datetime | None:
    """When a match was won that the user had left by running out of time."""
    late = Departure.objects.filter(user=user, how=Departure.How.TIMEOUT, match=OuterRef("match"))
    return _moment(_wins(user).filter(Exists(late.exclude(returned_at=None))))


def _year(user: int) -> datetime | None:
    """When a match ended a year after the first."""
    first = _moment(_seats(user))
    return None if first is None else _moment(_seats(user).filter(finished_at__gte=first + A_YEAR))


@dataclass(frozen=True)
class Achievement:
    """Something to be done once: its title, what it is, and when a user has done it by the history, if so."""

    name: str
    title: Promise | str
    words: Promise | str
    earned: Callable[[int], datetime | None]


ALL = (
    Achievement("first", _("To the end"), _("Finished a match with other people."), lambda user: _moment(_seats(user))),
    Achievement("win", _("First blood"), _("Won a match with other people."), lambda user: _moment(_wins(user))),
    Achievement("games", _("At home everywhere"), _("Won a match of every game here."), _every_game),
    Achievement(
        "full",
        _("King of the table"),
        _("Won at a table of four."),
        lambda user: _moment(_wins(user).filter(match__seat_count=FULL)),
    ),
    Achievement("opponents", _("Well known"), _("Played with ten different people."), _opponents),
    Achievement("giant", _("Giant killer"), _("Won against a player rated 200 points higher."), _giant),
    Achievement("comeback", _("Comeback"), _("Ran out of time, came back and won."), _comeback),
    Achievement("many", _("A hundred"), _("Finished a hundred matches."), lambda user: _moment(_seats(user), MANY)),
    Achievement("year", _("Round the sun"), _("Still playing a year after the first match."), _year),
)
"""All there are, in the order in which they are shown."""


@dataclass(frozen=True)
class Earned:
    """What a user has done, in words, and when."""

    title: Promise | str
    words: Promise | str
    at: datetime


def of(user: User) -> list[Earned]:
    """What a user has done, by one query; whether the reader may know of them is for the caller to settle."""
    moments = dict(Row.objects.filter(user=user).values_list("name", "at"))
    return [Earned(one.title, one.words, moments[one.name]) for one in ALL if one.name in moments]
