"""Ratings as values: how strong a player is by the results, and how sure that is. Pure.

Plackett-Luce in the form of the openskill library, for free-for-alls of any
size. A skill is a normal distribution; everybody begins with the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import exp, floor, hypot, sqrt
from typing import Any

MU, SIGMA = 25.0, 25.0 / 3
"""Everybody's skill before the first match."""

SURE = 4.0
"""A rating is provisional as long as its sigma is larger."""

FADING = 0.16
"""By how much certainty fades: the variance grows by its square with every day without a match."""

CENTRE, SCALE = 1500, 40
"""How a skill is shown: 1500 for everybody's first, 40 for one of openskill's points."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is known of a player: the middle and the width of a normal distribution."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        """The rating as it is shown; a half is rounded up, as databases can do it, too."""
        return floor(CENTRE + SCALE * (self.mu - MU) + 0.5)

    @property
    def provisional(self) -> bool:
        """Whether it is shown with a question mark."""
        return self.sigma > SURE

    def rested(self, days: float) -> Skill:
        """The skill after so many days without a match: as strong, but less certain; never less than at the start."""
        return Skill(self.mu, min(hypot(self.sigma, FADING * sqrt(max(days, 0.0))), max(SIGMA, self.sigma)))

    @property
    def sure_days(self) -> float:
        """After how many days without a match it is provisional; 0 if it is already."""
        return max(SURE**2 - self.sigma**2, 0.0) / FADING**2


@cache
def _model() -> Any:
    """The library's model; imported when it is needed, since pages show ratings without it."""
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA)


def rate(before: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """The skills after a match in which the players took these places (ties share); in the same order.

    Raises ValueError for fewer than two players or a place for nobody.
    """
    if len(before) < 2 or len(before) != len(places):
        raise ValueError("a result needs two players, and a place for each")
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in before]
    return [Skill(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=list(places))]


def expected(skills: Sequence[Skill]) -> list[float]:
    """The place each player may expect against the others, from 1 to their number: the mean of all orders by chance.

    Plackett-Luce: the first is drawn in proportion to exp(mu / c), the second among the rest in the same way, and so
    on; c grows with what is not known.
    """
    beta = SIGMA / 2
    spread = sqrt(sum(skill.sigma**2 + beta**2 for skill in skills))
    weights = [exp(skill.mu / spread) for skill in skills]
    means = [0.0] * len(skills)
    for order in permutations(range(len(skills))):
        left, chance = sum(weights), 1.0
        for player in order:
            chance *= weights[player] / left
            left -= weights[player]
        for place, player in enumerate(order, start=1):
            means[player] += chance * place
    return means


def undone(now: Skill, before: Skill, after: Skill) -> Skill:
    """The skill without what one match, later annulled, had moved: the compensating entry."""
    variance = now.sigma**2 + max(before.sigma**2 - after.sigma**2, 0.0)
    return Skill(now.mu - (after.mu - before.mu), min(sqrt(variance), SIGMA))
