"""Automatic moves of Red. Pure."""

from __future__ import annotations

from typing import Any

from games.chance import Chance
from games.engine import Game
from games.titles.red import turns
from games.titles.red.state import State
from games.wishes import Wish
from games.wording import mark as _


def give_up(game: Game[State], observation: dict[str, Any], chance: Chance) -> list[str] | None:
    """PASS if no turn ends in the lead with the cards of the hand; else None."""
    state = game.imagine(observation, chance)
    # Without a deck there is nothing to draw: what is legal then leads without the luck of a 3.
    sure = turns.legal_steps(state.but(deck=(), known_top=0))
    return ["PASS"] if sure == ["PASS"] else None


WISHES = {
    "give_up": Wish(
        _("Give up the round if I cannot lead"), _("Also where a 3 might still draw a card that saves me."), give_up
    )
}
