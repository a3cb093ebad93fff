"""The bot's strength (fixed seeds, so these figures never change) and its manners."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bench.strength import at_random, share
from games.chance import seeded
from games.titles.power_cards import BOT, GAMES
from games.titles.power_cards.state import Construction, Options, Seat, State

GAME = GAMES[-1]


@pytest.mark.parametrize(("seats", "count", "least"), [(2, 60, 0.95), (3, 30, 0.8), (4, 24, 0.65)])
def test_it_beats_chance(seats: int, count: int, least: float) -> None:
    assert share(GAME, Options(), BOT, at_random, seats=seats, count=count, whole=True) >= least


@pytest.mark.parametrize(
    "options",
    [Options(build="may"), Options(catapult_build=True, max_cons=1), Options(quick="auto", max_rounds=40)],
    ids=str,
)
def test_it_beats_chance_with_options(options: Options) -> None:
    assert share(GAME, options, BOT, at_random, count=30, whole=True) >= 0.9


def state(mine: Seat, rival: Seat, **changes: Any) -> State:
    """A position in which seat 0 is asked for a call."""
    table = GAME.setup(Options(), 2, seeded(0))
    asked: dict[str, Any] = {"phase": "call", "active": 0, "contest": (0, 1), "seats": (mine, rival)}
    return replace(table, **{**asked, **changes})


def answer(position: State) -> list[str]:
    return BOT(GAME, GAME.observe(position, 0), seeded(1))


def test_it_names_the_best_share_of_the_scale_and_never_offers() -> None:
    rival = Seat(("c02", "c03"))
    assert answer(state(Seat(("c01", "c04")), rival)) == [
        "call wits"
    ]  # 20 of 20, though speed 48 is the largest number
    assert answer(state(Seat(("c07", "c04")), rival)) == ["call strength"]
    assert answer(state(Seat(("c18", "c04")), rival)) == ["call speed"]


def test_it_accepts_when_it_holds_more_cards() -> None:
    asked = {"phase": "reply", "caller": 1, "offered": True}
    few, many = Seat(("c01",)), Seat(("c02", "c03"))
    assert answer(state(many, few, **asked)) == ["accept"]
    assert answer(state(few, many, **asked)) == ["decline"]
    assert answer(state(few, Seat(("c05",)), **asked)) == ["decline"]


def test_a_caller_without_a_pack_draws_its_best_part_and_names_its_best_property() -> None:
    built = (Construction("stone", ("c06", "c31")),)
    mine = Seat(constructions=built)
    assert answer(state(mine, Seat(("c02",)), phase="draw")) == ["draw c31", "call speed"]
    drawing = state(mine, Seat(("c02",)), phase="draw", named="courage", pot=("c03",))
    assert answer(drawing) == ["draw c31"]  # courage 7 against 5
    aimed = state(mine, Seat(("c02",)), phase="draw", named="catapult", caller=1)
    assert answer(aimed) == ["draw c31"]  # catapult 28 against 1


def test_it_builds_with_its_weakest_card_and_the_best_piggy() -> None:
    building = {"phase": "build", "contest": (0, 1)}
    half = Seat(("c01",), constructions=(Construction("stone", ("c06",)),))
    assert answer(state(half, Seat(("c02",)), pot=("c12", "c26"), **building)) == ["build c26>0"]
    whole = Seat(("c01",), constructions=(Construction("stone", ("c06", "c12"), "c04"),))
    assert answer(state(whole, Seat(("c02",)), pot=("c11", "c28"), **building)) == ["build c28>0"]


def test_it_holds_a_weak_piggy_back_where_it_may() -> None:
    free = {"phase": "build", "options": Options(build="may")}
    whole = Seat(("c01",), constructions=(Construction("stone", ("c06", "c12"), "c04"),))
    strong, weak = Seat(won=(("c10",),)), Seat(won=(("c21",),))  # on top: catapult 37, and 4
    assert answer(state(whole, strong, pot=("c11",), **free)) == ["stop"]
    assert answer(state(whole, weak, pot=("c11",), **free)) == ["build c11>0"]
