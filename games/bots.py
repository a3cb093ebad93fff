"""What every bot gets, and how its answer becomes a turn. Pure.

A bot never sees a state of the match: it gets the observation of its seat,
imagines a state from it, and returns steps. So it cannot cheat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.chance import Chance
from games.engine import Game

Bot = Callable[[Game[Any], dict[str, Any], Chance], list[str]]
"""(game, observation of the active seat, fresh chance) -> the steps of one post: a whole turn, or up to a reveal."""


def random_bot(game: Game[Any], observation: dict[str, Any], chance: Chance) -> list[str]:
    """Uniform over the legal steps until the seat is no longer active: the yardstick for every other bot."""
    state = game.imagine(observation, chance)
    seat = game.active_seat(state)
    steps = []
    while game.active_seat(state) == seat:
        legal = game.legal_moves(state)
        step = legal[chance.roll(len(legal))]
        steps.append(step)
        state, _news = game.apply(state, step)
    return steps
