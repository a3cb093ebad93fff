"""The rules against the story of ``oracle.py``, from random positions on: who is asked, what, and what follows."""

from __future__ import annotations

import random
from typing import Any

from games import engine
from games.titles.power_cards.deck import PIGGY, UPRIGHT, Card
from games.titles.power_cards.state import State
from tests.titles.power_cards.oracle import Table
from tests.titles.power_cards.positions import Fixed, position

ANSWERS = 60
"""How far a position is played on."""


def card(kind: Card) -> dict[str, int | str]:
    part = {UPRIGHT: "V", PIGGY: "P"}.get(kind.part, "H")
    names = ("speed", "strength", "wits", "courage", "catapult")
    return {**{name: kind.value(name) for name in names}, "part": part, "material": kind.material}


def table(deck: Any, state: State, chance: Fixed) -> Table:
    """The same position for the oracle."""
    buildings = [
        [
            {"V": list(one.uprights), "H": [one.cross] if one.cross else [], "P": [one.piggy] if one.piggy else []}
            for one in seat.constructions
        ]
        for seat in state.seats
    ]
    return Table(
        cards={name: card(kind) for name, kind in deck.items()},
        packs=[[*seat.dealt, *(name for layer in seat.won for name in layer)] for seat in state.seats],
        buildings=buildings,
        caller=state.caller,
        options={name: getattr(state.options, name) for name in state.options.__slots__},
        mix=lambda cards: list(chance.shuffle(cards)),
        pot=list(state.pot),
        rounds=state.round,
        fast=state.fast,
        offered=state.offered,
    )


def lies(state: State) -> Any:
    """Where every card of a position lies. What a caller drew last is still in the construction: it counts as drawn."""
    packs = [[*seat.dealt, *(card for layer in seat.won for card in layer)] for seat in state.seats]
    built = [[set(one.cards) for one in seat.constructions] for seat in state.seats]
    drawn = {number: seat.drawn for number, seat in enumerate(state.seats) if seat.drawn is not None}
    if state.phase == "call":
        for number, name in drawn.items():
            packs[number].append(name)
            built[number] = [left for one in built[number] if (left := one - {name})]
        drawn = {}
    return packs, built, drawn, sorted(state.pot)


def test_the_oracle_agrees(thorough: bool) -> None:
    dice = random.Random(21)
    seen = {"draw": 0, "build": 0, "call": 0, "reply": 0}
    endings = {"last": 0, "limit": 0, "fast": 0, "dead tie": 0}
    for seed in range(2_000 if thorough else 400):
        game, state = position(dice)
        chance = Fixed(seed)
        told = table(game.deck, state, chance)
        story = told.story()
        answer: str | None = None
        for _answer in range(ANSWERS):
            state, _news = engine.settled(game, state, chance)
            try:
                seat, steps = next(story) if answer is None else story.send(answer)
            except StopIteration:
                outcome = game.outcome(state)
                assert outcome is not None
                assert (outcome.reason, outcome.places) == (told.how, told.places())
                endings[outcome.reason] += 1
                break
            assert (state.active, sorted(game.legal_moves(state))) == (seat, sorted(steps)), seed
            built = [[{c for part in one.values() for c in part} for one in own] for own in told.buildings]
            # The oracle lists forced draws as it comes to them, the rules from the beginning.
            packs, standing, drawn, pot = lies(state)
            assert (packs, standing, pot) == (told.packs, built, sorted(told.pot)), seed
            assert told.drawn.items() <= drawn.items()
            assert (state.caller, state.round, state.fast) == (told.caller, told.rounds, told.fast)
            seen[state.phase] += 1
            answer = dice.choice(sorted(steps))
            state, _news = game.apply(state, answer)
    assert min(seen.values()) > 10, seen
    assert min(endings.values()) > 5, endings
