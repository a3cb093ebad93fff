"""Sentences as values: what a title's ``words.py`` returns and the site renders to HTML or to text. Pure.

A sentence is an English text marked for translation with named places:
``Sentence(_("{seat} laid {card}."), seat=Seat(1), card=Piece("card", "R7"))``.
The site translates the text and fills the places: a seat with its name, a
piece with a small picture (or its name, in text).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


def mark(text: str) -> str:
    """Marks a text for translation (imported as ``_``); it is translated when it is rendered."""
    return text


@dataclass(frozen=True, slots=True)
class Seat:
    """A place for the name of who sits there; ``name`` is that of who sat there then, if it is somebody else now."""

    number: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A place for a piece of the game: ``kind`` is the title's word ("card"), ``value`` its notation ("R7")."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """A place for several pieces in a row."""

    kind: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, init=False)
class Sentence:
    """A text with places. ``plural`` is its form for more than one; ``count`` is the number that decides."""

    text: str
    plural: str
    count: int | None
    places: Mapping[str, Any]

    def __init__(self, text: str, /, plural: str = "", count: int | None = None, **places: Any) -> None:
        if count is not None:
            places.setdefault("count", count)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "plural", plural)
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "places", places)
