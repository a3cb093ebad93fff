"""What a position of Red is made of. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from games.titles.red import leading
from games.values import Value
from games.wording import mark as _

_ORDER = {card: place for place, card in enumerate(leading.DECK)}

TARGETS = {2: 40, 3: 35, 4: 30}
"""Points that win an advanced match, by number of seats."""

HAND = 7
"""Cards dealt to each hand; one more goes to each palette."""

ASKING = frozenset({"turn", "palette", "take", "shift", "finish", "drawn"})
"""Phases in which the active seat is awaited; in the others the server owes a step, or all is over."""


@dataclass(frozen=True, slots=True)
class Options:
    """How Red is played."""

    game: str = field(
        default="basic",
        metadata={
            "label": _("Variant"),
            "help": _("Basic is one round. Advanced goes on to a number of points and lets high discards draw cards."),
            "choices": {"basic": _("Basic"), "advanced": _("Advanced")},
        },
    )
    icons: bool = field(
        default=False,
        metadata={
            "label": _("Icons"),
            "help": _("1, 3, 5 and 7 act when they are laid to a palette from the hand."),
        },
    )


@dataclass(frozen=True)
class Seat(Value):
    """One seat's cards. ``hand`` and ``known`` (those of the hand that everybody knows) stand in printed order,
    ``palette`` in the order laid, ``scored`` in the order won; ``out`` is the order of going out of the round."""

    hand: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    palette: tuple[str, ...] = ()
    out: int | None = None
    score: int = 0
    scored: tuple[str, ...] = ()

    def without(self, card: str) -> Seat:
        """The seat after a card has left its hand."""
        known = without(self.known, card) if card in self.known else self.known
        return self.but(hand=without(self.hand, card), known=known)


@dataclass(frozen=True)
class State(Value):
    """A position. ``phase`` is what is owed and by whom:

    ``deal`` the server deals; ``turn`` a turn begins; ``palette`` a 5 owes another palette card; ``take`` a 1 and
    ``shift`` a 7 owe their action; ``draw`` the server draws for a 3; ``finish`` the palette part is over; ``drawn``
    the same after a 3 has drawn; ``turned`` the turn is over; ``score`` the round is; ``over`` the match is.
    """

    options: Options
    phase: str
    round: int
    active: int | None
    rule: str
    canvas: tuple[str, ...]
    deck: tuple[str, ...]
    known_top: int
    """How many cards on top of the deck were put there openly."""
    bonus: bool
    """A high discard still owes its draw."""
    seats: tuple[Seat, ...]

    @property
    def mover(self) -> int:
        """The seat whose turn it is. Raises ValueError between the turns."""
        if self.active is None:
            raise ValueError(f"no turn in phase {self.phase!r}")
        return self.active

    @property
    def living(self) -> list[int]:
        """The seats still in the round."""
        return [number for number, seat in enumerate(self.seats) if seat.out is None]

    @property
    def palettes(self) -> list[tuple[str, ...] | None]:
        """The palettes as the rules count them: None for who is out."""
        return [seat.palette if seat.out is None else None for seat in self.seats]

    def leader(self) -> int | None:
        """The seat that leads now, or None."""
        return leading.leader(self.rule, self.palettes)

    def with_seat(self, number: int, seat: Seat, **changes: Any) -> State:
        """The position with another value for one seat, and other changes."""
        return self.but(seats=(*self.seats[:number], seat, *self.seats[number + 1 :]), **changes)

    def after(self, number: int) -> int:
        """The next living seat to the left of a seat (itself, if no other lives)."""
        count = len(self.seats)
        around = ((number + step) % count for step in range(1, count + 1))
        return next(seat for seat in around if self.seats[seat].out is None)

    def targets(self) -> list[int]:
        """Whom the active seat's 1 may hit: living rivals whose palette has no fewer cards than its own."""
        own = len(self.seats[self.mover].palette)
        return [seat for seat in self.living if seat != self.mover and len(self.seats[seat].palette) >= own]


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards without one of them."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards in printed order: the canonical order of everything hidden."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))
