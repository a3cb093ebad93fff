"""Sentences as values: what a title's ``words.py`` returns and the site renders to HTML or to text. Pure.

A sentence is an English text marked for translation with named places:
``Sentence(_("{seat} laid {card}."), seat=Seat(1), card=Piece("card", "R7"))``.
The site translates the text and fills the places: a seat with its name, a
piece with a small picture (or its name, in text).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


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


Facts = Mapping[str, Any]


class Words(Protocol):
    """What a title says: its module ``words``. ``me`` is the seat that is told, None for nobody at the table.

    It may also have ``piece(kind, value)``, the name of a piece (its notation without it); ``ENDINGS``, by reason how
    matches end, for the statistics; ``LABELS`` and ``PIECES``, see ``plain_table``.
    """

    NAME: str
    TAGLINE: str

    def news(self, value: Facts, me: int | None) -> Sentence | None:
        """A seen news value, for the log; None for what is not worth a line."""
        ...

    def refusal(self, reason: str, facts: Facts, observation: Facts) -> Sentence:
        """Why a step was refused; ``observation`` is from before it, and ``refusals.shared`` knows the engine's own."""
        ...

    def step(self, text: str, observation: Facts) -> Sentence:
        """A step of a plan, or a button for it; ``observation`` is from before the turn. Takes any text."""
        ...

    def ask(self, observation: Facts, legal: Sequence[str]) -> Sentence:
        """What is asked of the active seat, or who is waited for when nothing is legal for who looks."""
        ...

    def result(self, observation: Facts, places: Sequence[int], reason: str, me: int | None) -> Sentence:
        """How the match ended; ``reason`` is that of the outcome, ``observation`` everything."""
        ...
