"""The bot of Power Cards: it names what its top card is best at, and builds with weak cards. Pure."""

from __future__ import annotations

from typing import Any, cast

from games.chance import Chance
from games.engine import Game
from games.titles.power_cards.deck import PIGGY, PROPERTIES, Deck
from games.titles.power_cards.rules import PowerCards
from games.titles.power_cards.state import State

AIM = 0.5
"""In free building: the least chance of winning the catapult at which a piggy is put on a construction."""


def sharp(game: Game[Any], observation: dict[str, Any], chance: Chance) -> list[str]:
    """The property with the best share of its scale; the best piggy on the weakest parts.

    It never offers the quicker ending, and accepts it when it holds more
    cards. What other packs hide is not looked at: the imagined position
    serves to know the layers, the own top card and the steps.
    """
    rules = cast(PowerCards, game)
    state: State = game.imagine(observation, chance)
    seat = state.active
    steps = []
    while seat is not None and state.active == seat:
        step = _choose(rules, state, seat, list(game.legal_moves(state)))
        steps.append(step)
        state, _news = game.apply(state, step)
    return steps


def _choose(rules: PowerCards, state: State, seat: int, legal: list[str]) -> str:
    """The step for the phase that asks."""
    mine = state.seats[seat]
    if state.phase == "call":
        return f"call {best_share(rules, mine.drawn or mine.top or '')[1]}"
    if state.phase == "reply":
        rivals = [state.seats[other].count for other in state.living if other != seat]
        return "accept" if mine.count > max(rivals) else "decline"
    if state.phase == "draw":
        return f"draw {max(mine.tops, key=lambda card: _strength(rules, state, seat, card))}"
    return _build(rules, state, seat, legal)


def best_share(rules: PowerCards, card: str) -> tuple[float, str]:
    """The best share of a scale that a card has, and of which property."""
    values = rules.deck[card]
    shares = ((values.value(named) / rules.scales[named], named) for named in PROPERTIES)
    return max(shares, key=lambda pair: pair[0])


def _strength(rules: PowerCards, state: State, seat: int, card: str) -> float:
    """How good a card is in what is compared; where others name it, in all properties together."""
    values = rules.deck[card]
    if state.named is not None:
        return values.value(state.named)
    if state.caller == seat:
        return best_share(rules, card)[0]
    return sum(values.value(named) / rules.scales[named] for named in PROPERTIES)


def _build(rules: PowerCards, state: State, seat: int, legal: list[str]) -> str:
    """Weak cards become parts, of the material that the win has most of; the strongest piggy comes last."""
    deck = rules.deck
    pairs = {step: step.removeprefix("build ").partition(">")[0] for step in legal if step != "stop"}
    parts = [step for step, card in pairs.items() if deck[card].part != PIGGY]
    if parts:
        won = [deck[card].material for card in state.pot]
        return max(parts, key=lambda step: (won.count(deck[pairs[step]].material), -best_share(rules, pairs[step])[0]))
    piggy = max(pairs, key=lambda step: deck[pairs[step]].catapult)
    if "stop" in legal and not state.fast and _aim(deck, state, seat, pairs[piggy]) < AIM:
        return "stop"
    return piggy


def _aim(deck: Deck, state: State, seat: int, piggy: str) -> float:
    """The chance that no other top card has a higher catapult value, by what everybody knows of the packs."""
    own = state.seats[seat].dealt[:1]
    unseen = [card for other in state.seats for card in other.dealt if card not in own]
    chance = 1.0
    for number in state.living:
        rival = state.seats[number]
        if number != seat:
            tops = unseen if rival.dealt else rival.won[0] if rival.won else rival.tops
            chance *= sum(deck[card].catapult <= deck[piggy].catapult for card in tops) / len(tops)
    return chance
