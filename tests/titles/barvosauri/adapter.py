"""The case notation of Barvosauři, answered by the rules on a board without a picture.

A position is taken as given: nothing is settled before its first step. ``roll`` is the server's, with the case's die;
after every other step the show is filled. ``!step`` in ``do`` must be refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from games import engine
from games.engine import IllegalMove, News
from games.titles.barvosauri.board import COLOURS, plain
from games.titles.barvosauri.rules import Barvosauri
from games.titles.barvosauri.state import Options, Seat, State, in_order

SETS = frozenset({"legal", "kinds", "winners"})
EMPTY = "-"
Json = dict[str, Any]
T = TypeVar("T")


class Hand(str):
    """The cards of a seat, which have no order."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and sorted(self) == sorted(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


class Has(list[str]):
    """Steps that equal any list whose steps are all among them."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and set(other) <= set(self)

    def __ne__(self, other: object) -> bool:
        return not self == other


class HasNot(Has):
    """Steps that equal any list that has none of them."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and set(other).isdisjoint(self)


class Tail(str):
    """A pack that equals every text that it ends with."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self.endswith(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]


class Die:
    """The rolls of a case, in order. Raises IndexError for one too many."""

    def __init__(self, rolls: str) -> None:
        self.rolls = list(rolls)

    def roll(self, faces: int) -> int:
        """The number of the next colour."""
        return COLOURS.index(self.rolls.pop(0))

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """No case shuffles."""
        raise AssertionError("a shuffle in the middle of a match")


def run(given: Json) -> Json:
    """The answer of the rules to one case. Raises IllegalMove for a step they refuse, AssertionError for one they
    should have refused."""
    game = Barvosauri(plain(given.get("k", 5)))
    die = Die(given.get("rolls", ""))
    state = _state(given, die)
    news: tuple[News, ...] = ()
    for step in given["do"]:
        text = step.removeprefix("!")
        try:
            state, more = _step(game, state, text, die)
        except IllegalMove:
            if text == step:
                raise
            continue
        assert text == step, f"{text} was accepted"
        news += more
    return _answer(game, state, news)


def _state(given: Json, die: Die) -> State:
    phase = given.get("phase", "ROLL").lower()
    figures = [tuple(pair) for pair in given["figs"]]
    turn = given["turn"]
    return State(
        options=Options(**given.get("opts", {})),
        phase=phase,
        active=turn,
        rolled=given.get("rolled") or (COLOURS[die.roll(6)] if phase in ("place", "move") else None),
        pair=figures[turn][0][0] if phase == "harvest" else None,
        owed=(),
        refreshed=given.get("refreshed", False),
        took=False,
        since_take=given.get("since_take", 0),
        display=tuple(None if card == EMPTY else card for card in given["display"]),
        deck=tuple(given["deck"]),
        known_bottom=0,
        seats=tuple(Seat(pair, in_order(held)) for pair, held in zip(figures, given["held"], strict=True)),
        how=None,
    )


def _step(game: Barvosauri, state: State, text: str, die: Die) -> engine.Result[State]:
    if text != "roll" or state.phase != "roll":
        state, news = game.apply(state, text)
        wait = "fill"
    else:
        news, wait = (), "roll"
    while state.phase == wait:
        state, more = game.settle(state, die)
        news += more
    return state, news


def _answer(game: Barvosauri, state: State, news: tuple[News, ...]) -> Json:
    legal = list(game.legal_moves(state))
    deck = "".join(state.deck)
    outcome = game.outcome(state)
    return {
        "phase": state.phase.upper(),
        "turn": state.active,
        "figs": [list(seat.figures) for seat in state.seats],
        "held": [Hand("".join(seat.held)) for seat in state.seats],
        "display": "".join(card or EMPTY for card in state.display),
        "deck": deck,
        "deck_tail": Tail(deck),
        "deck_len": len(deck),
        "rolled": state.rolled,
        "nofree": sum(value["what"] == "rolled" and value["full"] for value in news),
        "legal": legal,
        "legal_has": Has(legal),
        "legal_not": HasNot(legal),
        "kinds": sorted({step.split()[0] for step in legal}),
        "winners": [seat for seat, place in enumerate(outcome.places) if place == 1] if outcome else None,
        "places": list(outcome.places) if outcome else None,
        "how": outcome.reason if outcome else None,
        "since_take": state.since_take,
    }
