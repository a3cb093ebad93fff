"""The seven rules, against the plain evaluator of ``oracle.py``."""

from __future__ import annotations

import random

from games.titles.red.leading import COLOURS, DECK, cards, leader, mask, rank, strength, winning_set
from tests.titles.red import oracle


def test_the_order_of_the_cards() -> None:
    assert len(DECK) == len(set(DECK)) == 49
    assert DECK[:8] == ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "O1")
    assert sorted(DECK, key=rank) == oracle.ORDER
    assert [rank(card) for card in oracle.ORDER] == list(range(49))
    assert rank("V7") > rank("R6")


def test_masks_and_cards_are_the_same() -> None:
    assert cards(mask(["V1", "R7", "G4"])) == ("R7", "G4", "V1")
    assert cards(0) == ()


def test_the_plain_evaluator_agrees(thorough: bool) -> None:
    dice = random.Random(7)
    for _number in range(100_000 if thorough else 5_000):
        size = dice.choices(
            range(1, 10), weights=(4, 4, 4, 4, 4, 4, 2, 1, 1) if thorough else (4, 4, 4, 4, 4, 2, 1, 0, 0)
        )[0]
        palette = dice.sample(DECK, size)
        for rule in COLOURS:
            assert winning_set(rule, palette) == oracle.best_set(rule, palette), (rule, palette)


def test_the_plain_evaluator_agrees_who_leads() -> None:
    dice = random.Random(8)
    for _number in range(1_000):
        seats = dice.choice((2, 3, 4))
        pack = dice.sample(DECK, 5 * seats)
        palettes = [pack[5 * seat : 5 * seat + dice.randint(1, 5)] for seat in range(seats)]
        out = {seat for seat in range(seats) if dice.random() < 0.2}
        living = {seat: palette for seat, palette in enumerate(palettes) if seat not in out}
        for rule in COLOURS:
            shown = [None if seat in out else palette for seat, palette in enumerate(palettes)]
            assert leader(rule, shown) == oracle.leading_seat(rule, living)


def test_a_card_more_never_weakens_a_palette() -> None:
    """What the search for turns relies on."""
    dice = random.Random(9)
    for _number in range(2_000):
        palette = dice.sample(DECK, dice.randint(1, 10))
        for rule in COLOURS:
            assert strength(rule, mask(palette[1:])) <= strength(rule, mask(palette))
