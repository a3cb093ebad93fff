"""The pieces of Barvosauři in words, and places for them in sentences. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from games.wording import Piece, Pieces, Sentence, mark as _

_COLOURS = {
    "R": _("red"),
    "O": _("orange"),
    "Y": _("yellow"),
    "G": _("green"),
    "B": _("blue"),
    "P": _("purple"),
}
_CARDS = {
    "R": _("a red card"),
    "O": _("an orange card"),
    "Y": _("a yellow card"),
    "G": _("a green card"),
    "B": _("a blue card"),
    "P": _("a purple card"),
}
_DINOSAURS = {
    "R": _("tyrannosaur"),
    "O": _("triceratops"),
    "Y": _("pterosaur"),
    "G": _("stegosaur"),
    "B": _("long-neck"),
    "P": _("ankylosaur"),
}
_SPACES = {
    "R": _("red {number}"),
    "O": _("orange {number}"),
    "Y": _("yellow {number}"),
    "G": _("green {number}"),
    "B": _("blue {number}"),
    "P": _("purple {number}"),
}


def name(kind: str, value: str) -> Sentence:
    """The name of a piece: a card ("a red card"), a space ("red 3"), a colour ("red") or its dinosaur."""
    if kind == "dinosaur" and value in _DINOSAURS:
        return Sentence(_DINOSAURS[value])
    if kind == "card" and value in _CARDS:
        return Sentence(_CARDS[value])
    if kind == "space" and value[:1] in _SPACES:
        return Sentence(_SPACES[value[0]], number=value[1:])
    if kind == "colour" and value in _COLOURS:
        return Sentence(_COLOURS[value])
    return Sentence("{value}", value=value)


def card(value: str) -> Piece:
    """A place for a card of a colour."""
    return Piece("card", value)


def space(value: str) -> Piece:
    """A place for a space."""
    return Piece("space", value)


def colour(value: str) -> Piece:
    """A place for a colour."""
    return Piece("colour", value)


def cards(values: Sequence[str]) -> Pieces:
    """A place for cards in a row."""
    return Pieces("card", tuple(values))
