"""Who leads: the order of the cards and the seven rules. Pure.

Sets of cards are numbers here, one bit a card in order of rank: the whole
search for legal turns runs on them. Outside they are texts ("R7").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

COLOURS = "ROYGBIV"
DECK = tuple(f"{colour}{number}" for colour in COLOURS for number in range(1, 8))
"""The 49 cards in printed order."""

_RANK = {card: (int(card[1]) - 1) * 7 + 6 - COLOURS.index(card[0]) for card in DECK}
_BY_RANK = tuple(sorted(DECK, key=_RANK.__getitem__))
BIT = {card: 1 << rank for card, rank in _RANK.items()}
COLOUR = {colour: sum(BIT[card] for card in DECK if card[0] == colour) for colour in COLOURS}
"""All cards of a colour."""

_COLUMNS = tuple(COLOUR.values())
_EVEN = sum(BIT[card] for card in DECK if card[1] in "246")
_LOW = sum(BIT[card] for card in DECK if card[1] in "123")


def rank(card: str) -> int:
    """The place of a card in the order of all, 0 (V1) to 48 (R7): number first, then the colour nearer red."""
    return _RANK[card]


def mask(cards: Iterable[str]) -> int:
    """The cards as bits."""
    return sum([BIT[card] for card in cards])


def cards(bits: int) -> tuple[str, ...]:
    """The cards of a mask, best to worst."""
    found = []
    while bits:
        top = bits.bit_length() - 1
        found.append(_BY_RANK[top])
        bits ^= 1 << top
    return tuple(found)


def _one_number(bits: int) -> int:
    best, size = 0, 0
    for shift in range(42, -1, -7):  # from the 7s down: the higher number wins equal counts
        row = bits >> shift & 127
        if row and (count := row.bit_count()) > size:
            best, size = row << shift, count
    return best


def _one_colour(bits: int) -> int:
    best, size = 0, 0
    for column in _COLUMNS:
        if (found := bits & column) and (count := found.bit_count()) >= size and (count > size or found > best):
            best, size = found, count
    return best


def _all_colours(bits: int) -> int:
    best = 0
    for column in _COLUMNS:
        if found := bits & column:
            best |= 1 << found.bit_length() - 1
    return best


def _run(bits: int) -> int:
    best, size, run, length = 0, 0, 0, 0
    for shift in range(42, -1, -7):  # from the 7s down: the higher top wins equal lengths
        row = bits >> shift & 127
        if not row:
            run, length = 0, 0
            continue
        run |= 1 << shift + row.bit_length() - 1
        length += 1
        if length > size:
            best, size = run, length
    return best


_FITTING: dict[str, Callable[[int], int]] = {
    "R": lambda bits: 1 << bits.bit_length() - 1 if bits else 0,
    "O": _one_number,
    "Y": _one_colour,
    "G": lambda bits: bits & _EVEN,
    "B": _all_colours,
    "I": _run,
    "V": lambda bits: bits & _LOW,
}
"""The largest set that satisfies the rule, best card deciding; 0 for none."""


@lru_cache(maxsize=1 << 10)  # as good as 32 times as many: most of it comes again within one decision
def strength(rule: str, bits: int) -> int:
    """How a palette stands under a rule, to be compared: by the size of its set, then its best card; 0 for none."""
    fitting = _FITTING[rule](bits)
    return fitting.bit_count() << 6 | fitting.bit_length()


def winning_set(rule: str, palette: Iterable[str]) -> tuple[str, ...]:
    """The largest set of the cards that satisfies the rule, best card first; () if none fits.

    Of several equally large sets it is the one with the best card.
    """
    return cards(_FITTING[rule](mask(palette)))


def leader(rule: str, palettes: Sequence[Sequence[str] | None]) -> int | None:
    """The seat that leads under the rule, or None if nobody has a fitting card. A palette of None is out."""
    best, seat = 0, None
    for number, palette in enumerate(palettes):
        if palette is not None and (mine := strength(rule, mask(palette))) > best:
            best, seat = mine, number
    return seat
