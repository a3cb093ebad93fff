"""The rules of Barvosauři: roll, move one of two figures, and earn a card where both stand on one colour. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from games.chance import Chance
from games.engine import IllegalMove, Outcome, Result, Viewer
from games.titles.barvosauri import harvest, seeing
from games.titles.barvosauri.board import COLOURS, Board
from games.titles.barvosauri.state import (
    ASKING,
    COPIES,
    ROYAL,
    SLOTS,
    Options as BarvosauriOptions,
    Seat,
    State,
)

_SPACE = r"([A-Z][0-9]+)"
_SLOT = r"([0-9]+)"
_STEP = re.compile(
    rf"(place) {_SPACE}|(move) {_SPACE}>{_SPACE}|(stay|done|roll)"
    rf"|(take|exchange) {_SLOT}|(refresh) {_SLOT}(?: {_SLOT})?"
)
_WORDS = {"place": ("place",), "move": ("move", "stay"), "harvest": ("take", "refresh", "exchange", "done")}
"""The steps of each phase."""


class Barvosauri:
    """Barvosauři on a board."""

    slug = "barvosauri"
    version = 1
    seat_counts = range(2, 5)
    Options: type = BarvosauriOptions

    def __init__(self, board: Board) -> None:
        self.board = board

    def spaces(self, options: BarvosauriOptions, seats: int, colour: str) -> tuple[str, ...]:
        """The spaces of a colour that are in play: all, or on the tighter board one more than there are seats."""
        names = self.board.names[colour]
        return names[: seats + 1] if options.board == "tight" else names

    def free(self, state: State, colour: str) -> list[str]:
        """The spaces of a colour on which no figure stands."""
        taken = {space for seat in state.seats for space in seat.figures}
        return [space for space in self.spaces(state.options, len(state.seats), colour) if space not in taken]

    def setup(self, options: BarvosauriOptions, seats: int, chance: Chance) -> State:
        """The empty table: the server deals first."""
        return State(
            options=options,
            phase="deal",
            active=None,
            rolled=None,
            pair=None,
            owed=(),
            refreshed=False,
            took=False,
            since_take=0,
            display=(None,) * SLOTS,
            deck=(),
            known_bottom=0,
            seats=(Seat(),) * seats,
            how=None,
        )

    def active_seat(self, state: State) -> int | None:
        """Whose step is awaited."""
        return state.active if state.phase in ASKING else None

    def legal_moves(self, state: State) -> Sequence[str]:
        """Every step that the rules allow now."""
        if state.phase == "harvest":
            return harvest.steps(state)
        if state.phase not in ASKING or state.rolled is None:
            return []
        free = self.free(state, state.rolled)
        if state.phase == "place":
            return [f"place {space}" for space in free]
        return [*(f"move {figure}>{space}" for figure in state.own.figures for space in free), "stay"]

    def apply(self, state: State, step: str) -> Result[State]:
        """The mover's step. Raises IllegalMove with the rule that it breaks."""
        if state.phase not in ASKING:
            raise IllegalMove("after_end")
        if not (match := _STEP.fullmatch(step)):
            raise IllegalMove("unknown_step", step=step)
        word, *parts = (part for part in match.groups() if part is not None)
        if word not in _WORDS[state.phase]:
            raise IllegalMove(_untimely(state.phase, word))
        if word == "place":
            return self._place(state, *parts)
        if word == "move":
            return self._move(state, *parts)
        if word == "stay":
            after, news = harvest.next_turn(state)
            return after, ({"what": "stayed", "seat": state.mover}, *news)
        return _HARVEST[word](state, *parts)

    def settle(self, state: State, chance: Chance) -> Result[State]:
        """The deal, a roll, or new cards on show."""
        if state.phase == "deal":
            return _deal(state, chance)
        if state.phase == "roll":
            return self._roll(state, chance)
        return harvest.fill(state)

    def outcome(self, state: State) -> Outcome | None:
        """Places: the royal winner first, then by number of cards. The reason is how the match ended."""
        if state.phase != "over" or state.how is None:
            return None
        royal = state.active if state.how in ROYAL else None
        merits = [(number == royal, len(seat.held)) for number, seat in enumerate(state.seats)]
        return Outcome(tuple(1 + sum(other > merit for other in merits) for merit in merits), state.how)

    def observe(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """See ``seeing.observe``."""
        return seeing.observe(state, viewer)

    def imagine(self, observation: dict[str, Any], chance: Chance) -> State:
        """See ``seeing.imagine``."""
        return seeing.imagine(observation, chance)

    def _roll(self, state: State, chance: Chance) -> Result[State]:
        """One roll; a colour without a free space is thrown away and the roll is owed again."""
        colour = COLOURS[chance.roll(len(COLOURS))]
        free = bool(self.free(state, colour))
        news = ({"what": "rolled", "seat": state.mover, "colour": colour, "full": not free},)
        if not free:
            return state, news
        return state.but(phase="place" if None in state.own.figures else "move", rolled=colour), news

    def _place(self, state: State, space: str) -> Result[State]:
        self._check_target(state, space)
        first, _second = state.own.figures
        figures = (space, None) if first is None else (first, space)
        placed = state.with_own(state.own.but(figures=figures))
        news = {"what": "placed", "seat": state.mover, "space": space}
        if first is None:
            return placed.but(phase="roll", rolled=None), (news,)
        after, more = harvest.arrived(placed) if state.options.first_turn_card else harvest.next_turn(placed)
        return after, (news, *more)

    def _move(self, state: State, figure: str, space: str) -> Result[State]:
        first, second = state.own.figures
        if figure not in (first, second):
            raise IllegalMove("not_your_figure", space=figure)
        self._check_target(state, space)
        figures = (space, second) if figure == first else (first, space)
        after, more = harvest.arrived(state.with_own(state.own.but(figures=figures)))
        return after, ({"what": "moved", "seat": state.mover, "from": figure, "space": space}, *more)

    def _check_target(self, state: State, space: str) -> None:
        """Raises IllegalMove unless the space is of the rolled colour and free."""
        colour = space[0]
        if colour not in COLOURS or space not in self.spaces(state.options, len(state.seats), colour):
            raise IllegalMove("no_such_space", space=space)
        if colour != state.rolled:
            raise IllegalMove("wrong_colour", space=space, rolled=state.rolled)
        if any(space in seat.figures for seat in state.seats):
            raise IllegalMove("taken_space", space=space)


def _untimely(phase: str, word: str) -> str:
    """Why a step of another phase is refused."""
    if word == "roll":
        return "roll_once"
    return "placed_already" if (phase, word) == ("move", "place") else f"{phase}_first"


_HARVEST: dict[str, Callable[..., Result[State]]] = {
    "take": harvest.take,
    "refresh": harvest.refresh,
    "exchange": harvest.exchange,
    "done": harvest.done,
}


def _deal(state: State, chance: Chance) -> Result[State]:
    """All cards shuffled, four on show, and a seat drawn to begin."""
    order = chance.shuffle(COLOURS * COPIES)
    first = chance.roll(len(state.seats))
    after = state.but(phase="roll", active=first, display=order[:SLOTS], deck=order[SLOTS:])
    return after, ({"what": "dealt", "display": list(order[:SLOTS]), "first": first},)
