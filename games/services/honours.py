"""Achievements, found with every match that ends for those who have played in it."""

from __future__ import annotations

from datetime import timedelta

from accounts.models import User
from games import achievements
from games.models import Achievement, Match
from games.services import tallies

LATER = timedelta(minutes=3)
"""Matches are looked at so long after they ended: by then they are rated."""


def update() -> int:
    """Takes up the matches that have ended since the last time; their number."""
    return tallies.follow("achievements", _take, lag=LATER)


def rebuild() -> int:
    """Forgets all achievements and finds them again in the history; the number of matches."""
    return tallies.again("achievements", Achievement.objects.all().delete, _take, lag=LATER)


def _take(matches: list[Match]) -> None:
    users = {seat.user_id for match in matches for seat in match.seats.all() if seat.user.kind == User.Kind.PERSON}
    had = set(Achievement.objects.filter(user__in=users).values_list("user", "name"))
    found = []
    for user in sorted(users):
        for one in achievements.ALL:
            if (user, one.name) not in had and (moment := one.earned(user)) is not None:
                found.append(Achievement(user_id=user, name=one.name, at=moment))
    Achievement.objects.bulk_create(found, ignore_conflicts=True)
