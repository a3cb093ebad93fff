"""Cards as the table shows them: values with their share of the scale, and what the back is. Pure."""

from __future__ import annotations

from typing import Any

from games.titles.power_cards.deck import CATAPULT, PROPERTIES, Deck


def face(game: Any, card: str, named: str | None = None, steps: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a card shows; ``named`` is lit, and what is among ``steps`` can be called."""
    values = game.deck[card]
    return {
        "card": card,
        "catapult": values.catapult,
        "aimed": named == CATAPULT,
        "look": look(game.deck, card),
        "rows": [
            {
                "named": each,
                "value": values.value(each),
                "most": game.scales[each],
                "share": share(game, card, each),
                "lit": each == named,
                "step": f"call {each}" if f"call {each}" in steps else "",
            }
            for each in PROPERTIES
        ],
    }


def look(deck: Deck, card: str) -> str:
    """The name of the picture of a card's back: ``wood-vertical``, or ``piggy``."""
    return "-".join(filter(None, (deck[card].material, deck[card].part)))


def share(game: Any, card: str, named: str) -> int:
    """How much of a property's scale a card has, in percent."""
    value: int = game.deck[card].value(named)
    most: int = game.scales[named]
    return round(100 * value / most)
