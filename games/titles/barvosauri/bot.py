"""The eager bot of Barvosauři: what its cards are worth, and what its figures may earn next. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from games.chance import Chance
from games.engine import Game
from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.state import COPIES, State, without

# The weights are estimates; with them it wins 99 of 100 matches of two against a player at random.
AWAY = (1000.0, 60.0, 24.0, 11.0, 5.0, 2.0, 0.0)
"""What it is worth to be so many cards away from a royal win."""
CARD = 3.0
"""What any card is worth for the count at the end."""
RIVAL = 0.5
"""How much the best prospects of another seat weigh against the own."""


def eager(game: Game[State], observation: dict[str, Any], chance: Chance) -> list[str]:
    """The turn worth most: cards that come near a royal win, and figures on colours whose cards are wanted.

    Cards that come up end the steps: the bot is asked again.
    """
    state = game.imagine(observation, chance)
    return max(_turns(game, state), key=lambda turn: _worth(turn[1], state.mover))[0]


def _turns(game: Game[State], state: State) -> Iterator[tuple[list[str], State]]:
    """Every turn up to a step of the server, with the position after it."""
    for step in game.legal_moves(state):
        after, _news = game.apply(state, step)
        if game.active_seat(after) == state.active:
            yield from (([step, *steps], end) for steps, end in _turns(game, after))
        else:
            yield [step], after


def _worth(state: State, mover: int) -> float:
    """How well the mover stands after its turn: its own prospects less half of the best of another seat."""
    prospects = [_prospects(state, seat) for seat in range(len(state.seats))]
    own = prospects.pop(mover)
    if state.phase == "fill" and not state.took and state.pair is not None:
        held, elsewhere = state.seats[mover].held, _elsewhere(state, mover)
        own += _hit(state, state.pair) * _gain(held, state.pair, elsewhere, state.options.goal_colors)
    return own - RIVAL * max(prospects)


def _prospects(state: State, seat: int) -> float:
    """What a seat's cards are worth, and what its next roll adds on average from where its figures stand."""
    held, elsewhere, goal = state.seats[seat].held, _elsewhere(state, seat), state.options.goal_colors
    worth = _cards(held, elsewhere, goal)
    for colour in dict.fromkeys(space[0] for space in state.seats[seat].figures if space is not None):
        chance = 1.0 if colour in state.display else _hit(state, colour)
        gain = chance * _gain(held, colour, elsewhere, goal)
        if colour in held:
            rest = without(held, colour)
            swaps = {card for card in state.display if card not in (None, colour)}
            gain = max([gain, *(_cards((*rest, card), elsewhere, goal) - worth for card in swaps)])
        worth += gain / len(COLOURS)
    return worth


def _elsewhere(state: State, seat: int) -> frozenset[str]:
    """The colours of which somebody else holds a card: all four of those are out of reach."""
    return frozenset(card for number, other in enumerate(state.seats) if number != seat for card in other.held)


@lru_cache(maxsize=1 << 10)  # as good as 16 times as many: most of it comes again within one decision
def _cards(held: tuple[str, ...], elsewhere: frozenset[str], goal: int) -> float:
    """What a hand is worth: how near it is to every royal win that is possible, and its number of cards."""
    colours = set(held)
    fours = (AWAY[COPIES - held.count(colour)] for colour in colours - elsewhere)
    return AWAY[max(0, goal - len(colours))] + sum(fours) + CARD * len(held)


def _gain(held: tuple[str, ...], colour: str, elsewhere: frozenset[str], goal: int) -> float:
    """What one more card of a colour adds to a hand."""
    return _cards((*held, colour), elsewhere, goal) - _cards(held, elsewhere, goal)


def _hit(state: State, colour: str) -> float:
    """The chance that one of two cards from the pack is of a colour."""
    unknown = len(state.deck) - state.known_bottom
    if unknown <= 0:
        return 0.0
    bottom = state.deck[unknown:].count(colour)
    seen = bottom + state.display.count(colour) + sum(seat.held.count(colour) for seat in state.seats)
    miss = 1 - (COPIES - seen) / unknown
    return 1 - miss * miss
