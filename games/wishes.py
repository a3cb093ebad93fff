"""Moves that a player wants made without being asked. Pure.

A wish gets what a bot gets, the observation of the seat to move, so it cannot tell more than its player knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.chance import Chance
from games.engine import MAX_STEPS, Game
from games.wording import mark as _


@dataclass(frozen=True, slots=True)
class Wish:
    """A kind of move on offer: how it is called, what is to be known besides, and the move.

    ``steps`` is given the game, the observation of the active seat and fresh chance, and answers with the steps of
    one post, as a bot does, or with None where the wish says nothing about the position.
    """

    label: str
    help: str
    steps: Callable[[Game[Any], dict[str, Any], Chance], list[str] | None]


def only_turn(game: Game[Any], observation: dict[str, Any], chance: Chance) -> list[str] | None:
    """The whole turn, or all of it up to a reveal, if there is no choice anywhere in it; else None."""
    state = game.imagine(observation, chance)
    seat = game.active_seat(state)
    steps: list[str] = []
    while game.active_seat(state) == seat:
        legal = game.legal_moves(state)
        if len(legal) != 1 or len(steps) == MAX_STEPS:
            return None
        steps.append(legal[0])
        state, _news = game.apply(state, legal[0])
    return steps


EVERYWHERE: Mapping[str, Wish] = {
    "only": Wish(_("Make my move if I have only one"), _("Where nothing is left to choose."), only_turn)
}
"""What every game offers, by the names under which wishes are stored."""
