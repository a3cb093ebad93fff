"""Barvosauři a second time, written plainly from the rules' text: one mutable table, and for every step that can be
written down the question whether the rules allow it. Slow, and shares nothing with the site's own rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

DIE = ["R", "O", "Y", "G", "B", "P"]


@dataclass
class Card:
    """A card of the pack, and whether all have seen it go there."""

    colour: str
    seen: bool = False


@dataclass
class Table:
    """Everything that lies on the table, and what has happened in this turn."""

    figures: list[list[str | None]]
    hands: list[list[str]]
    show: list[str | None]
    pack: list[Card]
    turn: int
    numbers: int
    """Spaces of each colour."""
    colours_to_win: int
    card_in_first_turn: bool
    both: bool
    patience: int
    """Rounds without a card taken that end the match."""
    waits: int = 0
    """Turns in a row in which nobody took a card."""
    rolled: str | None = None
    doing: str = "roll"
    """roll, place, move, harvest or over."""
    has_taken: bool = False
    has_refreshed: bool = False
    why_over: str | None = None
    winner: int | None = None
    thrown_away: list[str] = field(default_factory=list)

    @property
    def mine(self) -> list[str | None]:
        """The figures of the player on turn."""
        return self.figures[self.turn]

    @property
    def hand(self) -> list[str]:
        """The cards of the player on turn."""
        return self.hands[self.turn]

    @property
    def every_space(self) -> list[str]:
        """The spaces of the board."""
        return [colour + str(number) for colour in DIE for number in range(1, self.numbers + 1)]

    def taken(self, space: str) -> bool:
        """Whether a figure stands there."""
        return any(space in both for both in self.figures)

    def roll(self, dice: list[str]) -> None:
        """The server's roll, again while no space of the colour is free."""
        for colour in dice:
            if all(self.taken(space) for space in self.every_space if space[0] == colour):
                self.thrown_away.append(colour)
                continue
            self.rolled = colour
            self.doing = "place" if None in self.mine else "move"
            return

    def conceivable(self) -> list[str]:
        """Every step that can be written in the notation, as far as it is worth trying."""
        strangers = [space for both in self.figures for space in both if space][:3]
        froms = sorted({space for space in self.mine if space} | set(strangers)) or ["R1"]
        spaces = [*self.every_space, "R0", f"B{self.numbers + 1}"]
        steps = ["stay", "done", "roll"]
        steps += [f"place {space}" for space in spaces]
        steps += [f"move {figure}>{space}" for figure in froms for space in spaces]
        steps += [f"{word} {slot}" for word in ("take", "exchange", "refresh") for slot in range(5)]
        steps += [f"refresh {first} {second}" for first, second in product(range(5), repeat=2)]
        return steps

    def allowed(self, step: str) -> bool:
        """Whether the rules allow the step now."""
        word, *rest = step.replace(">", " ").split()
        if word == "place":
            return self.doing == "place" and self.open_space(rest[0])
        if word == "move":
            return self.doing == "move" and rest[0] in self.mine and self.open_space(rest[1])
        if word == "stay":
            return self.doing == "move"
        if self.doing != "harvest" or word == "roll":
            return False
        colour = self.standing_on()
        match_on_show = colour in self.show
        slots = [int(slot) for slot in rest]
        if any(slot > 3 for slot in slots):
            return False
        if word == "take":
            return not self.has_taken and self.show[slots[0]] == colour
        if word == "exchange":
            spare = self.hand.count(colour) - (1 if self.has_taken else 0)
            return spare >= 1 and self.show[slots[0]] is not None and self.show[slots[0]] != colour
        if word == "refresh":
            possible = not (match_on_show or self.has_refreshed or self.has_taken) and len(self.pack) > 0
            return possible and len(set(slots)) == len(slots) == min(2, len(self.pack))
        return self.has_taken or not match_on_show

    def open_space(self, space: str) -> bool:
        """Whether a figure may go there."""
        return space[0] == self.rolled and 1 <= int(space[1:]) <= self.numbers and not self.taken(space)

    def standing_on(self) -> str:
        """The colour on which both figures of the player on turn stand; "" if they do not."""
        colours = {space[0] for space in self.mine if space}
        return colours.pop() if len(colours) == 1 and None not in self.mine else ""

    def do(self, step: str) -> None:
        """Carries out an allowed step and all that follows from it, up to the next roll or question."""
        word, *rest = step.replace(">", " ").split()
        if word == "place":
            first_turn_over = self.mine[0] is not None
            self.mine[1 if first_turn_over else 0] = rest[0]
            if not first_turn_over:
                self.doing, self.rolled = "roll", None
            elif self.standing_on() and self.card_in_first_turn:
                self.harvest()
            else:
                self.pass_on()
        elif word == "move":
            self.mine[self.mine.index(rest[0])] = rest[1]
            if self.standing_on():
                self.harvest()
            else:
                self.pass_on()
        elif word in ("stay", "done"):
            self.pass_on()
        elif word == "take":
            self.take(int(rest[0]))
        elif word == "exchange":
            slot, colour = int(rest[0]), self.standing_on()
            self.hand.remove(colour)
            self.hand.append(str(self.show[slot]))
            self.show[slot] = colour
            if not self.royal():
                self.pass_on()
        else:
            self.refresh([int(slot) for slot in rest])

    def harvest(self) -> None:
        """Asks for the card, unless nothing could be done but end the turn."""
        self.doing = "harvest"
        if [step for step in self.conceivable() if self.allowed(step)] == ["done"]:
            self.pass_on()

    def take(self, slot: int) -> None:
        """Takes a card, looks for a royal win, then refills, then looks for the last card."""
        self.hand.append(str(self.show[slot]))
        self.show[slot] = None
        self.has_taken = True
        if self.royal():
            return
        if self.pack:
            self.show[slot] = self.pack.pop(0).colour
        if self.show == [None, None, None, None]:
            self.doing, self.why_over = "over", "last card"
        elif self.both:
            self.harvest()
        else:
            self.pass_on()

    def refresh(self, slots: list[int]) -> None:
        """Other cards from the top of the pack as it was; the old ones go under it as they were named."""
        old = [Card(str(self.show[slot]), seen=True) for slot in slots]
        for slot in slots:
            self.show[slot] = self.pack.pop(0).colour
        self.pack += old
        self.has_refreshed = True
        self.harvest()

    def royal(self) -> bool:
        """Whether the player on turn wins at once."""
        if len(set(self.hand)) >= self.colours_to_win:
            self.why_over = "colours"
        elif any(self.hand.count(colour) == 4 for colour in DIE):
            self.why_over = "four of a colour"
        else:
            return False
        self.doing, self.winner = "over", self.turn
        return True

    def pass_on(self) -> None:
        """The next player's turn, unless nobody has taken a card for too long."""
        self.waits = 0 if self.has_taken else self.waits + 1
        if self.waits == self.patience * len(self.hands):
            self.doing, self.why_over = "over", "stall"
            return
        self.turn = (self.turn + 1) % len(self.hands)
        self.doing, self.rolled = "roll", None
        self.has_taken = self.has_refreshed = False

    def places(self) -> list[int]:
        """The places at the end: a royal winner before all, the others by number of cards, ties together."""
        seats = range(len(self.hands))
        ranking = sorted(seats, key=lambda seat: (seat != self.winner, -len(self.hands[seat])))
        places: dict[int, int] = {}
        for order, seat in enumerate(ranking, start=1):
            before = ranking[order - 2] if order > 1 else None
            equal = before is not None and before != self.winner and len(self.hands[before]) == len(self.hands[seat])
            places[seat] = places[before] if equal and before is not None else order
        return [places[seat] for seat in seats]
