"""The board of the site is the one of its data, and no other data pass for a board."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Any

import pytest

from games.titles.barvosauri import GAMES, board

FILE = Path(board.__file__).with_name("board.json")
BOARD = GAMES[-1].board


def test_thirty_spaces_in_the_rows_of_an_egg() -> None:
    assert len(BOARD.spaces) == 30
    assert list(Counter(space.y for space in BOARD.spaces).values()) == [3, 4, 5, 6, 5, 4, 3]
    assert BOARD.names == {colour: tuple(f"{colour}{number}" for number in range(1, 6)) for colour in "ROYGBP"}


def test_spaces_do_not_touch_and_equal_colours_lie_apart() -> None:
    for one, other in combinations(BOARD.spaces, 2):
        away = dist((one.x, one.y), (other.x, other.y))
        assert away > 2 * BOARD.radius
        assert one.colour != other.colour or away > 31.9
    for space in BOARD.spaces:
        assert BOARD.radius < space.x < BOARD.box[0] - BOARD.radius
        assert BOARD.radius < space.y < BOARD.box[1] - BOARD.radius


def changed(path: Path, change: Any) -> Path:
    """A board file with something changed."""
    data = json.loads(FILE.read_text("utf-8"))
    change(data)
    path.write_text(json.dumps(data), "utf-8")
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data["spaces"].pop(),
        lambda data: data["colors"].pop(),
        lambda data: data["spaces"][0].update(id="B9"),
        lambda data: data["spaces"][0].update(id="R9"),
        lambda data: data["spaces"].append(data["spaces"][0]),
    ],
)
def test_other_data_are_refused(tmp_path: Path, change: Any) -> None:
    with pytest.raises((ValueError, KeyError)):
        board.load(changed(tmp_path / "board.json", change))
