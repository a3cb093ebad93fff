"""What a position of Power Cards is made of. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.titles.power_cards.deck import CROSS, PIGGY
from games.values import Value
from games.wording import mark as _

CAP = 300
"""Rounds after which every match ends by count, whatever the options say."""

CHAIN = 20
"""Catapults in a row after which nothing is built from one: two finished constructions could pass a weak piggy to and
fro for ever, with nobody asked anything."""

UPRIGHTS = 2
"""Upright parts of a construction: both must stand before the cross part goes on top."""

QUICK_CONSTRUCTIONS = 2
"""In the quicker ending nobody has more constructions than this, and two with piggies end the match."""


@dataclass(frozen=True, slots=True)
class Options:
    """How Power Cards is played."""

    quick: str = field(
        default="agree",
        metadata={
            "label": _("Quicker ending"),
            "help": _("With two players left and an empty table: no catapults any more, two piggies end the match."),
            "choices": {"never": _("Never"), "agree": _("If both agree"), "auto": _("Always")},
        },
    )
    max_rounds: int = field(
        default=0,
        metadata={
            "label": _("Limit of rounds"),
            "help": _("Whoever has the most cards then wins. A match without a limit ends after 300 rounds."),
            "choices": {0: _("No limit"), 40: _("40 rounds"), 60: _("60 rounds"), 100: _("100 rounds")},
        },
    )
    build: str = field(
        default="must",
        metadata={
            "label": _("Building"),
            "help": _("Whether won cards that fit must be built, or may be held back."),
            "choices": {"must": _("What fits is built"), "may": _("Free")},
        },
    )
    max_cons: int = field(
        default=0,
        metadata={
            "label": _("Constructions"),
            "help": _("Whether another one may be begun while a finished one waits for its piggy."),
            "choices": {0: _("Several"), 1: _("One at a time")},
        },
    )
    catapult_build: bool = field(
        default=False,
        metadata={
            "label": _("Build after a catapult"),
            "help": _("Whoever beats a piggy builds with the cards won, as after any other round."),
        },
    )


@dataclass(frozen=True)
class Construction(Value):
    """Parts of one material on the table: up to two uprights, a cross part, a piggy on top."""

    material: str
    uprights: tuple[str, ...]
    cross: str | None = None
    piggy: str | None = None

    @property
    def finished(self) -> bool:
        """Whether it has its three parts; the piggy is no part."""
        return self.cross is not None

    @property
    def cards(self) -> tuple[str, ...]:
        """Its cards, from the bottom up."""
        return (*self.uprights, *(card for card in (self.cross, self.piggy) if card is not None))

    @property
    def tops(self) -> tuple[str, ...]:
        """What may be taken off it now: the piggy, else the cross part, else one of the uprights."""
        top = self.piggy or self.cross
        return self.uprights if top is None else (top,)

    def with_card(self, card: str, part: str) -> Construction:
        """The construction with another part, put where it belongs."""
        if part == PIGGY:
            return self.but(piggy=card)
        if part == CROSS:
            return self.but(cross=card)
        return self.but(uprights=(*self.uprights, card))

    def without(self, card: str) -> Construction:
        """The construction after one of its ``tops`` was taken off."""
        if card == self.piggy:
            return self.but(piggy=None)
        if card == self.cross:
            return self.but(cross=None)
        return self.but(uprights=tuple(other for other in self.uprights if other != card))


@dataclass(frozen=True)
class Seat(Value):
    """One seat's cards.

    The pack lies in layers, top first: ``dealt`` are the cards dealt that
    nobody has seen yet, ``won`` the sets that went under it, win by win, as
    far as they are left. Everybody knows these sets, nobody the order.
    ``drawn`` is a card that the seat will take off a construction, where it
    stays until all have drawn. ``out`` is the round after which no card was left.
    """

    dealt: tuple[str, ...] = ()
    won: tuple[tuple[str, ...], ...] = ()
    constructions: tuple[Construction, ...] = ()
    drawn: str | None = None
    out: int | None = None

    @property
    def top(self) -> str | None:
        """The top card of the pack, None if the pack is empty."""
        if self.dealt:
            return self.dealt[0]
        return self.won[0][0] if self.won else None

    @property
    def size(self) -> int:
        """How many cards the pack has."""
        return len(self.dealt) + sum(map(len, self.won))

    @property
    def count(self) -> int:
        """All cards of the seat: pack and constructions."""
        return self.size + sum(len(construction.cards) for construction in self.constructions)

    @property
    def holds(self) -> bool:
        """Whether the seat has any card."""
        return bool(self.dealt or self.won or self.constructions)

    @property
    def waits(self) -> bool:
        """Whether the seat has to draw before cards are compared."""
        return not self.dealt and not self.won and self.drawn is None

    @property
    def tops(self) -> tuple[str, ...]:
        """What may be taken off the constructions, in their order."""
        return tuple(card for construction in self.constructions for card in construction.tops)

    def shown(self) -> Seat:
        """The seat without the top card of its pack."""
        if self.dealt:
            return self.but(dealt=self.dealt[1:])
        rest = self.won[0][1:]
        return self.but(won=(rest, *self.won[1:]) if rest else self.won[1:])

    def under(self, cards: tuple[str, ...]) -> Seat:
        """The seat with the cards, in this order, under its pack."""
        return self.but(won=(*self.won, cards))

    def place_of(self, card: str) -> int:
        """The number of the construction that the card stands on. Raises StopIteration if there is none."""
        return next(n for n, construction in enumerate(self.constructions) if card in construction.cards)

    def taken_off(self, card: str) -> Seat:
        """The seat after a card was taken off its construction; one without cards is gone."""
        place = self.place_of(card)
        left = self.constructions[place].without(card)
        kept = (left,) if left.uprights else ()
        return self.but(constructions=(*self.constructions[:place], *kept, *self.constructions[place + 1 :]))


@dataclass(frozen=True)
class State(Value):
    """A position. ``phase`` is what is owed and by whom:

    ``deal`` the server deals; ``start`` it looks whether the match ends, then another round begins; ``draw`` a seat
    without a pack chooses a part of a construction; ``show`` the server shows what was drawn before a call; ``call``
    the caller names a property or offers the quicker ending; ``reply`` the other seat answers the offer; ``reveal``
    the server turns the top cards over; ``build`` the winner builds (without an active seat: the server does);
    ``built`` the server puts the rest under the pack; ``over`` the match is over.
    """

    options: Options
    phase: str
    active: int | None
    round: int
    """Calls made so far."""
    caller: int
    """Who calls; once a round or a catapult is won, its winner, who builds and leads the next round."""
    named: str | None
    """What is compared: the property named, or the catapult."""
    contest: tuple[int, ...]
    """The seats whose top cards are compared: all with cards, in a play-off those tied, in a catapult the others."""
    pot: tuple[str, ...]
    """Cards that lie open in the middle."""
    piggy: str | None
    """The piggy just put on a construction, until its catapult is decided."""
    chain: int
    """Catapults since the last call."""
    fast: bool
    """The quicker ending is on."""
    offered: bool
    """It was offered since the table became empty."""
    how: str | None
    """How the match ended: ``last``, ``limit``, ``fast``, ``dead tie``; None until it has."""
    seats: tuple[Seat, ...]

    def seats_with(self, number: int, seat: Seat) -> tuple[Seat, ...]:
        """The seats with another value for one."""
        return (*self.seats[:number], seat, *self.seats[number + 1 :])

    def with_seat(self, number: int, seat: Seat, **changes: Any) -> State:
        """The position with another value for one seat, and other changes."""
        return self.but(seats=self.seats_with(number, seat), **changes)

    def with_seats(self, seats: Mapping[int, Seat], **changes: Any) -> State:
        """The position with other values for some seats, and other changes."""
        if seats:
            changes["seats"] = tuple(seats.get(number, seat) for number, seat in enumerate(self.seats))
        return self.but(**changes) if changes else self

    @property
    def living(self) -> tuple[int, ...]:
        """The seats that have cards, in a pack or in constructions."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.holds)

    @property
    def empty_table(self) -> bool:
        """Whether nothing lies on the table: no pot and no construction."""
        return not self.pot and not any(seat.constructions for seat in self.seats)

    def from_caller(self, numbers: Iterable[int]) -> list[int]:
        """The seats in seat order, beginning with the caller."""
        count = len(self.seats)
        return sorted(numbers, key=lambda number: (number - self.caller) % count)
