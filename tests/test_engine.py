"""How rows run, with a toy game: take stones until the pile is empty; who takes the last one wins."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from games import engine
from games.chance import Chance
from games.engine import BadOptions, Game, IllegalMove, Outcome, Result, Viewer


@dataclass(frozen=True)
class Options:
    stones: int = field(default=9, metadata={"label": "Stones", "help": "", "choices": {9: "nine", 20: "twenty"}})
    dice: bool = field(default=False, metadata={"label": "Dice", "help": ""})
    style: str = field(default="plain", metadata={"label": "Style", "help": "", "choices": {"plain": "", "odd": ""}})


@dataclass(frozen=True)
class Pile:
    stones: int
    seats: int
    phase: str
    active: int
    taken: int


class Toy:
    """``take`` takes a stone (three at most), ``done`` ends the turn, ``throw`` ends it by a die of the server."""

    slug = "toy"
    version = 1
    seat_counts = range(2, 4)
    Options: type = Options

    def setup(self, options: Any, seats: int, chance: Chance) -> Pile:
        return Pile(options.stones, seats, "start", 0, 0)

    def active_seat(self, state: Pile) -> int | None:
        return state.active if state.phase == "turn" else None

    def legal_moves(self, state: Pile) -> list[str]:
        return ["take", "done", "throw"] if state.phase == "turn" else []

    def apply(self, state: Pile, step: str) -> Result[Pile]:
        if step == "take" and state.taken < 3:
            return replace(state, stones=state.stones - 1, taken=state.taken + 1), ({"what": "took"},)
        if step == "done" and state.taken:
            return replace(state, phase="next"), ({"what": "done"},)
        if step == "throw":
            return replace(state, phase="throw"), ()
        raise IllegalMove("bad", step=step)

    def settle(self, state: Pile, chance: Chance) -> Result[Pile]:
        if state.phase == "start":
            return replace(state, phase="turn", active=chance.roll(state.seats)), ({"what": "begins"},)
        if state.phase == "throw":
            eyes = chance.roll(6) + 1
            return replace(state, stones=state.stones - eyes, phase="next"), ({"what": "threw", "eyes": eyes},)
        if state.stones <= 0:
            return replace(state, phase="over"), ({"what": "ended"},)
        return replace(state, phase="turn", active=(state.active + 1) % state.seats, taken=0), ()

    def outcome(self, state: Pile) -> Outcome | None:
        if state.phase != "over":
            return None
        return Outcome(tuple(1 if seat == state.active else 2 for seat in range(state.seats)), "empty")

    def observe(self, state: Pile, viewer: Viewer) -> dict[str, Any]:
        return {"viewer": viewer, **state.__dict__}

    def imagine(self, observation: dict[str, Any], chance: Chance) -> Pile:
        return Pile(**{name: value for name, value in observation.items() if name != "viewer"})


class Script:
    """Chance with the throws written down."""

    def __init__(self, *throws: int) -> None:
        self.throws = list(throws)

    def roll(self, faces: int) -> int:
        return self.throws.pop(0)

    def shuffle(self, items: Any) -> Any:
        return tuple(items)


TOY: Game[Pile] = Toy()


def begun(stones: int = 9, seats: int = 2) -> Pile:
    return Pile(stones, seats, "turn", 0, 0)


def refused(steps: list[str], state: Pile | None = None) -> IllegalMove:
    """Why ``play`` refuses; nothing may be drawn for that."""
    with pytest.raises(IllegalMove) as caught:
        engine.play(TOY, state or begun(), steps, Script())
    return caught.value


def test_start_settles_until_a_seat_is_active() -> None:
    state, news = engine.start(TOY, Options(stones=20), 3, Script(2))
    assert state == Pile(20, 3, "turn", 2, 0)
    assert news == ({"what": "begins"},)


def test_plan_reveals_nothing() -> None:
    state, news = engine.plan(TOY, begun(), ["take", "throw"])
    assert (state.stones, state.phase) == (8, "throw")
    assert news == ({"what": "took"},)
    assert engine.plan(TOY, begun(), []) == (begun(), ())


def test_play_does_what_the_server_owes() -> None:
    state, news = engine.play(TOY, begun(), ["take", "throw"], Script(3))
    assert state == Pile(4, 2, "turn", 1, 0)
    assert news == ({"what": "took"}, {"what": "threw", "eyes": 4})


def test_play_to_the_end() -> None:
    state, news = engine.play(TOY, begun(2), ["take", "take", "done"], Script())
    assert TOY.outcome(state) == Outcome((1, 2), "empty")
    assert news[-1] == {"what": "ended"}
    assert refused(["take"], state).reason == "after_end"


def test_a_refusal_of_the_rules_passes_through() -> None:
    error = refused(["take", "fly"])
    assert (error.reason, error.facts, str(error)) == ("bad", {"step": "fly"}, "bad")


@pytest.mark.parametrize("steps", [["take", "done", "take"], ["throw", "take"], ["throw", "nonsense"]])
def test_no_step_behind_the_end_or_a_reveal(steps: list[str]) -> None:
    error = refused(steps)
    assert error.reason == "after_end"
    assert error.facts == {"index": len(steps) - 1}


@pytest.mark.parametrize("steps", [[], ["take"], ["take", "take"]])
def test_a_post_is_a_whole_turn(steps: list[str]) -> None:
    assert refused(steps).reason == "unfinished"


def test_no_post_is_endless() -> None:
    assert refused(["take"] * (engine.MAX_STEPS + 1)).reason == "too_long"
    assert refused(["x" * (engine.MAX_STEP_LENGTH + 1)]).reason == "too_long"
    assert refused(["x" * engine.MAX_STEP_LENGTH]).reason == "bad"


def test_texts_of_moves() -> None:
    assert engine.join(["take", "done"]) == "take; done"
    assert engine.split("take; done") == engine.split(" ;take ;; done;") == ["take", "done"]
    assert engine.split("") == []


SECRET = {"what": "drew", "card": 5, "to": [1, 2], "public": {"what": "drew"}}
WHISPER = {"what": "told", "to": [0]}
NOBODY = {"what": "hid", "to": [], "public": None}
OPEN = {"what": "took"}


@pytest.mark.parametrize(
    ("viewer", "expected"),
    [
        (0, [{"what": "drew"}, {"what": "told"}, OPEN]),
        (1, [{"what": "drew", "card": 5}, OPEN]),
        (2, [{"what": "drew", "card": 5}, OPEN]),
        (3, [{"what": "drew"}, OPEN]),
        (None, [{"what": "drew"}, OPEN]),
        ("open", [{"what": "drew", "card": 5}, {"what": "told"}, {"what": "hid"}, OPEN]),
    ],
)
def test_news_have_an_audience(viewer: Viewer, expected: list[dict[str, Any]]) -> None:
    assert engine.seen([SECRET, WHISPER, NOBODY, OPEN], viewer) == expected


def test_what_is_seen_is_a_copy() -> None:
    engine.seen([OPEN], None)[0]["what"] = "changed"
    engine.seen([SECRET], None)[0]["what"] = "changed"
    assert OPEN["what"] == "took"
    assert SECRET["public"] == {"what": "drew"}


def test_options_from_json() -> None:
    assert engine.options_from(TOY, {}) == Options()
    assert engine.options_from(TOY, {"dice": True, "stones": 20}) == Options(stones=20, dice=True)


@pytest.mark.parametrize(
    ("values", "field_name"),
    [
        ({"colour": "red"}, "colour"),
        ({"stones": 10}, "stones"),
        ({"stones": "9"}, "stones"),
        ({"stones": True}, "stones"),
        ({"dice": 1}, "dice"),
        ({"dice": None}, "dice"),
        ({"style": "fancy"}, "style"),
        ({"style": ["plain"]}, "style"),
        ({"dice": True, "style": 0}, "style"),
    ],
)
def test_options_the_game_does_not_have(values: dict[str, Any], field_name: str) -> None:
    with pytest.raises(BadOptions) as caught:
        engine.options_from(TOY, values)
    assert caught.value.field == field_name


@pytest.mark.parametrize(
    ("by_rules", "leavers", "expected"),
    [
        ((2, 1, 3), [], (2, 1, 3)),
        ((1, 1, 3, 3), [], (1, 1, 3, 3)),
        ((2, 1, 3), [1], (1, 3, 2)),  # the bot on seat 1 came first: ignored
        ((1, 2, 3, 4), [0, 2], (4, 1, 3, 2)),
        ((1, 2, 3, 4), [2, 0], (3, 1, 4, 2)),
        ((1, 1, 3), [1], (1, 3, 2)),
        (None, [0], (2, 1)),
        (None, [2], (1, 1, 3)),
        (None, [1, 0], (1, 2)),
        (None, [], (1, 1)),
    ],
)
def test_places_with_leavers(by_rules: tuple[int, ...] | None, leavers: list[int], expected: tuple[int, ...]) -> None:
    outcome = Outcome(by_rules, "empty") if by_rules else None
    assert engine.places(outcome, len(expected), leavers) == expected
