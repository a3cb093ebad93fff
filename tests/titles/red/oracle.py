"""Red once more, as plainly as the rules read, to be compared with the real thing: every subset, every turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

ORDER = [colour + number for number in "1234567" for colour in "VIBGYOR"]
"""All cards, worst first."""


def fits(rule: str, chosen: tuple[str, ...]) -> bool:
    """Whether a set of cards satisfies the rule."""
    numbers = [int(card[1]) for card in chosen]
    colours = [card[0] for card in chosen]
    if rule == "R":
        return len(chosen) == 1
    if rule == "O":
        return len(set(numbers)) == 1
    if rule == "Y":
        return len(set(colours)) == 1
    if rule == "G":
        return all(number % 2 == 0 for number in numbers)
    if rule == "B":
        return len(set(colours)) == len(chosen)
    if rule == "I":
        return sorted(numbers) == list(range(min(numbers), min(numbers) + len(numbers)))
    return all(number < 4 for number in numbers)


def best_set(rule: str, palette: list[str]) -> tuple[str, ...]:
    """The largest fitting set, best card first; of equally large ones the one whose best cards are better."""
    cards = sorted(palette, key=ORDER.index, reverse=True)
    for size in range(len(cards), 0, -1):
        fitting = [chosen for chosen in combinations(cards, size) if fits(rule, chosen)]
        if fitting:
            return max(fitting, key=lambda chosen: [ORDER.index(card) for card in chosen])
    return ()


def leading_seat(rule: str, palettes: dict[int, list[str]]) -> int | None:
    """The seat that leads, None if nobody has a fitting card."""
    standing = {seat: best_set(rule, cards) for seat, cards in palettes.items()}
    able = [seat for seat, best in standing.items() if best]
    return max(able, key=lambda seat: (len(standing[seat]), ORDER.index(standing[seat][0])), default=None)


@dataclass
class Table:
    """A position at the start of a turn; ``palettes`` are those of the living, by seat."""

    mover: int
    rule: str
    hand: list[str]
    palettes: dict[int, list[str]]
    deck: int
    icons: bool

    def but(self, **changes: object) -> Table:
        """A copy with changes; the lists are never changed in place."""
        return Table(**{**self.__dict__, **changes})  # type: ignore[arg-type]

    def ends(self) -> Iterator[list[str]]:
        """The ways to end the turn in the lead now that the palette part is over."""
        if leading_seat(self.rule, self.palettes) == self.mover:
            yield ["END"]
        yield from self.discards()

    def discards(self) -> Iterator[list[str]]:
        """The discards that lead."""
        for card in self.hand:
            if leading_seat(card[0], self.palettes) == self.mover:
                yield [f"C:{card}"]

    def lays(self) -> Iterator[list[str]]:
        """The turns that begin with a palette card, to their end or to the draw of a 3."""
        for card in self.hand:
            hand = [other for other in self.hand if other != card]
            palettes = {**self.palettes, self.mover: [*self.palettes[self.mover], card]}
            laid = self.but(hand=hand, palettes=palettes)
            for rest in laid.acts(card[1]) if self.icons else laid.ends():
                yield [f"P:{card}", *rest]

    def acts(self, number: str) -> Iterator[list[str]]:
        """What may follow the card just laid."""
        own = self.palettes[self.mover]
        if number == "3" and self.deck:
            yield ["draw"]
        elif number == "5" and self.hand:
            yield from self.lays()
        elif number == "7":
            for card in own:
                after = self.but(palettes={**self.palettes, self.mover: [other for other in own if other != card]})
                for rest in after.but(rule=card[0]).ends():
                    yield [f"S:canvas:{card}", *rest]
                for rest in after.ends():
                    yield [f"S:deck:{card}", *rest]
        elif number == "1" and (hit := [s for s, p in self.palettes.items() if s != self.mover and len(p) >= len(own)]):
            for seat in hit:
                for card in self.palettes[seat]:
                    left = [other for other in self.palettes[seat] if other != card]
                    for rest in self.but(palettes={**self.palettes, seat: left}).ends():
                        yield [f"T:{'ABCD'[seat]}:{card}", *rest]
        else:
            yield from self.ends()

    def turns(self) -> Iterator[list[str]]:
        """Every complete turn but PASS; "draw" stands at the end of one that a 3 interrupts."""
        yield from self.discards()
        yield from self.lays()
