"""The legal steps, against every turn that ``oracle.py`` can think of, and how long they take."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from games.titles.red.leading import DECK
from games.titles.red.rules import Red
from games.titles.red.state import Options, Seat, State, in_order
from tests.titles.red.oracle import Table

RED = Red()


def position(dice: random.Random, options: Options, hand: int) -> State:
    """A start of a turn with random cards, odd ones first in every other; about one rival in five is out."""
    pack = dice.sample(DECK, 49)
    if dice.random() < 0.5:
        pack.sort(key=lambda card: int(card[1]) % 2 == 0)
    seats = dice.choice((2, 3, 4))
    mover = dice.randrange(seats)
    made = []
    for number in range(seats):
        cards, pack = pack[:hand], pack[hand:]
        size = dice.randint(1, 5)
        palette, pack = pack[:size], pack[size:]
        out = 1 if number != mover and dice.random() < 0.2 else None
        made.append(Seat(in_order(cards), (), tuple(palette), out))
    deck = tuple(pack) if dice.random() < 0.8 else ()
    return State(options, "turn", 1, mover, dice.choice("ROYGBIV"), (), deck, 0, False, tuple(made))


def complete_turns(state: State) -> set[str]:
    """Every complete turn by the rules' own legal steps, PASS left out; "draw" where a 3 interrupts."""
    found: set[str] = set()
    waiting: list[tuple[list[str], State]] = [([], state)]
    while waiting:
        steps, before = waiting.pop()
        legal = [step for step in RED.legal_moves(before) if step != "PASS"]
        assert legal or not steps, "a legal step that leads nowhere"
        for step in legal:
            after, _news = RED.apply(before, step)
            if after.phase == "turned":
                found.add("; ".join([*steps, step]))
            elif after.phase == "draw":
                found.add("; ".join([*steps, step, "draw"]))
            else:
                waiting.append(([*steps, step], after))
    return found


@pytest.mark.parametrize("icons", [False, True])
@pytest.mark.parametrize("game", ["basic", "advanced"])
def test_every_turn_is_found_and_no_other(game: str, icons: bool, thorough: bool) -> None:
    dice = random.Random(11)
    for _number in range(2_000 if thorough else 120):
        state = position(dice, Options(game, icons), hand=dice.randint(1, 4 if icons else 7))
        palettes = {number: list(state.seats[number].palette) for number in state.living}
        hand = list(state.seats[state.mover].hand)
        table = Table(state.mover, state.rule, hand, palettes, len(state.deck), icons)
        assert complete_turns(state) == {"; ".join(turn) for turn in table.turns()}
        assert "PASS" in RED.legal_moves(state)


def test_a_chain_of_fives_is_searched_quickly() -> None:
    """The worst hands: all the 5s and as many 1s and 7s as can be, against palettes that can hardly be beaten."""
    dice = random.Random(12)
    taken = []
    for _number in range(200):
        fives = [card for card in DECK if card[1] == "5"]
        rest = dice.sample([card for card in DECK if card[1] != "5"], 42)
        fuel = [card for card in rest if card[1] in "17"][:4]
        rest = [card for card in rest if card not in fuel]
        seats = (
            Seat(in_order(fives + fuel), (), tuple(rest[:3])),
            Seat((), (), tuple(rest[3:13])),
            Seat((), (), tuple(rest[13:23])),
        )
        state = State(Options("advanced", True), "turn", 1, 0, dice.choice("ROYGBIV"), (), ("O4",), 0, False, seats)
        begun = time.process_time()
        RED.legal_moves(state)
        taken.append(time.process_time() - begun)
    assert sorted(taken)[100] < 0.02  # about 2 ms here, under 1 ms for 99 of 100 positions in play; loose on purpose


def steps_of(state: State, *steps: str) -> Any:
    for step in steps:
        state, _news = RED.apply(state, step)
    return state


def test_an_interrupted_turn_asks_for_what_the_icon_owes() -> None:
    hand = in_order(["R5", "O1", "B7", "G3", "V2"])
    seats = (Seat(hand, (), ("Y4",)), Seat(("O2",), (), ("Y6", "R6", "I2")), Seat(("O3",), (), ("V6",)))
    state = State(Options("basic", True), "turn", 1, 0, "R", (), ("O6",), 0, False, seats)
    assert steps_of(state, "P:R5").phase == "palette"
    assert steps_of(state, "P:R5", "P:O1").phase == "take"
    assert {step[:4] for step in RED.legal_moves(steps_of(state, "P:R5", "P:O1"))} <= {"T:B:"}
    assert steps_of(state, "P:B7").phase == "shift"
    assert steps_of(state, "P:G3").phase == "draw"
    assert RED.active_seat(steps_of(state, "P:G3")) is None
    assert steps_of(state, "P:V2").phase == "finish"
