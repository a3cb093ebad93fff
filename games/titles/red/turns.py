"""Which steps can still be completed to a whole turn: to the lead, or to the draw of a 3. Pure.

The search never names a whole turn (through chains of 5s there are thousands of them): it asks of each next step
whether any completion exists. Cards are bits here, see ``leading``.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.titles.red import leading
from games.titles.red.leading import strength
from games.titles.red.state import State

_COLOUR = leading.COLOUR


def legal_steps(state: State) -> list[str]:
    """The active seat's steps in a phase that asks: palette, canvas, END, PASS, or the actions of an icon."""
    phase = state.phase
    search = Search(state)
    hand = state.seats[search.seat].hand
    steps: list[str] = []
    if phase in ("turn", "palette"):
        steps += [f"P:{card}" for card in hand if search.lays(leading.BIT[card], search.hand, search.palette)]
    if phase in ("turn", "finish", "drawn"):
        leads = {colour: search.leads(search.palette, colour) for colour in leading.COLOURS}
        steps += [f"C:{card}" for card in hand if leads[card[0]]]
        if phase != "turn" and leads[state.rule]:
            steps.append("END")
        if phase != "finish":
            steps.append("PASS")
    if phase == "take":
        for seat in state.targets():
            letter = chr(ord("A") + seat)
            palette = state.seats[seat].palette
            steps += [f"T:{letter}:{card}" for card in palette if search.takes(seat, leading.BIT[card])]
    if phase == "shift":
        own = state.seats[search.seat].palette
        for place in ("canvas", "deck"):
            steps += [f"S:{place}:{card}" for card in own if search.shifts(place, leading.BIT[card])]
    return steps


Bars = dict[str, int]
"""What a palette must exceed to lead, by rule: the strength of the best rival."""


class Search:
    """The questions of one position; answers that repeat are kept."""

    def __init__(self, state: State) -> None:
        seats = state.seats
        self.seat = state.mover
        self.rule = state.rule
        self.icons = state.options.icons
        self.can_draw = bool(state.deck)
        self.hand = leading.mask(seats[self.seat].hand)
        self.palette = leading.mask(seats[self.seat].palette)
        self.rivals = {number: leading.mask(seats[number].palette) for number in state.living if number != self.seat}
        self._bars = self._hopes({rule: self._bar(rule) for rule in _COLOUR})
        self._chains: dict[int, bool] = {}
        self._hit: dict[int, Bars] = {}

    def leads(self, palette: int, rule: str) -> bool:
        """Whether a palette of cards that the mover holds would lead under the rule."""
        return rule in self._bars and strength(rule, palette) > self._bars[rule]

    def finishes(self, hand: int, palette: int, rule: str) -> bool:
        """Whether the turn can end in the lead once the palette part is over: at once or by a discard."""
        return _exceeds(self._bars, hand, palette, rule)

    def lays(self, card: int, hand: int, palette: int) -> bool:
        """Whether the turn can be completed after this card goes from the hand to the palette."""
        hand ^= card
        palette |= card
        row = _row(card) if self.icons else 0
        if row == 5 and hand:
            return self._chain(hand, palette)
        if row == 3 and self.can_draw:
            return True
        if row == 7:
            return bool(self._bars) and any(self._shifted(hand, palette, moved) for moved in _each(palette))
        if row == 1:
            size = palette.bit_count()
            if targets := [seat for seat, bits in self.rivals.items() if bits.bit_count() >= size]:
                return any(_exceeds(self._lowest(seat), hand, palette, self.rule) for seat in targets)
        return self.finishes(hand, palette, self.rule)

    def takes(self, seat: int, card: int) -> bool:
        """Whether the turn can be completed once a 1 has taken the rival's card."""
        bars = {rule: self._bar(rule, seat, card) for rule in _COLOUR}
        return _exceeds(bars, self.hand, self.palette, self.rule)

    def shifts(self, place: str, card: int) -> bool:
        """Whether the turn can be completed once a 7 has moved the own card to ``canvas`` or ``deck``."""
        rule = _colour(card) if place == "canvas" else self.rule
        return self.finishes(self.hand, self.palette ^ card, rule)

    def _bar(self, rule: str, hit: int | None = None, card: int = 0) -> int:
        """The best strength of the rivals, one of whom may have lost a card."""
        rivals = self.rivals.items()
        return max([strength(rule, bits ^ card if seat == hit else bits) for seat, bits in rivals], default=0)

    def _hopes(self, bars: Bars) -> Bars:
        """The rules under which all cards of the mover together would lead: a card more never weakens a palette."""
        whole = self.hand | self.palette
        return {rule: bar for rule, bar in bars.items() if strength(rule, whole) > bar}

    def _lowest(self, seat: int) -> Bars:
        """The bars after a 1 has taken from a rival what helps most, for each rule on its own."""
        if seat not in self._hit:
            cards = list(_each(self.rivals[seat]))
            self._hit[seat] = self._hopes(
                {rule: min(self._bar(rule, seat, card) for card in cards) for rule in _COLOUR}
            )
        return self._hit[seat]

    def _chain(self, hand: int, palette: int) -> bool:
        """After a 5. Hand and palette together are the same all along a chain, so the hand names the position."""
        if hand not in self._chains:
            # A 3 that draws needs no further look, so it is asked for first.
            order = sorted(_each(hand), key=lambda card: _row(card) != 3)
            self._chains[hand] = any(self.lays(card, hand, palette) for card in order)
        return self._chains[hand]

    def _shifted(self, hand: int, palette: int, card: int) -> bool:
        palette ^= card
        return self.finishes(hand, palette, self.rule) or self.leads(palette, _colour(card))


def _exceeds(bars: Bars, hand: int, palette: int, rule: str) -> bool:
    """Whether the palette beats a bar under the rule in force or under the colour of a card in hand."""
    for other, bar in bars.items():
        if (other == rule or hand & _COLOUR[other]) and strength(other, palette) > bar:
            return True
    return False


def _row(card: int) -> int:
    """The number on a card."""
    return (card.bit_length() - 1) // 7 + 1


def _colour(card: int) -> str:
    return leading.COLOURS[6 - (card.bit_length() - 1) % 7]


def _each(bits: int) -> Iterator[int]:
    """The single cards of a set, worst first."""
    while bits:
        card = bits & -bits
        yield card
        bits ^= card
