"""Automatic moves of Power Cards. Pure."""

from __future__ import annotations

from typing import Any, cast

from games.chance import Chance
from games.engine import Game
from games.titles.power_cards.bot import best_share
from games.titles.power_cards.rules import PowerCards
from games.titles.power_cards.state import State
from games.wishes import Wish
from games.wording import mark as _


def call_best(game: Game[Any], observation: dict[str, Any], chance: Chance) -> list[str] | None:
    """The call of the property in which the top card has its best share; None where something else is asked.

    What to build, which part to draw and whether to end quicker is decided by who plays: the wish is about calls.
    """
    state: State = game.imagine(observation, chance)
    if state.phase != "call" or state.active is None:
        return None
    mine = state.seats[state.active]
    return [f"call {best_share(cast(PowerCards, game), mine.drawn or mine.top or '')[1]}"]


WISHES = {
    "best_share": Wish(
        _("Always name the property with my best share"),
        _("Of its scale: 15 of 20 is more than 80 of 120. You still build, and answer offers, yourself."),
        call_best,
    )
}
