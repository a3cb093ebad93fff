"""The golden records of the dead tie as an ending: kept for ever, like those with the real deck."""

from __future__ import annotations

import json

import pytest

from games import verify
from tests.titles.power_cards.small_decks import FOLDER, GAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_dead_tie_that_ends_the_match(name: str) -> None:
    game, seats = GAMES[name]
    record = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert verify.check(record, game) == []
    assert record["outcome"] == {"places": [1] * seats, "reason": "dead tie"}
    told = [value["what"] for value in record["rows"][-1]["news"]]
    assert told.count("dropped") == told.count("out") == seats
    assert told[-1] == "ended"
