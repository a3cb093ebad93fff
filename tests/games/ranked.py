"""People with ratings, as the fold leaves them, without the matches."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from accounts.models import User
from games.models import RankingRun, Rating
from games.ratings import Skill
from games.services import rankings


def rated(user: User, mu: float, at: datetime, sigma: float = 2.0, family: str = "red", matches: int = 20) -> Rating:
    """The rating of a user after a match at ``at``."""
    until = at + timedelta(days=Skill(mu, sigma).sure_days)
    return Rating.objects.create(
        user=user, family=family, mu=mu, sigma=sigma, matches=matches, last_at=at, sure_until=until
    )


def anew() -> int:
    """Makes the rankings anew whether or not anything was rated."""
    RankingRun.objects.update(newest=2**40)
    return rankings.refresh()


def by_hand(rows: Iterable[Rating], moment: datetime) -> dict[int, tuple[int, int, int | None]]:
    """Section, position and rank of each user, in plain loops."""
    sections: dict[int, list[Rating]] = {0: [], 1: [], 2: []}
    for row in rows:
        if row.matches and row.user.kind == "person" and row.user.is_active:
            section = 0 if row.sure_until > moment else 1 if row.skill.provisional else 2
            sections[section].append(row)
    found = {}
    for section, rated_ones in sections.items():
        rated_ones.sort(key=lambda row: (-row.mu, row.user_id))
        for position, row in enumerate(rated_ones, start=1):
            better = sum(other.skill.shown > row.skill.shown for other in rated_ones)
            found[row.user_id] = (section, position, None if section else better + 1)
    return found
