"""The rules of Red in words: how a palette stands and why one leads. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.red.leading import leader, rank, winning_set
from games.wording import Piece, Pieces, Seat, Sentence, mark as _

COLOURS = {
    "R": _("red"),
    "O": _("orange"),
    "Y": _("yellow"),
    "G": _("green"),
    "B": _("blue"),
    "I": _("indigo"),
    "V": _("violet"),
}
CARDS = {
    "R": _("red {number}"),
    "O": _("orange {number}"),
    "Y": _("yellow {number}"),
    "G": _("green {number}"),
    "B": _("blue {number}"),
    "I": _("indigo {number}"),
    "V": _("violet {number}"),
}
ON_CARD = {
    "R": _("highest card"),
    "O": _("same number"),
    "Y": _("same colour"),
    "G": _("even cards"),
    "B": _("different colours"),
    "I": _("run"),
    "V": _("below 4"),
}
"""The rule of a colour as it is printed on its cards."""

AIMS = {
    "R": _("Red: highest card"),
    "O": _("Orange: most of one number"),
    "Y": _("Yellow: most of one colour"),
    "G": _("Green: most even cards"),
    "B": _("Blue: most different colours"),
    "I": _("Indigo: longest run"),
    "V": _("Violet: most cards below 4"),
}


def standing(rule: str, cards: Sequence[str]) -> Sentence:
    """What a set of fitting cards amounts to under a rule ("3 even cards"), without saying whose it is."""
    count = len(cards)
    if not count:
        return Sentence(_("no card that counts"))
    return {
        "R": lambda: Sentence(_("the highest card")),
        "O": lambda: Sentence("{count} card of one number", "{count} cards of one number", count),
        "Y": lambda: Sentence("{count} card of one colour", "{count} cards of one colour", count),
        "G": lambda: Sentence("{count} even card", "{count} even cards", count),
        "B": lambda: Sentence("{count} colour", "{count} different colours", count),
        "I": lambda: Sentence("{count} card in a row", "{count} cards in a row", count),
        "V": lambda: Sentence("{count} card below 4", "{count} cards below 4", count),
    }[rule]()


def briefly(rule: str, cards: Sequence[str]) -> Sentence:
    """What a palette counts under a rule, whether it leads or not ("3 even cards", "at best red 6")."""
    if rule == "R" and cards:
        return Sentence(_("at best {card}"), card=Piece("card", cards[0]))
    return standing(rule, cards)


def palettes(observation: Mapping[str, Any]) -> list[list[str] | None]:
    """Every palette as the rules count it: None for a seat that is out."""
    return [None if seat["out"] else seat["palette"] for seat in observation["seats"]]


def leading_seat(observation: Mapping[str, Any]) -> int | None:
    """The seat that leads in what is seen, or None."""
    return leader(observation["rule"], palettes(observation))


def compare(rule: str, rows: Sequence[Sequence[str] | None], seat: int) -> tuple[bool, Sentence]:
    """Whether a seat leads under a rule, and the reason as words of its own player, to stand behind a colon.

    The reason names the strongest other seat. A row of None is out.
    """
    mine = winning_set(rule, rows[seat] or ())
    others = {n: winning_set(rule, row) for n, row in enumerate(rows) if row is not None and n != seat}
    rival = leader(rule, [row if n in others else None for n, row in enumerate(rows)])
    if not mine:
        return False, Sentence(_("no card of your palette counts"))
    own = standing(rule, mine)
    if rival is None:
        return True, Sentence(_("{mine}, and nobody else has any"), mine=own)
    theirs = others[rival]
    best, other, who = Piece("card", mine[0]), Piece("card", theirs[0]), Seat(rival)
    ahead = (len(mine), rank(mine[0])) > (len(theirs), rank(theirs[0]))
    if len(mine) != len(theirs):
        return ahead, Sentence(_("{mine}, against {number} of {rival}"), mine=own, number=len(theirs), rival=who)
    if rule == "R":
        text = _("your {best} beats {other} of {rival}") if ahead else _("{other} of {rival} beats your {best}")
    elif ahead:
        text = _("{mine}, as many as {rival}, and your {best} beats {other}")
    else:
        text = _("{mine}, as many as {rival}, but {other} beats your {best}")
    return ahead, Sentence(text, mine=own, rival=who, best=best, other=other)


def shown(rule: str, cards: Sequence[str]) -> Sentence:
    """A set with what it amounts to: "green 4, violet 2: 2 even cards"."""
    return Sentence(_("{cards}: {standing}"), cards=Pieces("card", tuple(cards)), standing=standing(rule, cards))
