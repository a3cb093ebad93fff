"""The thrifty bot of Red: cards are turns, so it spends as few as it can. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from games.chance import Chance
from games.engine import Game
from games.titles.red.leading import COLOURS, mask, strength
from games.titles.red.state import State

LOOKS = 200
"""How many unfinished turns are looked into. Without icons there are at most eight; chains of 5s can have thousands."""

# What a position after the own turn is worth, in quarters of a card. Measured with bench.strength against a player at
# random that never passes needlessly: halving or doubling any of these changes little, but with the cards alone the
# share of two-player rounds falls from 86 to 66 in 100.
CARD = 4
LAID = 2
RULE = 2
COLOUR = 1


def thrifty(game: Game[State], observation: dict[str, Any], chance: Chance) -> list[str]:
    """The turn worth most: it keeps cards in hand and builds a palette that leads under many rules.

    PASS only if nothing else is left; the draw of a 3 without a lead only
    if no turn leads. A draw ends the steps: the bot is asked again.
    """
    state = game.imagine(observation, chance)
    turns = list(_turns(game, state))
    if not turns:
        return ["PASS"]
    return max(turns, key=lambda turn: _worth(turn[1], state.mover))[0]


def _turns(game: Game[State], state: State) -> Iterator[tuple[list[str], State]]:
    """Turns that give the lead or reach a draw, with the position after them; the shortest first."""
    begun: deque[tuple[list[str], State]] = deque([([], state)])
    for _look in range(LOOKS):
        if not begun:
            return
        steps, before = begun.popleft()
        for step in game.legal_moves(before):
            if step != "PASS":
                after, _news = game.apply(before, step)
                if game.active_seat(after) is None:
                    yield [*steps, step], after
                else:
                    begun.append(([*steps, step], after))


def _worth(state: State, seat: int) -> tuple[bool, int]:
    """Whether the seat leads, and how well it stands for the turns to come."""
    mine = state.seats[seat]
    palette = mask(mine.palette)
    rivals = [mask(state.seats[other].palette) for other in state.living if other != seat]
    colours = {card[0] for card in mine.hand}
    draws = state.bonus or state.phase == "draw"
    worth = CARD * (len(mine.hand) + draws) + LAID * len(mine.palette)
    for rule in COLOURS:
        if strength(rule, palette) > max([strength(rule, bits) for bits in rivals], default=0):
            worth += RULE + COLOUR * (rule in colours)
    return state.leader() == seat, worth
