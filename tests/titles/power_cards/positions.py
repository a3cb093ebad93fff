"""Random positions of Power Cards at the beginning of a round, with the real deck or with small ones full of ties."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from games.titles.power_cards.deck import CROSS, DECK, MATERIALS, PIGGY, UPRIGHT, Card, Deck
from games.titles.power_cards.rules import PowerCards
from games.titles.power_cards.state import Construction, Options, Seat, State

T = TypeVar("T")


class Fixed:
    """Chance that puts the same items always in the same order, whenever it is asked."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in an order of their own."""
        return tuple(sorted(items, key=lambda item: random.Random(f"{self.seed} {item}").random()))

    def roll(self, faces: int) -> int:
        """A number below ``faces``."""
        return self.seed % faces


def small_deck(dice: random.Random, size: int) -> dict[str, Card]:
    """Cards with few different values, catapult values among them, so that ties are frequent."""
    cards = {}
    most = dice.choice((1, 2, 3, 5))
    for number in range(size):
        speed, strength, wits, courage, catapult = (dice.randint(1, most) for _value in range(5))
        part = dice.choices((UPRIGHT, CROSS, PIGGY), (4, 2, 2))[0]
        material = "" if part == PIGGY else dice.choice(MATERIALS[: dice.randint(1, 3)])
        if part == PIGGY and dice.random() < 0.5:
            catapult = 0  # others can tie above it
        cards[f"x{number}"] = Card(number, f"x{number}", speed, strength, wits, courage, catapult, part, material)
    return cards


def options(dice: random.Random) -> Options:
    """Any options."""
    return Options(
        quick=dice.choice(("never", "agree", "agree", "auto")),
        max_rounds=dice.choice((0, 0, 40, 60)),
        build=dice.choice(("must", "must", "may")),
        max_cons=dice.choice((0, 0, 1)),
        catapult_build=dice.choice((False, True)),
    )


def position(dice: random.Random) -> tuple[PowerCards, State]:
    """A game and a position of it: constructions as play can leave them, and packs of very different sizes."""
    deck: Deck = DECK if dice.random() < 0.5 else small_deck(dice, dice.randint(4, 20))
    left = dice.sample(list(deck), len(deck))
    count = dice.choice((2, 3, 4))
    fast = count == 2 and dice.random() < 0.3
    built = [_constructions(dice, deck, left, fast) for _seat in range(count)]
    pot = [left.pop()] if left and dice.random() < 0.1 else []
    weights = [dice.choice((0, 0, 1, 1, 5)) for _seat in range(count)]
    packs: list[list[str]] = [[] for _seat in range(count)]
    for card in left:
        packs[dice.choices(range(count), weights if any(weights) else None)[0]].append(card)
    seats = []
    for pack, own in zip(packs, built, strict=True):
        cut = dice.randint(0, len(pack))
        seats.append(Seat(tuple(pack[:cut]), (tuple(pack[cut:]),) if pack[cut:] else (), own))
    living = [number for number, seat in enumerate(seats) if seat.holds]
    state = State(
        options=options(dice),
        phase="start",
        active=None,
        round=dice.choice((0, 38, 58, 120, 298)),
        caller=dice.choice(living),
        named=None,
        contest=(),
        pot=tuple(pot),
        piggy=None,
        chain=0,
        fast=fast,
        offered=dice.random() < 0.2,
        how=None,
        seats=tuple(seats),
    )
    return PowerCards(deck), state


def _constructions(dice: random.Random, deck: Deck, left: list[str], fast: bool) -> tuple[Construction, ...]:
    """Some constructions from the cards that are left, of which they are taken."""
    made = []
    for _try in range(dice.choice((0, 1, 1, 2, 3))):
        material = dice.choice(MATERIALS)
        uprights = _take(deck, left, UPRIGHT, material, dice.randint(1, 2))
        if not uprights:
            continue
        cross = _take(deck, left, CROSS, material, dice.randint(0, 1)) if len(uprights) == 2 else []
        piggy = _take(deck, left, PIGGY, "", dice.randint(0, 1)) if cross and fast else []
        made.append(Construction(material, tuple(uprights), *cross[:1], *piggy[:1]))
    if sum(construction.piggy is not None for construction in made) > 1:
        left += [construction.piggy for construction in made[1:] if construction.piggy is not None]
        made = [made[0], *(Construction(one.material, one.uprights, one.cross) for one in made[1:])]
    return tuple(made)


def _take(deck: Deck, left: list[str], part: str, material: str, count: int) -> list[str]:
    """Up to so many cards of that part, taken out of ``left``."""
    found = [card for card in left if deck[card].part == part and deck[card].material == material][:count]
    for card in found:
        left.remove(card)
    return found
