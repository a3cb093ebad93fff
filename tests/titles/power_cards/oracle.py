"""Power Cards once more, told as a story from the first round to the last, to be compared with the real thing.

``Table.story`` is a generator: it stops wherever somebody must answer, yields who that is and what may be answered, and
goes on with the answer. Everything lies in plain lists and dicts that change as cards move.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

Ask = tuple[int, list[str]]
Story = Generator[Ask, str, None]
Asking = Generator[Ask, str, str]

FOUR = ["speed", "strength", "wits", "courage"]


@dataclass
class Table:
    """All that lies on the table. ``cards`` is each card's values, part (V, H or P) and material."""

    cards: dict[str, dict[str, int | str]]
    packs: list[list[str]]
    buildings: list[list[dict[str, list[str]]]]
    """Of every seat, in the order of beginning: the cards at V, H and P."""
    caller: int
    options: dict[str, int | str | bool]
    mix: Callable[[list[str]], list[str]]
    """The order in which won cards go under a pack."""
    pot: list[str] = field(default_factory=list)
    rounds: int = 0
    fast: bool = False
    offered: bool = False
    drawn: dict[int, str] = field(default_factory=dict)
    gone: dict[int, int] = field(default_factory=dict)
    how: str | None = None
    ranking: list[list[int]] = field(default_factory=list)
    """The seats from the best to the worst, equal ones together, once ``how`` is known."""

    def number(self, card: str, name: str) -> int:
        """A value of a card."""
        return int(self.cards[card][name])

    def built(self, seat: int) -> list[str]:
        """All cards in the constructions of a seat."""
        return [card for building in self.buildings[seat] for place in "VHP" for card in building[place]]

    def total(self, seat: int) -> int:
        """Cards in the pack and in constructions."""
        return len(self.packs[seat]) + len(self.built(seat))

    def round_the_table(self, seats: Iterable[int], first: int) -> list[int]:
        """The seats in order, beginning at ``first``."""
        return [seat for turn in range(len(self.packs)) for seat in seats if seat == (first + turn) % len(self.packs)]

    def story(self) -> Story:
        """The match from the beginning of a round to its end."""
        tied: list[int] = []
        while True:
            seats = range(len(self.packs))
            self.look_for_the_gone()
            alive = [seat for seat in seats if self.total(seat) > 0]
            if not alive:
                return self.finish("dead tie", before=tied)
            if len(alive) == 1:
                return self.finish("last")
            if self.rounds >= (int(self.options["max_rounds"]) or 300):
                return self.finish("limit")
            if self.options["quick"] == "auto" and len(alive) == 2 and not self.anything_lies():
                self.fast = True
            yield from self.draw(alive)
            name = yield from self.call(alive)
            self.rounds += 1
            winner, tied = yield from self.compare(alive, name)
            if winner is None:
                others = [seat for seat in self.round_the_table(seats, self.caller) if self.total(seat)]
                self.caller = next((seat for seat in others if seat != self.caller), self.caller)
                self.offered = False
                continue
            self.caller = winner
            yield from self.harvest()
            if self.how:
                return None

    def look_for_the_gone(self) -> None:
        """Who has run out of cards in this round."""
        for seat in range(len(self.packs)):
            if self.total(seat) == 0:
                self.gone.setdefault(seat, self.rounds)

    def anything_lies(self) -> bool:
        """Whether a card lies on the table outside the packs."""
        return bool(self.pot) or any(self.buildings)

    def call(self, alive: list[int]) -> Asking:
        """The property that the caller names, after what there is to say about the quicker ending."""
        while True:
            steps = [f"call {name}" for name in FOUR]
            wanted = self.options["quick"] == "agree" and not self.fast and not self.offered
            if wanted and len(alive) == 2 and not self.anything_lies():
                steps.append("offer")
            answer = yield self.caller, steps
            if answer != "offer":
                return answer.split()[1]
            self.offered = True
            (other,) = [seat for seat in alive if seat != self.caller]
            if (yield other, ["accept", "decline"]) == "accept":
                self.fast = True

    def draw(self, seats: list[int]) -> Story:
        """Everybody without a pack takes a part off a construction, from the top down; all together at the end."""
        for seat in self.round_the_table(seats, self.caller):
            if not self.packs[seat]:
                tops = [card for b in self.buildings[seat] for card in (b["P"] or b["H"] or b["V"])]
                self.drawn[seat] = tops[0]
                if len(tops) > 1:
                    self.drawn.pop(seat)
                    answer = yield seat, [f"draw {card}" for card in tops]
                    self.drawn[seat] = answer.split()[1]
        for seat, card in self.drawn.items():
            self.remove(card)
            self.packs[seat].append(card)
        self.drawn = {}

    def remove(self, card: str) -> None:
        """Takes a card out of the construction it is in; an empty one is no more."""
        for own in self.buildings:
            for building in own:
                for place in "VHP":
                    if card in building[place]:
                        building[place].remove(card)
            own[:] = [building for building in own if any(building.values())]

    def compare(self, seats: list[int], name: str, piggy: int = 0) -> Generator[Ask, str, tuple[int | None, list[int]]]:
        """Top cards to the middle until one seat is best.

        Comes back with the winner and those tied last; no winner in a dead
        tie, or if a piggy with that value is not beaten.
        """
        while True:
            top = {seat: self.packs[seat].pop(0) for seat in seats}
            self.pot += top.values()
            best = max(self.number(card, name) for card in top.values())
            if piggy >= best:
                return None, []
            piggy = 0
            tied = [seat for seat in seats if self.number(top[seat], name) == best]
            if len(tied) == 1:
                return tied[0], tied
            seats = [seat for seat in tied if self.total(seat)]
            if len(seats) < 2:
                return (seats[0] if seats else None), tied
            yield from self.draw(seats)

    def harvest(self) -> Story:
        """The caller has won the pot: building, and the catapults that come of it; after 20 nothing is built."""
        for catapult in range(1, 21):
            seat = self.caller
            piggy = yield from self.build(seat)
            self.put_under(seat)
            if self.fast:
                if piggy and sum(bool(building["P"]) for building in self.buildings[seat]) == 2:
                    self.finish("fast", before=[seat])
                return
            others = [other for other in range(len(self.packs)) if other != seat and self.total(other)]
            if not piggy or not others:
                return
            yield from self.draw(others)
            winner, _tied = yield from self.compare(others, "catapult", self.number(piggy, "catapult"))
            if winner is None:
                for other in range(len(self.packs)):
                    self.pot += self.built(other)
                    self.buildings[other] = []
                self.put_under(seat)
                return
            self.remove(piggy)
            self.pot.append(piggy)
            self.caller = winner
            if not self.options["catapult_build"] or catapult == 20:
                self.put_under(winner)
                return

    def put_under(self, seat: int) -> None:
        """What is left in the middle goes under the pack of a seat."""
        self.packs[seat] += self.mix(self.pot)
        self.pot = []

    def build(self, seat: int) -> Asking:
        """Fitting cards of the pot go to the constructions of the seat. Comes back with the piggy placed, or ""."""
        while True:
            pairs = self.fitting(seat)
            may = self.options["build"] == "may"
            if not may and any(self.cards[card]["part"] != "P" for card, _place in pairs):
                pairs = [pair for pair in pairs if self.cards[pair[0]]["part"] != "P"]
            if not pairs:
                return ""
            card, place = pairs[0]
            if may or self.must_ask(seat, pairs):
                answer = yield seat, [f"build {card}>{place}" for card, place in pairs] + ["stop"] * may
                if answer == "stop":
                    return ""
                card, place = answer.split()[1].split(">")
            own = self.buildings[seat]
            if place == "new":
                own.append({"V": [], "H": [], "P": []})
            part = str(self.cards[card]["part"])
            own[-1 if place == "new" else int(place)][part].append(card)
            self.pot.remove(card)
            self.offered = False
            if part == "P":
                return card

    def fitting(self, seat: int) -> list[tuple[str, str]]:
        """Every card of the pot with every place where it fits."""
        own = self.buildings[seat]
        pairs = []
        for card in self.pot:
            part, material = self.cards[card]["part"], self.cards[card]["material"]
            ready = [n for n, b in enumerate(own) if len(b["V"]) == 2 and b["H"] and not b["P"]]
            if part == "P":
                pairs += [(card, str(number)) for number in ready[:1]]
            for number, building in enumerate(own):
                same = self.cards[building["V"][0]]["material"] == material
                if same and part == "V" and len(building["V"]) < 2:
                    pairs.append((card, str(number)))
                if same and part == "H" and len(building["V"]) == 2 and not building["H"]:
                    pairs.append((card, str(number)))
            limit = 2 if self.fast else int(self.options["max_cons"]) or 99
            if part == "V" and all(building["H"] for building in own) and len(own) < limit:
                pairs.append((card, "new"))
        return pairs

    def must_ask(self, seat: int, pairs: list[tuple[str, str]]) -> bool:
        """Whether the winner has something to choose."""
        places = {place for _card, place in pairs}
        if len(pairs) == 1:
            return False
        if places == {"new"}:
            return len(pairs) > 2 or len({self.cards[card]["material"] for card, _place in pairs}) > 1
        if len(places) > 1:
            return True
        (place,) = places
        building = self.buildings[seat][int(place)]
        room = 2 - len(building["V"]) if len(building["V"]) < 2 else 1
        return len(pairs) > room

    def finish(self, how: str, before: Iterable[int] = ()) -> None:
        """The end: who has more cards is better, then who ran out later; ``before`` go before their equals."""
        self.look_for_the_gone()
        before = list(before)
        self.how = how
        left = list(range(len(self.packs)))
        while left:
            most = max(self.total(seat) for seat in left)
            best = [seat for seat in left if self.total(seat) == most]
            if most == 0:
                latest = max(self.gone[seat] for seat in best)
                best = [seat for seat in best if self.gone[seat] == latest]
            best = [seat for seat in best if seat in before] or best
            self.ranking.append(best)
            left = [seat for seat in left if seat not in best]

    def places(self) -> tuple[int, ...]:
        """The place of every seat: one more than the seats that are better."""
        found: dict[int, int] = {}
        for group in self.ranking:
            place = len(found) + 1
            found |= dict.fromkeys(group, place)
        return tuple(found[seat] for seat in range(len(self.packs)))
