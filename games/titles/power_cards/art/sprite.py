"""The sprite of all creatures. Pure."""

from __future__ import annotations

from pathlib import Path

from games.titles.power_cards.art import furry, hard, soft

FILE = Path(__file__).parent.parent / "static" / "power_cards" / "creatures.svg"


def sprite() -> str:
    """The text of the file: a symbol a card, by the cards' ids, in their order."""
    symbols = sorted((*furry.ALL, *hard.ALL, *soft.ALL))
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"
