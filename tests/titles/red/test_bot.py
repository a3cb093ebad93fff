"""The bot's strength (fixed seeds, so these figures never change) and its manners."""

from __future__ import annotations

import pytest

from bench.strength import RIVALS, at_random, share
from games.chance import seeded
from games.titles.red.bot import thrifty
from games.titles.red.rules import Red
from games.titles.red.state import Options, Seat, State, in_order

RED = Red()


@pytest.mark.parametrize(
    ("game", "icons", "least"), [("basic", False, 0.8), ("advanced", False, 0.72), ("advanced", True, 0.85)]
)
def test_it_beats_chance(game: str, icons: bool, least: float) -> None:
    assert share(RED, Options(game, icons), thrifty, at_random, count=60) > least


@pytest.mark.parametrize(("game", "seats", "least"), [("basic", 2, 0.75), ("advanced", 2, 0.68), ("basic", 3, 0.55)])
def test_it_beats_chance_that_never_gives_up(game: str, seats: int, least: float) -> None:
    assert share(RED, Options(game), thrifty, RIVALS["saving"], seats=seats, count=100) > least


def answer(hand: list[str], palette: list[str], rival: list[str], deck: int = 0, phase: str = "turn") -> list[str]:
    """What the bot does under red, with icons, against one rival."""
    seats = (Seat(in_order(hand), (), tuple(palette)), Seat(("R1", "R2"), (), tuple(rival)))
    state = State(Options("basic", True), phase, 1, 0, "R", (), ("O1",) * deck, 0, False, seats)
    return thrifty(RED, RED.observe(state, 0), seeded(1))


def test_it_passes_only_when_nothing_is_left() -> None:
    assert answer(["V2"], ["V4"], ["R7", "Y2"]) == ["PASS"]
    assert answer(["O7"], ["V4"], ["R6"], deck=3) != ["PASS"]


def test_it_draws_by_a_3_rather_than_pass() -> None:
    assert answer(["R3"], ["V4"], ["R7", "O6"], deck=3) == ["P:R3"]
    assert answer(["Y2"], ["V4", "R3"], ["R7", "O6"], deck=2, phase="drawn") == ["PASS"]


def test_it_spends_one_card_where_one_is_enough() -> None:
    assert answer(["R7", "V2", "Y4"], ["V4"], ["R6", "O2"], deck=3)[0][:2] in ("P:", "C:")
    assert sum(step[:2] in ("P:", "C:") for step in answer(["R6", "V2", "Y4"], ["V4"], ["O6", "O2"], deck=3)) == 1
