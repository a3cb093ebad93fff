"""What always holds in Power Cards, over whole matches of players at random; and that the log tells what is seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games import engine
from games.chance import Chance, seeded
from games.titles.power_cards import GAMES, building
from games.titles.power_cards.deck import CATAPULT, CROSS, DECK, PIGGY, PROPERTIES, UPRIGHT, in_order, scales
from games.titles.power_cards.state import CAP, CHAIN, Options, Seat, State
from games.titles.power_cards.words import news as sentence
from tests.titles.power_cards.tables import EVERY
from tests.titles.walks import Printed

GAME = GAMES[-1]
PARTS = 10
FEW, MANY = 300, 10_000
News = tuple[dict[str, Any], ...]


def played(options: Options, seats: int, chance: Chance) -> Iterator[tuple[State, News]]:
    """Every position of a match, with the news that led there."""
    state = GAME.setup(options, seats, chance)
    news: News
    while GAME.outcome(state) is None:
        if GAME.active_seat(state) is None:
            state, news = GAME.settle(state, chance)
        else:
            legal = GAME.legal_moves(state)
            state, news = GAME.apply(state, legal[chance.roll(len(legal))])
        yield state, news


class Watcher:
    """A spectator who sees nothing but the log, and keeps book of it."""

    def __init__(self, seats: int) -> None:
        self.dealt = [0] * seats
        self.won: list[list[list[str]]] = [[] for _seat in range(seats)]
        self.built: list[list[list[str]]] = [[] for _seat in range(seats)]
        self.pot: list[str] = []
        self.shown: set[str] = set()

    def read(self, value: dict[str, Any]) -> None:
        """One value of news, as a spectator sees it."""
        seat, card = value.get("seat", 0), value.get("card", "")
        match value["what"]:
            case "dealt":
                self.dealt = [value["each"]] * len(self.dealt)
                self.pot = value["pot"]
                self.shown = {*self.pot}
            case "shown":
                for number, top in enumerate(value["cards"]):
                    if top is not None:
                        assert value["values"][number] == DECK[top].value(value["named"])
                        self.turn(number, top)
            case "placed":
                self.pot.remove(card)
                self.built[seat][value["place"] :] = [
                    [*(self.built[seat][value["place"]] if not value["new"] else []), card],
                    *self.built[seat][value["place"] + 1 :],
                ]
            case "taken":
                self.off(seat, card)
                self.won[seat] = [[card]]
            case "beaten":
                self.off(value["builder"], value["piggy"])
                self.pot.append(value["piggy"])
            case "swept":
                self.pot += [card for own in self.built for construction in own for card in construction]
                self.built = [[] for _seat in self.built]
                assert sorted(self.pot) == sorted(value["cards"])
            case "under":
                assert value["cards"] == list(in_order(DECK, self.pot))
                self.won[seat].append(value["cards"])
                self.pot = []

    def turn(self, seat: int, card: str) -> None:
        """A top card goes to the middle: one of those dealt, or one of the first layer below them."""
        if self.dealt[seat]:
            assert card not in self.shown
            self.dealt[seat] -= 1
        else:
            left = [other for other in self.won[seat][0] if other != card]
            assert len(left) < len(self.won[seat][0])
            self.won[seat][:1] = [left] if left else []
        self.shown.add(card)
        self.pot.append(card)

    def off(self, seat: int, card: str) -> None:
        """A card leaves a construction."""
        left = [[other for other in construction if other != card] for construction in self.built[seat]]
        assert sum(map(len, left)) == sum(map(len, self.built[seat])) - 1
        self.built[seat] = [construction for construction in left if construction]

    def agrees(self, state: State) -> None:
        """What a spectator is shown is what the log has told."""
        seen = GAME.observe(state, None)
        assert sorted(seen["pot"]) == sorted(self.pot)
        assert [seat["dealt"] for seat in seen["seats"]] == self.dealt
        assert [seat["won"] for seat in seen["seats"]] == [
            [list(in_order(DECK, layer)) for layer in layers] for layers in self.won
        ]
        assert [
            [sorted([*one["uprights"], *filter(None, (one["cross"], one["piggy"]))]) for one in seat["constructions"]]
            for seat in seen["seats"]
        ] == [[sorted(construction) for construction in own] for own in self.built]


def cards(seat: Seat) -> list[str]:
    """Everything of one seat."""
    built = [card for construction in seat.constructions for card in construction.cards]
    return [*seat.dealt, *(card for layer in seat.won for card in layer), *built]


def check(state: State) -> None:
    """What holds in every position after the deal."""
    assert sorted([*state.pot, *(card for seat in state.seats for card in cards(seat))]) == sorted(DECK)
    assert state.round <= (state.options.max_rounds or CAP)
    assert state.chain <= CHAIN
    for number, seat in enumerate(state.seats):
        assert all(seat.won), "an empty layer"
        assert seat.count == len(cards(seat))
        assert (seat.out is not None) <= (seat.count == 0)
        for construction in seat.constructions:
            assert 1 <= len(construction.uprights) <= 2
            assert construction.cross is None or len(construction.uprights) == 2
            assert construction.piggy is None or construction.finished
            assert state.fast or construction.piggy in (None, state.piggy) or state.living == (number,)
            for part, built in ((UPRIGHT, construction.uprights), (CROSS, (construction.cross,))):
                for card in filter(None, built):
                    assert (DECK[card].part, DECK[card].material) == (part, construction.material)
            assert construction.piggy is None or DECK[construction.piggy].part == PIGGY
        if state.fast:
            assert len(seat.constructions) <= 2
        elif state.options.max_cons:
            assert len(seat.constructions) <= state.options.max_cons
        if seat.drawn is not None:
            assert seat.size == 0
            assert seat.drawn in seat.tops
            assert number in state.contest
    if state.phase == "built" and state.piggy is None and state.options.build == "must":
        assert not building.offers(DECK, state)
    if state.active is not None:
        assert state.seats[state.active].holds or state.phase == "build"
        assert state.phase != "call" or all(state.seats[number].holds for number in state.contest)
        legal = GAME.legal_moves(state)
        assert len(legal) > 1, "asked without a choice"


@pytest.mark.parametrize("part", range(PARTS))
def test_matches_at_random(part: int, thorough: bool) -> None:
    count = (MANY if thorough else FEW) // PARTS
    for number in range(part * count, (part + 1) * count):
        options, seats = EVERY[number * 5 % len(EVERY)]  # 5 and 288 have no common factor: all tables come in turn
        watcher = Watcher(seats)
        chance = seeded(number)
        for step, (state, news) in enumerate(played(options, seats, chance)):
            if thorough or step % 5 == 0 or state.active is not None:
                check(state)
            for value in engine.seen(news, None):
                watcher.read(value)
                assert sentence(value, None) is not None
            if step % 20 == 0:
                watcher.agrees(state)
        outcome = GAME.outcome(state)
        assert outcome is not None
        counts = [seat.count for seat in state.seats]
        assert counts[outcome.places.index(1)] == max(counts)
        if seats == 2 and not state.pot:
            assert sorted(outcome.places) == [1, 2], "37 cards cannot be shared equally by two"


def test_the_deck_is_what_its_makers_promise() -> None:
    assert len(DECK) == 37
    assert scales(DECK) == {"speed": 120, "strength": 30, "wits": 20, "courage": 10}
    assert len({card.speed for card in DECK.values()}) == 37
    assert sorted(card.value(CATAPULT) for card in DECK.values()) == list(range(1, 38))
    kinds = [(card.part, card.material) for card in DECK.values()]
    for material in ("wood", "stone", "ice"):
        assert kinds.count((UPRIGHT, material)) == 6
        assert kinds.count((CROSS, material)) == 3
    assert kinds.count((PIGGY, "")) == 10
    assert all(card.catapult >= 15 for card in DECK.values() if card.part == PIGGY)
    shares = [max(card.value(named) / scales(DECK)[named] for named in PROPERTIES) for card in DECK.values()]
    assert 0.66 < min(shares) <= max(shares) == 1
    assert all(37 % seats == 1 for seats in (2, 3, 4))


def test_the_deal_follows_the_shuffled_order() -> None:
    state, news = GAME.settle(GAME.setup(Options(), 3, Printed()), Printed())
    order = tuple(DECK)
    assert [seat.dealt for seat in state.seats] == [order[:12], order[12:24], order[24:36]]
    assert state.pot == order[36:]
    assert news == ({"what": "dealt", "each": 12, "pot": [order[36]], "caller": 2},)
