"""The bot's strength (fixed seeds, so these figures never change) and its manners."""

from __future__ import annotations

import pytest

from bench.strength import at_random, share
from games.chance import seeded
from games.titles.barvosauri import GAMES
from games.titles.barvosauri.bot import eager
from games.titles.barvosauri.state import Options, Seat, State, in_order

GAME = GAMES[-1]


@pytest.mark.parametrize(("seats", "count", "least"), [(2, 40, 0.95), (3, 20, 0.9), (4, 16, 0.9)])
def test_it_beats_chance(seats: int, count: int, least: float) -> None:
    assert share(GAME, Options(), eager, at_random, seats=seats, count=count, whole=True) >= least


def answer(
    figures: tuple[str, str],
    held: str,
    display: str,
    rolled: str,
    *,
    rival: str = "",
    deck: str = "OYGBPO",
    bottom: int = 0,
) -> list[str]:
    """What the bot does with a roll, against one rival on green 1 and orange 1."""
    state = State(
        options=Options(),
        phase="move",
        active=0,
        rolled=rolled,
        pair=None,
        owed=(),
        refreshed=False,
        took=False,
        since_take=0,
        display=tuple(None if card == "-" else card for card in display),
        deck=tuple(deck),
        known_bottom=bottom,
        seats=(Seat(figures, in_order(held)), Seat(("G1", "O1"), in_order(rival))),
        how=None,
    )
    return eager(GAME, GAME.observe(state, 0), seeded(1))


def test_it_takes_the_royal_win() -> None:
    steps = answer(("R1", "B1"), "OYGBP", "RBYO", "R")
    assert steps[0].startswith("move B1>R")
    assert steps[1:] == ["take 0"]
    assert answer(("R1", "B1"), "RROYGB", "PBYO", "R")[1:] == ["exchange 0"]


def test_it_takes_what_it_lacks_and_leaves_what_it_has() -> None:
    assert answer(("R1", "B1"), "", "RBYO", "R")[1:] == ["take 0"]
    assert answer(("R1", "B1"), "R", "GBYO", "R", rival="R")[1:] != ["done"]


def test_it_looks_for_a_card_under_the_pack_where_there_may_be_one() -> None:
    steps = answer(("R1", "B1"), "", "GBYO", "R", deck="RROYGBP")
    assert steps[-1].startswith("refresh")
    assert steps[0].startswith("move B1>R")


def test_it_spreads_its_figures_over_colours_it_wants() -> None:
    steps = answer(("R1", "R2"), "RY", "BYYO", "B", rival="RR")
    assert steps[0].startswith("move R")
