"""The table of Barvosauři: every step can be clicked, and what a step means is told before it is confirmed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games import engine, titles
from games.titles.barvosauri import GAMES
from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.state import Options, Seat, State, royal
from tests.titles.barvosauri.positions import position
from tests.titles.telling import told_by
from tests.titles.walks import walk, walked_options

GAME = GAMES[-1]
TITLE = titles.find([Path(titles.__file__).parent])["barvosauri"]
NAMES = ("Anna", "Bert", "Cleo", "Dan")
told = partial(told_by, TITLE, NAMES)


def shown(state: State, *, picked: str = "", me: int | None = 0, before: State | None = None) -> dict[str, Any]:
    """The table as a seat sees it that plans a turn (from ``before`` on), or as somebody who only looks."""
    turn = GAME.active_seat(before or state) == me is not None
    asking = turn and GAME.active_seat(state) == me
    return TITLE.table(  # type: ignore[no-any-return]
        GAME,
        GAME.observe(state, me),
        list(GAME.legal_moves(state)) if asking else [],
        me=me,
        picked=picked,
        my_turn=turn,
        asking=asking,
        over=GAME.outcome(state) is not None and before is None,
    )


def clickable(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Everything on a table that can be clicked."""
    everything = [*(space for row in table["rows"] for space in row), *table["show"], *table["choices"]]
    return (one for one in everything if one["step"] or one["pick"])


def offered(look: Callable[[str], dict[str, Any]]) -> set[str]:
    """Every step that a table offers, at once or after something was picked."""
    table = look("")
    steps = {one["step"] for one in clickable(table)}
    for pick in {one["pick"] for one in clickable(table)} - {""}:
        picked = look(pick)
        assert picked["picked"] == pick
        steps |= {one["step"] for one in clickable(picked)}
    return steps - {""}


@pytest.mark.parametrize("seats", GAME.seat_counts)
@pytest.mark.parametrize("options", walked_options(GAME), ids=str)
def test_every_step_can_be_clicked_and_nothing_else(options: Options, seats: int) -> None:
    phases = set()
    for seed in (0, 2):
        for state in walk("barvosauri", options, seats, seed).positions[::7]:
            seat = GAME.active_seat(state)
            if seat is None:
                continue
            phases.add(state.phase)
            assert offered(lambda pick, state=state, seat=seat: shown(state, picked=pick, me=seat)) == set(
                GAME.legal_moves(state)
            )
            for other in (None, (seat + 1) % seats):
                assert not list(clickable(shown(state, me=other)))
    assert phases == {"place", "move", "harvest"}


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_every_position_has_a_table_and_every_plan_a_consequence(seats: int) -> None:
    for options in walked_options(GAME)[:4]:
        for row in walk("barvosauri", options, seats, 2).rows[1:200]:
            mover = GAME.active_seat(row.before)
            for planned in row.planned:
                table = shown(planned, me=mover, before=row.before)
                assert table["tone"] in ("good", "bad", "warn", "plain")
                assert told(table["consequence"])
                assert table["own"]["seat"] == mover
            for state in (*row.planned, *row.owed):
                open_table = TITLE.table(
                    GAME, GAME.observe(state, "open"), [], me=None, picked="", my_turn=False, asking=False, over=True
                )
                assert len(open_table["opponents"]) == seats
                assert open_table["own"] is None
                assert open_table["consequence"] is None
                assert sum(slot["count"] for seat in open_table["opponents"] for slot in seat["slots"]) == sum(
                    len(seat.held) for seat in state.seats
                )


def test_the_board_is_the_printed_egg_with_each_figure_under_a_name_that_lasts() -> None:
    table = shown(position())
    assert [len(row) for row in table["rows"]] == [3, 4, 5, 6, 5, 4, 3]
    spaces = {space["name"]: space for row in table["rows"] for space in row}
    assert spaces["R1"]["figure"] == {"seat": 0, "number": 0, "mine": True, "card": "figure-0-0"}
    assert spaces["O1"]["figure"]["card"] == "figure-1-1"
    assert {name for name, space in spaces.items() if space["lit"]} == {"R2", "R3", "R4", "R5"}
    assert not any(spaces[name]["dim"] for name in ("R2", "R1", "G1"))
    assert spaces["B1"]["dim"]
    tight = shown(position(options=Options(board="tight")))
    assert {space["name"][1] for row in tight["rows"] for space in row if not space["in_play"]} == {"4", "5"}


def test_a_figure_or_a_space_may_be_chosen_first() -> None:
    figure = shown(position(), picked="G2")
    steps = {space["name"]: space["step"] for row in figure["rows"] for space in row if space["step"]}
    assert steps == {name: f"move G2>{name}" for name in ("R2", "R3", "R4", "R5")}
    assert told(figure["consequence"]) == "Choose a marked red space for your figure on green 2."
    space = shown(position(), picked="R4")
    steps = {one["name"]: one["step"] for row in space["rows"] for one in row if one["step"]}
    assert steps == {"R1": "move R1>R4", "G2": "move G2>R4"}
    assert told(space["consequence"]) == "Choose which of your figures goes to red 4."
    assert shown(position(), picked="B4")["picked"] == ""


PAIR = (Seat(("R1", "G2"), ("R",)), Seat(("G1", "O1"), ()))
NO_RED = ("G", "B", "Y", "O")


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"seats": (Seat(("R1", "G2")), Seat(("G1", "O1")))}, "pairs up on red: you take a red card"),
        ({}, "pairs up on red: you take a red card or exchange one"),
        (
            {"seats": (Seat(("R1", "G2"), ("R", "R", "R")), Seat(("G1", "O1")))},
            "pairs up on red, and this wins the match: all four of red",
        ),
        (
            {"seats": (Seat(("R1", "G2"), tuple("OYGBP")), Seat(("G1", "O1")))},
            "pairs up on red, and this wins the match: 6 different colours",
        ),
        (
            {"seats": (Seat(("R1", "G2"), tuple("RRBBB")), Seat(("G1", "O1"))), "display": NO_RED},
            "pairs up on red: exchange for a blue card, and this wins the match: all four of blue",
        ),
        ({"display": NO_RED}, "pairs up on red: none is on show, you may replace 2 cards"),
        ({"display": NO_RED, "deck": ("P",)}, "pairs up on red: none is on show, you may replace 1 card"),
        ({"display": NO_RED, "deck": ()}, "pairs up on red: none is on show, you may exchange one"),
        (
            {"display": NO_RED, "deck": (), "seats": (Seat(("R1", "G2")), Seat(("G1", "O1")))},
            "pairs up on red, but there is nothing to earn: no card of it is left to take",
        ),
    ],
)
def test_a_move_tells_what_it_would_earn(changes: dict[str, Any], note: str) -> None:
    choices = {one["id"]: one for one in shown(position(**{"seats": PAIR, **changes}))["choices"]}
    assert told(choices["from-G2"]["note"]) == note
    assert choices["from-G2"]["good"] == ("nothing to earn" not in note)
    assert told(choices["from-R1"]["note"]) == "no pair: your other figure stands on green 2"
    assert not choices["from-R1"]["good"]
    assert list(choices) == ["from-R1", "from-G2", "step-stay"]


def after(state: State, *steps: str) -> str:
    """What the table says once these steps are planned."""
    planned, _news = engine.plan(GAME, state, steps)
    return told(shown(planned, before=state)["consequence"])


NO_FIRST = Options(first_turn_card=False)
BOTH = Options(harvest="both")
NEAR = Options(stall_rounds=15)


@pytest.mark.parametrize(
    ("state", "steps", "says"),
    [
        (position(), ["move R1>R2"], "Your figures stand on two colours: no card this turn."),
        (
            position(seats=(Seat(("R1", "R2")), Seat())),
            ["stay"],
            "Your turn ends with both figures on red and no cards",
        ),
        (position(), ["move G2>R2"], "Both your figures stand on red: take a red card, or exchange one of yours."),
        (position(), ["move G2>R2", "take 0"], "a red card is yours: then you have 1 of 6 colours, 2 of 4 in red."),
        (
            position(display=NO_RED),
            ["move G2>R2", "refresh 2 0"],
            "Confirming turns up 2 cards; if one is a red card, you may take it. That cannot be taken back.",
        ),
        (position(display=NO_RED), ["move G2>R2", "exchange 1"], "Your turn ends with both figures on red and 1 of 6"),
        (
            position(seats=(Seat(("R1", "G2"), tuple("OYGBP")), Seat(("G1", "O1")))),
            ["move G2>R2", "take 0"],
            "This wins the match, a royal win: a red card, an orange card",
        ),
        (
            position(display=("R", None, None, None), deck=()),
            ["move G2>R2", "take 0"],
            "This ends the match: a red card is the last one. The cards are counted: Anna 2, Bert 1.",
        ),
        (
            position(options=NEAR, since_take=29),
            ["stay"],
            "This ends the match: nobody has taken a card for long. The cards are counted: Anna 1, Bert 1.",
        ),
        (position(options=BOTH), ["move G2>R2"], "Both your figures stand on red: take a red card"),
        (position("place", seats=(Seat(), Seat())), [], "On red: then the die is rolled for your second figure."),
        (position("place", seats=(Seat(), Seat())), ["place R3"], "Confirming rolls the die for your second figure."),
        (
            position("place", seats=(Seat(("G1", None)), Seat())),
            [],
            "On red: no pair: your other figure stands on green",
        ),
        (position("place", seats=(Seat(("R2", None)), Seat())), [], "On red: pairs up on red: you take a red card."),
        (
            position("place", seats=(Seat(("R2", None)), Seat()), options=NO_FIRST),
            [],
            "On red: both on red; in the first turn that earns nothing.",
        ),
    ],
)
def test_a_plan_tells_what_it_does(state: State, steps: list[str], says: str) -> None:
    assert after(state, *steps).startswith(says)


def test_cards_are_chosen_by_clicking_them() -> None:
    def steps(picked: str = "", **changes: Any) -> list[str]:
        return [slot["step"] or slot["pick"] for slot in shown(position("harvest", **changes), picked=picked)["show"]]

    mine = (Seat(("R1", "R2"), ("R",)), Seat(("G1", "O1")))
    assert steps(seats=mine) == ["take 0", "exchange 1", "exchange 2", "exchange 3"]
    assert steps(seats=mine, display=NO_RED) == ["0", "1", "2", "3"]
    assert steps("2", seats=mine, display=NO_RED) == ["refresh 2 0", "refresh 2 1", "2", "refresh 2 3"]
    assert steps(seats=mine, display=NO_RED, deck=("P",), known_bottom=1) == ["0", "1", "2", "3"]
    none = (Seat(("R1", "R2")), Seat(("G1", "O1")))
    assert steps(seats=none, display=NO_RED, deck=("P",)) == ["refresh 0", "refresh 1", "refresh 2", "refresh 3"]
    assert steps(seats=mine, display=(None, "R", None, None), deck=()) == ["", "take 1", "", ""]
    table = shown(position("harvest", seats=mine, display=NO_RED), picked="2")
    assert [one["step"] for one in table["choices"]] == ["exchange 2", "done"]
    assert told(table["consequence"]).startswith("Choose a second card: both go under the pack, a yellow card first.")


def test_a_collection_shows_both_ways_to_a_royal_win() -> None:
    def own(held: str, other: str = "", goal: int = 6) -> dict[str, Any]:
        seats = (Seat(("R1", "G2"), tuple(held)), Seat(("G1", "O1"), tuple(other)))
        return shown(position(seats=seats, options=Options(goal_colors=goal)))["own"]  # type: ignore[no-any-return]

    assert [slot["count"] for slot in own("RRB")["slots"]] == [2, 0, 0, 0, 1, 0]
    assert told(own("")["words"]) == "no cards yet"
    assert told(own("RB", goal=4)["words"]) == "2 of 4 colours"
    assert told(own("RRBB")["words"]) == "2 of 6 colours, 2 of 4 in red, blue"
    assert own("ROYGB")["near"] == "colours"
    assert own("ROY", goal=4)["near"] == "colours"
    assert own("RRR")["near"] == "four of a colour"
    assert own("RRR", "R")["near"] is None
    assert own("ROYG", goal=4)["near"] is None


def test_who_won_is_marked_and_nobody_is_to_move_any_more() -> None:
    for options in walked_options(GAME)[:2]:
        state = walk("barvosauri", options, 3, 2).rows[-1].after
        table = TITLE.table(
            GAME, GAME.observe(state, "open"), [], me=1, picked="", my_turn=False, asking=False, over=True
        )
        everybody = [table["own"], *table["opponents"]]
        assert [seat["seat"] for seat in everybody] == [1, 2, 0]
        for seat in everybody:
            held = state.seats[seat["seat"]].held
            assert seat["won"] == (royal(held, options.goal_colors) is not None)
            assert not seat["active"]


def test_full_colours_are_named_and_long_waits_counted() -> None:
    seats = (Seat(("R1", "R2")), Seat(("R3", "G1")))
    table = shown(position(seats=seats, rolled="B", options=Options(board="tight"), since_take=9))
    assert table["full"] == ["R"]
    assert table["quiet"] is None
    assert shown(position(since_take=11))["quiet"] == {"rounds": 5, "limit": 25}


def test_every_card_is_somewhere() -> None:
    state = walk("barvosauri", Options(), 4, 2).rows[60].after
    for row in shown(state, me=None)["whereabouts"]:
        assert row["colour"] in COLOURS
        assert sum(map(int, re.findall(r"\d+", told(row["places"])))) == 4
