"""How reliably and how fast somebody plays, in words: "finishes 98 % of matches, usually answers in 5 h, evenings"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games import people
from games.models import Pace

FEWEST = 5
"""Of so many matches at least a share is told."""

MOSTLY = 0.5
"""A part of the day is named if such a share of the answers falls into it."""

PARTS = (_("at night"), _("in the morning"), _("in the afternoon"), _("in the evening"))
"""The parts of a day, six hours each from midnight on."""


@dataclass(frozen=True)
class Told:
    """What is said of somebody's pace, in parts; empty parts where there is too little to go by."""

    share: int | None
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it as one line."""
        return ", ".join(self.parts)


def of(user: User) -> Told:
    """What is said of a user; whether the reader may know of them is for the caller to settle."""
    row = Pace.objects.filter(user=user).first()
    return told(row) if row else Told(None, ())


def of_many(users: Iterable[int], viewer: people.Viewer) -> dict[int, Told]:
    """What is said of users whose profiles the viewer may see, where there is anything to say; by one query."""
    rows = Pace.objects.filter(people.visible_to(viewer, "user__"), user__in=set(users))
    found = {row.user_id: told(row) for row in rows}
    return {user: one for user, one in found.items() if one.parts}


def told(row: Pace) -> Told:
    """What is said of a row."""
    total, parts = row.finished + row.left, list[str]()
    share = 100 * row.finished // total if total >= FEWEST else None
    if share is not None:
        parts.append(gettext("finishes %(share)d %% of matches") % {"share": share})
    if row.minutes is not None:
        parts.append(gettext("usually answers %(span)s") % {"span": _span(row.minutes)})
        if part := _mostly(row.hours):
            parts.append(part)
    return Told(share, tuple(parts))


def _span(minutes: int) -> str:
    if minutes < 60:
        return gettext("within an hour")
    if minutes < 48 * 60:
        return gettext("in %(hours)d h") % {"hours": round(minutes / 60)}
    return gettext("in %(days)d d") % {"days": round(minutes / 1440)}


def _mostly(hours: list[int]) -> str:
    """The part of the day in which most answers fall; "" if they are spread."""
    parts = [sum(hours[first : first + 6]) for first in range(0, 24, 6)]
    most = max(parts, default=0)
    return str(PARTS[parts.index(most)]) if most and most >= MOSTLY * sum(parts) else ""


def finishes(percent: int, at: str = "") -> Q:
    """That somebody finishes at least such a share of their matches, as a condition on paces; ``at`` leads there.

    Who has left none does, whatever is behind them: everybody was new once.
    """
    enough = F(f"{at}left") * (percent / (100 - percent))
    return Q(**{f"{at}pk": None}) | Q(**{f"{at}left": 0}) | Q(**{f"{at}finished__gte": enough})
