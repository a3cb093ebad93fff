"""The plain table, on which a game is played that has no table of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from games import plain_table, rendering
from games.wording import Sentence

OBSERVATION: dict[str, Any] = {
    "viewer": 0,
    "options": {"heap": 9},
    "active": 1,
    "phase": "move",
    "rolled": "R",
    "pairs": [["R", "G"], [], ["B"]],
    "deck": 18,
    "open": True,
    "secret": None,
    "seats": [{"held": ["R", "R"]}, {"held": []}],
}


def words(**more: Any) -> Any:
    """A title's words, with what may help the plain table."""
    return SimpleNamespace(step=lambda step, observation: Sentence("do {step}", step=step), **more)


def told(nodes: list[plain_table.Node]) -> dict[str, str]:
    return {rendering.to_text(node.label): rendering.to_text(node.value) for node in nodes}


def test_what_has_a_name_is_shown_under_it_and_the_rest_is_left_out() -> None:
    named = words(LABELS={"rolled": "Rolled", "deck": "Cards in the pack", "held": "Cards"}, PIECES={"rolled": "card"})
    table = plain_table.table(named, OBSERVATION, ["take 0"], asking=True, over=False)
    assert told(table["facts"]) == {"Rolled": "R", "Cards in the pack": "18"}
    assert [told(seat["facts"]) for seat in table["seats"]] == [{"Cards": "R, R"}, {}]
    assert table["active"] == 1
    assert [rendering.to_text(offer["label"]) for offer in table["steps"]] == ["do take 0"]


def test_a_game_that_names_nothing_shows_everything_that_says_something() -> None:
    table = plain_table.table(words(), OBSERVATION, ["take 0"], asking=False, over=True)
    assert told(table["facts"]) == {
        "phase": "move",
        "rolled": "R",
        "pairs": "(R, G), (B)",
        "deck": "18",
        "open": "yes",
    }
    assert table["steps"] == []
    assert table["active"] is None
