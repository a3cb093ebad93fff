"""The rules agree with an independent second implementation, on random positions of every kind."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from games.engine import IllegalMove
from games.titles.barvosauri import GAMES
from games.titles.barvosauri.state import Options, Seat, State, in_order, royal
from tests.titles.barvosauri.adapter import Die
from tests.titles.barvosauri.oracle import DIE, Card, Table

GAME = GAMES[-1]
FEW, MANY = 2_000, 20_000
EVERYTHING = {
    *("full", "place", "move", "stay", "take", "exchange", "refresh", "done"),
    *("colours", "four of a colour", "last card", "stall", "goes on"),
}
"""What must be met in each part of the test."""


def dealt(dice: random.Random, seats: int, goal: int) -> tuple[list[tuple[str, ...]], list[str | None], list[str]]:
    """Hands without a royal win, the show and the pack, at any stage of a match."""
    while True:
        cards = dice.sample(DIE * 4, 24)
        left = dice.choice([1, 2, 4, 5, 6, dice.randint(1, 24)])
        hands: list[list[str]] = [[] for _seat in range(seats)]
        for card in cards[left:]:
            dice.choice(hands).append(card)
        held = [in_order(hand) for hand in hands]
        if not any(royal(hand, goal) for hand in held):
            show = [*cards[: min(left, 4)], *[None] * max(0, 4 - left)]
            return held, dice.sample(show, 4), cards[4:left]


def positioned(dice: random.Random) -> State:
    """A position at the roll of a turn, the first one or a later one."""
    seats = dice.randint(2, 4)
    options = Options(
        goal_colors=dice.choice([6, 6, 4]),
        first_turn_card=dice.random() < 0.7,
        harvest=dice.choice(["one", "both"]),
        board=dice.choice(["whole", "tight"]),
        stall_rounds=dice.choice([15, 25]),
    )
    held, show, pack = dealt(dice, seats, options.goal_colors)
    active = dice.randrange(seats)
    # Figures crowd on few colours, so that pairs and full colours are common.
    colours = dice.sample(DIE, dice.randint(2, 6))
    spaces = [space for colour in colours for space in GAME.spaces(options, seats, colour)]
    figures: list[Any] = dice.sample(spaces, min(len(spaces), 2 * seats))
    figures += [None] * (2 * seats - len(figures))
    pairs = [(figures[2 * seat], figures[2 * seat + 1]) for seat in range(seats)]
    if dice.random() < 0.2 or None in pairs[active]:
        pairs[active] = (dice.choice([None, pairs[active][0]]), None)
    return State(
        options=options,
        phase="roll",
        active=active,
        rolled=None,
        pair=None,
        owed=(),
        refreshed=False,
        took=False,
        since_take=options.stall_rounds * seats - dice.randint(1, 20),
        display=tuple(show),
        deck=tuple(pack),
        known_bottom=dice.randint(0, len(pack)),
        seats=tuple(Seat(pair, hand) for pair, hand in zip(pairs, held, strict=True)),
        how=None,
    )


def laid_out(state: State) -> Table:
    """The same position on the oracle's table."""
    options, unseen = state.options, len(state.deck) - state.known_bottom
    return Table(
        figures=[list(seat.figures) for seat in state.seats],
        hands=[list(seat.held) for seat in state.seats],
        show=list(state.display),
        pack=[Card(colour, place >= unseen) for place, colour in enumerate(state.deck)],
        turn=state.mover,
        numbers=len(state.seats) + 1 if options.board == "tight" else 5,
        colours_to_win=options.goal_colors,
        card_in_first_turn=options.first_turn_card,
        both=options.harvest == "both",
        patience=options.stall_rounds,
        waits=state.since_take,
    )


def facts(state: State) -> dict[str, Any]:
    """The position as both can tell it."""
    outcome = GAME.outcome(state)
    over = outcome is not None
    return {
        "doing": state.phase,
        "turn": state.active,
        "rolled": None if over else state.rolled,
        "figures": [list(seat.figures) for seat in state.seats],
        "hands": [sorted(seat.held) for seat in state.seats],
        "show": list(state.display),
        "pack": list(state.deck),
        "seen": GAME.observe(state, None)["known_bottom"],
        "waits": None if over else state.since_take,
        "taken": None if over else (state.took, state.refreshed),
        "how": outcome.reason if outcome else None,
        "places": list(outcome.places) if outcome else None,
    }


def plain_facts(table: Table) -> dict[str, Any]:
    """The oracle's position in the same words."""
    over = table.doing == "over"
    seen = []
    for card in reversed(table.pack):
        if not card.seen:
            break
        seen.append(card.colour)
    return {
        "doing": table.doing,
        "turn": table.turn,
        "rolled": None if over else table.rolled,
        "figures": table.figures,
        "hands": [sorted(hand) for hand in table.hands],
        "show": table.show,
        "pack": [card.colour for card in table.pack],
        "seen": seen[::-1],
        "waits": None if over else table.waits,
        "taken": None if over else (table.has_taken, table.has_refreshed),
        "how": table.why_over,
        "places": table.places() if over else None,
    }


def answered(state: State, step: str) -> State | None:
    """The position after a step and what the server does at once; None if it is refused."""
    try:
        state, _news = GAME.apply(state, step)
    except IllegalMove:
        return None
    while state.phase == "fill":
        state, _news = GAME.settle(state, Die(""))
    return state


def liked(dice: random.Random, state: State, allowed: list[str]) -> str:
    """One of the steps; moves that bring the figures together are liked, or little would ever be earned."""
    first, second = state.own.figures
    together = []
    if state.phase == "move" and dice.random() < 0.9:
        together = [step for step in allowed if str(second)[0] == state.rolled and step.startswith(f"move {first}>")]
        together += [step for step in allowed if str(first)[0] == state.rolled and step.startswith(f"move {second}>")]
    return dice.choice(together or allowed)


def rolled(dice: random.Random, state: State) -> list[str]:
    """Rolls for one turn, of the colours on which the own figures stand more often than of the others."""
    own = [space[0] for space in state.own.figures if space]
    return [dice.choice([*DIE, *own, *own, *own]) for _roll in range(60)] + DIE


@pytest.mark.parametrize("part", range(4))
def test_they_agree(part: int, thorough: bool) -> None:
    dice = random.Random(part)
    met: Counter[str] = Counter()
    while met["positions"] < (MANY if thorough else FEW) // 4:
        state = positioned(dice)
        table = laid_out(state)
        rolls = rolled(dice, state)
        die = Die("".join(rolls))
        table.roll(rolls)
        while state.phase == "roll":
            state, news = GAME.settle(state, die)
            met["full"] += news[0]["full"]
        assert facts(state) == plain_facts(table)
        while GAME.active_seat(state) is not None:
            met["positions"] += 1
            met[state.phase] += 1
            steps = table.conceivable()
            allowed = [step for step in steps if table.allowed(step)]
            assert sorted(GAME.legal_moves(state)) == sorted(allowed)
            accepted = {step: after for step in steps if (after := answered(state, step)) is not None}
            assert sorted(accepted) == sorted(allowed)
            step = liked(dice, state, allowed)
            table.do(step)
            state = accepted[step]
            assert facts(state) == plain_facts(table), step
            met[step.split()[0]] += 1
        met[state.how or "goes on"] += 1
    assert met.keys() >= EVERYTHING, met
