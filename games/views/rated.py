"""The arithmetic of a rated result, as the page of the match shows it; or why there is none."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, ExpressionWrapper
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from games import rankings
from games.access import Table, Visitor
from games.models import Annulment, RatingChange
from games.people import visible_to
from games.ratings import Skill


@dataclass(frozen=True)
class Sum:
    """What became of the rating of one player. ``told`` is false where the numbers are not for this viewer."""

    name: str
    mine: bool
    place: int | None
    before: Skill
    after: Skill
    why: str
    told: bool


@dataclass(frozen=True)
class Sums:
    """What became of the ratings in one family; ``back`` if it is what an annulment took back."""

    label: str
    back: bool
    rows: list[Sum]


def context(table: Table, visitor: Visitor) -> dict[str, Any]:
    """What the page of a finished match says of the ratings; one query for a rated one, none for any other."""
    match = table.match
    if not match.rated:
        return {"why_not": why_not(table)}
    told = ExpressionWrapper(visible_to(visitor, "user__"), BooleanField())
    found = RatingChange.objects.filter(match=match).annotate(told=told).select_related("user", "match__annulment")
    changes: list[RatingChange] = list(found.order_by("pk"))
    return {"waits": not changes, "sums": _sums(table, changes), "annulment": _annulment(changes)}


def why_not(table: Table) -> str | Promise:
    """Why a match is not rated."""
    if any(seat.user.is_bot for seat in table.seats):
        return _("Not rated: a bot played from the start.")
    if table.match.clock.none:
        return _("Not rated: there was no clock.")
    if any(seat.user.is_guest for seat in table.seats):
        return _("Not rated: a guest played, and ratings need accounts.")
    return _("Not rated: it was started as an unrated match.")


def _annulment(changes: list[RatingChange]) -> Annulment | None:
    return getattr(changes[0].match, "annulment", None) if changes else None


def _sums(table: Table, changes: list[RatingChange]) -> list[Sums]:
    """The sums by family, that of the game first, and what took them back behind them."""
    labels = rankings.families()
    own = table.match.title.family(table.match.options)
    among = table.mine is not None  # who played knows with whom
    places = {change.user_id: change.place or 0 for change in changes if change.place}
    groups: dict[tuple[str, str], list[RatingChange]] = {}
    for change in changes:
        groups.setdefault((change.kind, change.family), []).append(change)
    found = []
    for (kind, family), rows in sorted(groups.items(), key=lambda item: (item[0][0] != "result", item[0][1] != own)):
        shared = Counter(row.place for row in rows)
        sums = [
            Sum(
                name=row.user.name,
                mine=table.mine is not None and row.user_id == table.mine.user_id,
                place=row.place,
                before=row.before,
                after=row.after,
                why=_why(row, table, shared[row.place] > 1),
                told=among or row.told,  # type: ignore[attr-defined]
            )
            for row in sorted(rows, key=lambda row: (places.get(row.user_id, 0), row.pk))
        ]
        found.append(Sums(labels.get(family, family), kind == RatingChange.Kind.ANNULMENT, sums))
    return found


def _why(change: RatingChange, table: Table, shared: bool) -> str:
    """Why the rating changed as it did, in one or two sentences."""
    if change.kind == RatingChange.Kind.ANNULMENT:
        return gettext("Takes back what the result had moved.")
    facts = {"expected": number_format(change.expected or 0, 1), "place": change.place}
    if (change.place or 0) > table.match.seat_count:
        said = gettext("Expected place %(expected)s; left and was replaced, so counts behind all others.")
    elif any(seat.user_id == change.user_id and seat.left_how for seat in table.seats):
        said = gettext("Expected place %(expected)s; left, which makes it place %(place)s.")
    elif shared:
        said = gettext("Expected place %(expected)s, shared place %(place)s.")
    else:
        said = gettext("Expected place %(expected)s, reached place %(place)s.")
    said %= facts
    if change.before.provisional:
        said += " " + gettext("A provisional rating moves more.")
    return said
