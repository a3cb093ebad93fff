"""Whom whoever makes a match for the lobby wants to play with: by rating, and by the share of matches finished.

It holds for who comes from the lobby, also to a seat that was left; whom they invite themselves, by name or link, is
welcome in any case.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext

from accounts.models import User
from games.models import Match, Pace, Rating
from games.ratings import Skill
from games.services.errors import Refused

SHARES = (50, 75, 90, 95)
"""The shares that can be asked for, in per cent."""

LOWEST, HIGHEST = 0, 4000
"""Between these lie the ratings that can be asked for."""


class NotWanted(Refused):
    """The match is for others; the sentence says for whom."""

    code = "not_wanted"


@dataclass(frozen=True)
class Record:
    """What conditions are held against: ratings as they are shown, by family, and matches finished and left."""

    ratings: dict[str, int] = field(default_factory=dict)
    finished: int = 0
    left: int = 0

    def rating(self, family: str) -> int:
        """The rating in a family; everybody's first where there is none yet."""
        return self.ratings.get(family, Skill().shown)


def record_of(user: User | None) -> Record:
    """The record of a user, by two queries; that of somebody new for nobody."""
    if user is None:
        return Record()
    ratings = {row.family: row.skill.shown for row in Rating.objects.filter(user=user)}
    pace = Pace.objects.filter(user=user).first()
    return Record(ratings, pace.finished, pace.left) if pace else Record(ratings)


def why_not(match: Match, record: Record) -> str:
    """Why somebody with this record may not sit down from the lobby, as a sentence; "" if they may."""
    own = record.rating(match.title.family(match.options))
    low, high, share = match.rating_from, match.rating_to, match.finish_share
    if (low is not None and own < low) or (high is not None and own > high):
        text = gettext("This match is for ratings %(range)s; yours is %(own)d.")
        return text % {"range": told(low, high), "own": own}
    if share is not None and record.finished * (100 - share) < record.left * share:
        return gettext("This match is for players who finish at least %(share)d %% of theirs.") % {"share": share}
    return ""


def told(low: int | None, high: int | None) -> str:
    """A range of ratings in words; "" for none."""
    numbers = {"low": low, "high": high}
    if low is not None and high is not None:
        return gettext("from %(low)d to %(high)d") % numbers
    if low is not None:
        return gettext("from %(low)d on") % numbers
    return gettext("up to %(high)d") % numbers if high is not None else ""


def asked(match: Match) -> list[str]:
    """Whom a match of the lobby is for, in words; empty for everybody."""
    found = []
    if ratings := told(match.rating_from, match.rating_to):
        found.append(gettext("for ratings %(range)s") % {"range": ratings})
    if match.finish_share is not None:
        text = gettext("for players who finish at least %(share)d %% of theirs")
        found.append(text % {"share": match.finish_share})
    return found


def check(match: Match, user: User | None) -> None:
    """Raises NotWanted if the user (None: who is nobody yet) may not sit down from the lobby."""
    if match.finish_share is None and match.rating_from is None and match.rating_to is None:
        return
    if reason := why_not(match, record_of(user)):
        raise NotWanted(reason)
