"""The board of Barvosauři: coloured spaces, each for one figure. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

COLOURS = "ROYGBP"
"""The colours of die, cards and spaces: red, orange, yellow, green, blue, purple."""


@dataclass(frozen=True, slots=True)
class Space:
    """A space: its name ("R3", whose letter is its colour) and its centre, in the units of the board's box."""

    name: str
    x: float = 0.0
    y: float = 0.0

    @property
    def colour(self) -> str:
        """The letter of its colour."""
        return self.name[0]


@dataclass(frozen=True)
class Board:
    """All spaces in printed order; ``box`` is the size of the picture, ``radius`` that of a space in it."""

    spaces: tuple[Space, ...]
    box: tuple[float, float] = (100.0, 100.0)
    radius: float = 6.5

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The names of the spaces of each colour, by number."""
        return {colour: tuple(space.name for space in self.spaces if space.colour == colour) for colour in COLOURS}


def plain(count: int) -> Board:
    """A board without a picture that has ``count`` spaces of each colour."""
    return _checked(Board(tuple(Space(f"{colour}{number}") for colour in COLOURS for number in range(1, count + 1))))


def load(path: Path) -> Board:
    """The board of a data file. Raises ValueError if it is not a board of these colours."""
    data = json.loads(path.read_text(encoding="utf-8"))
    codes = {colour["name"]: colour["code"] for colour in data["colors"]}
    if "".join(codes.values()) != COLOURS:
        raise ValueError(f"{path} has other colours")
    if any(space["id"][0] != codes[space["color"]] for space in data["spaces"]):
        raise ValueError(f"{path} names a space after another colour")
    width, height = data["box"]
    spaces = _by_row(Space(space["id"], space["x"], space["y"]) for space in data["spaces"])
    return _checked(Board(spaces, (width, height), data["radius"]))


def _by_row(spaces: Iterable[Space]) -> tuple[Space, ...]:
    return tuple(sorted(spaces, key=lambda space: (space.y, space.x)))


def _checked(board: Board) -> Board:
    """The board. Raises ValueError unless every colour has the same number of spaces, numbered from 1."""
    count = len(board.spaces) // len(COLOURS)
    expected = {colour: tuple(f"{colour}{number}" for number in range(1, count + 1)) for colour in COLOURS}
    if board.names != expected:
        raise ValueError("a colour lacks a space or has one too many")
    return board
