"""The cards of Power Cards, read from the data file beside this module. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

PROPERTIES = ("speed", "strength", "wits", "courage")
"""What a caller may name, in the order printed on a card."""

CATAPULT = "catapult"
"""The fifth value: compared in catapult rounds only, and never named."""

MATERIALS = ("wood", "stone", "ice")
UPRIGHT, CROSS, PIGGY = "vertical", "horizontal", "piggy"
"""What a back shows: an upright or a cross part of one material, or a piggy, which has none."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its five values, and the building part on its back. ``number`` is its place in the printed order."""

    number: int
    name: str
    speed: int
    strength: int
    wits: int
    courage: int
    catapult: int
    part: str
    material: str
    """One of MATERIALS; "" for a piggy."""

    def value(self, named: str) -> int:
        """The value of a property or of the catapult."""
        value: int = getattr(self, named)
        return value


Deck = Mapping[str, Card]
"""Cards by id, in printed order."""


def read(path: Path) -> dict[str, Card]:
    """The cards of a data file, by id in the order of its lines. Raises OSError, KeyError or ValueError."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {
            line["id"]: Card(
                number,
                line["name"],
                int(line["speed"]),
                int(line["strength"]),
                int(line["wits"]),
                int(line["courage"]),
                int(line["catapult"]),
                line["part"],
                line["material"],
            )
            for number, line in enumerate(csv.DictReader(lines))
        }


def in_order(deck: Deck, cards: Iterable[str]) -> tuple[str, ...]:
    """The cards in printed order: the canonical order of everything hidden, and of what is shuffled."""
    return tuple(sorted(cards, key=lambda card: deck[card].number))


def scales(deck: Deck) -> dict[str, int]:
    """The highest value of each property in a deck: what a value is to be measured by."""
    return {named: max(card.value(named) for card in deck.values()) for named in PROPERTIES}


DECK = read(Path(__file__).with_name("deck.csv"))
