"""Twin worlds: nobody can tell the true state from one in which everything hidden from them is exchanged."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games import engine
from games.chance import seeded
from games.titles.power_cards import GAMES
from games.titles.power_cards.deck import DECK
from games.titles.power_cards.state import Options, State
from tests.titles.power_cards.positions import Fixed, position
from tests.titles.power_cards.tables import SOME
from tests.titles.walks import told, viewers, walk

GAME = GAMES[-1]


def mixed_anew(state: State, viewer: int | None, dice: random.Random) -> State:
    """The state with all cards exchanged that the viewer has not seen: said once more, apart from ``imagine``.

    Cards that nobody has turned go anywhere among those places, layers are
    mixed, and of several parts that somebody may have drawn it is another one.
    """
    own = () if viewer is None else state.seats[viewer].dealt[:1]
    unseen = [card for seat in state.seats for card in seat.dealt if card not in own]
    dice.shuffle(unseen)
    seats = []
    for number, seat in enumerate(state.seats):
        kept = own if number == viewer else ()
        count = len(seat.dealt) - len(kept)
        dealt, unseen = (*kept, *unseen[:count]), unseen[count:]
        layers = []
        for place, layer in enumerate(seat.won):
            top = layer[:1] if number == viewer and place == 0 and not seat.dealt else ()
            layers.append((*top, *dice.sample(layer[len(top) :], len(layer) - len(top))))
        drawn = seat.drawn
        if drawn is not None and number != viewer:
            drawn = dice.choice([card for construction in seat.constructions for card in construction.tops])
        seats.append(replace(seat, dealt=dealt, won=tuple(layers), drawn=drawn))
    return replace(state, seats=tuple(seats))


@pytest.mark.parametrize("table", SOME, ids=str)
def test_twins(table: tuple[Options, int], thorough: bool) -> None:
    dice = random.Random(str(table))
    for seed in range(100 if thorough else 7):
        match = walk.__wrapped__(GAME.slug, *table, 100 + 3 * seed)
        for row in dice.sample(match.rows, min(10, len(match.rows))):
            for state in (*row.planned, row.after):
                for viewer in viewers(match.seats):
                    seen = GAME.observe(state, viewer)
                    for twin in (mixed_anew(state, viewer, dice), GAME.imagine(seen, seeded(dice.randrange(10**9)))):
                        assert GAME.observe(twin, viewer) == seen
                        assert GAME.active_seat(twin) == GAME.active_seat(state)
                        assert GAME.outcome(twin) == GAME.outcome(state)
                        assert sorted(cards(twin)) == sorted(DECK)
                        if viewer is not None and viewer == GAME.active_seat(state):
                            assert GAME.legal_moves(twin) == GAME.legal_moves(state)
                            for step in (*GAME.legal_moves(state), "offer", "stop", "draw c01", "build c01>new"):
                                assert told(GAME, twin, [step], viewer) == told(GAME, state, [step], viewer)


def cards(state: State) -> list[str]:
    """Every card there is."""
    found = list(state.pot)
    for seat in state.seats:
        found += [*seat.dealt, *(card for layer in seat.won for card in layer)]
        found += [card for construction in seat.constructions for card in construction.cards]
    return found


def test_twins_while_parts_are_drawn(thorough: bool) -> None:
    """From random positions, in which seats without a pack are frequent: what others have drawn stays hidden."""
    dice = random.Random(31)
    hidden = 0
    for seed in range(2_000 if thorough else 200):
        game, state = position(dice)
        for _answer in range(12):
            state, _news = engine.settled(game, state, Fixed(seed))
            if game.outcome(state) is not None:
                break
            seat = game.active_seat(state)
            assert seat is not None
            for viewer in viewers(len(state.seats)):
                seen = game.observe(state, viewer)
                for twin in (mixed_anew(state, viewer, dice), game.imagine(seen, seeded(seed))):
                    assert game.observe(twin, viewer) == seen
                    hidden += twin.seats != state.seats and any(one["drawn"] == "?" for one in seen["seats"])
                    if viewer == seat:
                        for step in game.legal_moves(state):
                            assert told(game, twin, [step], viewer) == told(game, state, [step], viewer)
            state, _news = game.apply(state, dice.choice(list(game.legal_moves(state))))
    assert hidden > 10


def test_an_observation_hides_what_is_hidden() -> None:
    """Field by field: the order of packs, what others hold on top, what was drawn."""
    dice = random.Random(32)
    for seed in range(300):
        game, state = position(dice)
        state, _news = engine.settled(game, state, Fixed(seed))
        for viewer in viewers(len(state.seats)):
            for number, seat in enumerate(game.observe(state, viewer)["seats"]):
                true = state.seats[number]
                assert seat["dealt"] == len(true.dealt)
                assert seat["won"] == [sorted(layer, key=list(game.deck).index) for layer in true.won]
                assert ("top" in seat) == (number == viewer)
                if number == viewer:
                    assert (seat["top"], seat["drawn"]) == (true.top, true.drawn)
                elif true.drawn is not None:
                    assert seat["drawn"] == (true.drawn if len(true.tops) == 1 else "?")
