"""What a position of Barvosauři is made of. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from games.titles.barvosauri.board import COLOURS
from games.values import Value
from games.wording import mark as _

COPIES = 4
"""Cards of each colour."""

SLOTS = 4
"""Cards on show."""

ASKING = frozenset({"place", "move", "harvest"})
"""Phases in which the active seat is awaited; in the others the server owes a step, or all is over."""

ROYAL = ("colours", "four of a colour")
"""The ways to end at once, by the hand of the player on turn."""


@dataclass(frozen=True, slots=True)
class Options:
    """How Barvosauři is played."""

    goal_colors: int = field(
        default=6,
        metadata={
            "label": _("Colours for the royal win"),
            "help": _("Four is the quick variant. All four cards of one colour win in either."),
            "choices": {6: _("All six"), 4: _("Four: the quick variant")},
        },
    )
    first_turn_card: bool = field(
        default=True,
        metadata={
            "label": _("A card in the first turn"),
            "help": _("Two figures placed on the same colour in the first turn earn a card at once."),
        },
    )
    harvest: str = field(
        default="one",
        metadata={
            "label": _("Take and exchange"),
            "help": _("After a success you take a card or exchange one; or first take and then exchange as well."),
            "choices": {"one": _("One of the two"), "both": _("Both in one turn")},
        },
    )
    board: str = field(
        default="whole",
        metadata={
            "label": _("Board"),
            "help": _("On the tighter board each colour has one space more than there are players; four use it all."),
            "choices": {"whole": _("Five spaces of each colour"), "tight": _("Tighter")},
        },
    )
    stall_rounds: int = field(
        default=25,
        metadata={
            "label": _("End without a winner in sight"),
            "help": _("After so many rounds in a row in which nobody takes a card, the cards are counted."),
            "choices": {25: _("After 25 rounds"), 15: _("After 15 rounds")},
        },
    )


@dataclass(frozen=True)
class Seat(Value):
    """One player's things: the spaces of both figures (None: still off the board), and the cards earned, by colour."""

    figures: tuple[str | None, str | None] = (None, None)
    held: tuple[str, ...] = ()


@dataclass(frozen=True)
class State(Value):
    """A position. ``phase`` is what is owed and by whom:

    ``deal`` the server shuffles and shows four cards; ``roll`` it rolls for the active seat; ``place`` a figure goes
    onto the board; ``move`` a figure moves or all stay; ``harvest`` both figures stand on one colour, which may earn
    something; ``fill`` the server fills the slots ``owed`` from the pack; ``over`` the match is.
    """

    options: Options
    phase: str
    active: int | None
    """The seat whose turn it is, also while the server owes something in it; at the end the one on turn last."""
    rolled: str | None
    """The colour rolled, once it has a free space."""
    pair: str | None
    """The colour on which the move has brought both figures, while it can still earn something."""
    owed: tuple[int, ...]
    """Slots on show to be filled, in this order."""
    refreshed: bool
    """Cards on show have been replaced in this turn."""
    took: bool
    """A card has been taken in this turn."""
    since_take: int
    """Turns ended in a row in which nobody took a card."""
    display: tuple[str | None, ...]
    deck: tuple[str, ...]
    known_bottom: int
    """How many cards at the bottom of the pack everybody saw go there."""
    seats: tuple[Seat, ...]
    how: str | None
    """How the match ended."""

    @property
    def mover(self) -> int:
        """The seat whose turn it is. Raises ValueError before the deal."""
        if self.active is None:
            raise ValueError("nobody's turn")
        return self.active

    @property
    def own(self) -> Seat:
        """The things of the seat whose turn it is."""
        return self.seats[self.mover]

    def with_own(self, seat: Seat, **changes: Any) -> State:
        """The position with another value for the active seat, and other changes."""
        seats = (*self.seats[: self.mover], seat, *self.seats[self.mover + 1 :])
        return self.but(seats=seats, **changes)

    def shown(self, slot: int, card: str | None) -> tuple[str | None, ...]:
        """The cards on show with another one in a slot."""
        return (*self.display[:slot], card, *self.display[slot + 1 :])


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards by colour: the order in which a hand lies."""
    return tuple(sorted(cards, key=COLOURS.index))


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without one of that colour."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def royal(held: tuple[str, ...], goal_colors: int) -> str | None:
    """Which royal win these cards are: ``colours`` or ``four of a colour``; None if they are none."""
    if len(set(held)) >= goal_colors:
        return "colours"
    return "four of a colour" if any(held.count(colour) == COPIES for colour in set(held)) else None
