"""Twin worlds: nobody can tell the true state from one imagined from what they see."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.chance import seeded
from games.titles.red.leading import DECK
from games.titles.red.rules import Red
from games.titles.red.state import State, in_order
from tests.titles.walks import COMBINATIONS, Row, told, viewers, walk

RED = Red()
MATCHES = 300
VERSIONS = 20
TABLES = [combination for combination in COMBINATIONS if combination[0] == "red"]


def dealt_anew(state: State, viewer: int | None, dice: random.Random) -> State:
    """The state with all cards exchanged that the viewer has not seen: said once more, apart from ``imagine``."""
    hidden = [
        card
        for number, seat in enumerate(state.seats)
        if number != viewer
        for card in seat.hand
        if card not in seat.known
    ]
    hidden += state.deck[state.known_top :]
    dice.shuffle(hidden)
    seats = []
    for number, seat in enumerate(state.seats):
        count = len(seat.hand) - len(seat.known)
        if number != viewer:
            seat = replace(seat, hand=in_order((*seat.known, *hidden[:count])))
            hidden = hidden[count:]
        seats.append(seat)
    return replace(state, seats=tuple(seats), deck=(*state.deck[: state.known_top], *hidden))


def compare(row: Row, following: Row | None, seats: int, dice: random.Random) -> None:
    """One version of a match, for everybody who may look."""
    for viewer in viewers(seats):
        assert RED.observe(dealt_anew(row.after, viewer, dice), viewer) == RED.observe(row.after, viewer)
        twin = RED.imagine(RED.observe(row.after, viewer), seeded(dice.randrange(10**9)))
        held = [card for seat in twin.seats for card in (*seat.hand, *seat.palette, *seat.scored)]
        assert sorted([*held, *twin.canvas, *twin.deck]) == sorted(DECK)
        assert all(seat.hand == in_order(seat.hand) for seat in twin.seats)
        assert RED.observe(twin, viewer) == RED.observe(row.after, viewer)
        assert RED.active_seat(twin) == RED.active_seat(row.after)
        assert RED.outcome(twin) == RED.outcome(row.after)
        if following is not None and viewer == RED.active_seat(row.after):
            assert RED.legal_moves(twin) == RED.legal_moves(row.after)
            card = dice.choice(row.after.seats[viewer].hand or ("R7",))
            for post in ([*following.steps], ["END"], ["PASS"], [f"P:{card}"], [f"C:{card}"]):
                assert told(RED, twin, post, viewer) == told(RED, row.after, post, viewer)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[1].game}-{table[1].icons}-{table[2]}")
def test_twins(table: tuple[str, object, int]) -> None:
    dice = random.Random(str(table))
    for seed in range(MATCHES // len(TABLES)):
        match = walk.__wrapped__(*table, 100 + 3 * seed)  # seats that play at random and never give up: the longest
        numbers = range(len(match.rows))
        for number in sorted(dice.sample(numbers, min(VERSIONS, len(numbers)))):
            following = match.rows[number + 1] if number + 1 < len(numbers) else None
            compare(match.rows[number], following, match.seats, dice)
