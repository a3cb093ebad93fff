"""What always holds in Barvosauři, over whole matches of players at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from games.chance import Chance, seeded
from games.titles.barvosauri import GAMES
from games.titles.barvosauri.state import Options, State
from tests.titles.walks import Printed

GAME = GAMES[-1]
CARDS = Counter("ROYGBP" * 4)
TABLES = [
    (Options(*values), seats)
    for values in product((6, 4), (True, False), ("one", "both"), ("whole", "tight"), (25, 15))
    for seats in GAME.seat_counts
]
TOLD = {"placed", "moved", "stayed", "took", "exchanged", "refreshed", "missed", "kept"}
"""What a step of a player tells first."""
PARTS = 10
FEW, MANY = 300, 10_000
News = tuple[dict[str, Any], ...]


def played(options: Options, seats: int, chance: Chance) -> Iterator[tuple[State, str, News]]:
    """Every position of a match, with the step that led there ("" for one of the server) and its news."""
    state = GAME.setup(options, seats, chance)
    news: News
    yield state, "", ()
    while GAME.outcome(state) is None:
        step = ""
        if GAME.active_seat(state) is None:
            state, news = GAME.settle(state, chance)
        else:
            legal = GAME.legal_moves(state)
            step = legal[chance.roll(len(legal))]
            state, news = GAME.apply(state, step)
        yield state, step, news


def check(state: State) -> None:
    """What holds in every position between the deal and the end."""
    held = [card for seat in state.seats for card in seat.held]
    shown = [card for card in state.display if card]
    assert Counter([*held, *shown, *state.deck]) == CARDS
    figures = [space for seat in state.seats for space in seat.figures if space]
    assert len(set(figures)) == len(figures)
    assert 0 <= state.known_bottom <= len(state.deck)
    assert state.since_take < state.options.stall_rounds * len(state.seats)
    if state.phase == "fill":
        assert [slot for slot, card in enumerate(state.display) if card is None and state.deck] in (
            sorted(state.owed),
            [],
        )
    else:
        assert not state.owed
        assert len(shown) == 4 or not state.deck
        assert shown
    if state.phase == "harvest":
        assert {space[0] for space in state.own.figures if space} == {state.pair}
        assert GAME.legal_moves(state) != ["done"]
    for seat in state.seats:
        assert list(seat.held) == sorted(seat.held, key="ROYGBP".index)
        assert len(set(seat.held)) < state.options.goal_colors
        assert all(seat.held.count(colour) < 4 for colour in seat.held)


def check_end(state: State, seats: int) -> None:
    """What holds at the end."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    counts = [len(seat.held) for seat in state.seats]
    if state.how in ("last card", "stall"):
        assert [place == 1 for place in outcome.places] == [count == max(counts) for count in counts]
    else:
        assert outcome.places.count(1) == 1
        assert outcome.places[state.mover] == 1
    if state.how == "last card":
        assert seats > 2, "two players never reach the last card: who lacks a colour leaves all four of it"
        assert sum(counts) == 24


@pytest.mark.parametrize("part", range(PARTS))
def test_matches_at_random(part: int, thorough: bool) -> None:
    endings: Counter[str | None] = Counter()
    for number in range(part, MANY if thorough else FEW, PARTS):
        options, seats = TABLES[number % len(TABLES)]
        turns, before = 0, None
        bottom: list[str] = []
        for state, step, news in played(options, seats, seeded(number)):
            if state.phase not in ("deal", "over"):
                check(state)
            turns += before is not None and state.active != before
            before = state.active
            for value in news:
                # What everybody saw go under the pack is what everybody is told to lie there, and no more.
                if value["what"] == "refreshed":
                    bottom += value["cards"]
            bottom = bottom[max(0, len(bottom) - len(state.deck)) :]
            assert GAME.observe(state, None)["known_bottom"] == bottom
            assert not step or news[0]["what"] in TOLD
        check_end(state, seats)
        assert turns <= 24 * options.stall_rounds * seats
        endings[state.how] += 1
    assert endings.keys() >= {"colours", "stall"}


def test_nobody_sees_the_order_of_the_pack() -> None:
    """The observation is the same for all, whatever lies where in the part of the pack that nobody has seen."""
    dice, told = random.Random(1), 0
    for number in range(6):
        options, seats = TABLES[number]
        for state, _step, _news in played(options, seats, seeded(number)):
            unseen = len(state.deck) - state.known_bottom
            hidden = list(state.deck[:unseen])
            dice.shuffle(hidden)
            twin = replace(state, deck=(*hidden, *state.deck[unseen:]))
            seen = [GAME.observe(state, viewer) for viewer in (*range(seats), None)]
            assert [GAME.observe(twin, viewer) for viewer in (*range(seats), None)] == seen
            assert all({**view, "viewer": None} == seen[-1] for view in seen)
            told += state.known_bottom > 0
    assert told


def test_the_deal_follows_the_shuffled_order() -> None:
    state, news = GAME.settle(GAME.setup(Options(), 3, Printed()), Printed())
    assert (state.active, "".join(map(str, state.display))) == (2, "ROYG")
    assert "".join(state.deck) == "BP" + "ROYGBP" * 3
    assert news == ({"what": "dealt", "display": ["R", "O", "Y", "G"], "first": 2},)


def test_every_seat_and_colour_comes_first_equally_often() -> None:
    first, faces = Counter[int | None](), Counter[str | None]()
    for number in range(1200):
        chance = seeded(number)
        state, _news = GAME.settle(GAME.setup(Options(), 4, chance), chance)
        first[state.active] += 1
        faces[GAME.settle(state, chance)[0].rolled] += 1
    assert all(240 < first[seat] < 360 for seat in range(4))
    assert all(150 < faces[colour] < 250 for colour in "ROYGBP")
