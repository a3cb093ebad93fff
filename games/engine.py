"""What a game is, and how a match of it runs. Pure: no Django, no clock, no randomness but ``Chance``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from games.chance import Chance

Viewer = int | None | Literal["open"]
"""Who looks: a seat, a spectator (None), or everything (verification and finished matches)."""

News = dict[str, Any]
"""What a row caused, with its audience: ``to`` and ``public`` (see ``seen``)."""

S = TypeVar("S")
Result = tuple[S, tuple[News, ...]]

MAX_STEPS = 64
"""Longest turn anybody may post; far beyond the longest a game has."""

MAX_STEP_LENGTH = 60
"""Longest text of one step, in characters."""

STEP_SEPARATOR = "; "
"""Joins the steps of one Move row."""


class IllegalMove(ValueError):
    """A step the rules refuse. ``reason`` is a stable code, ``facts`` fill the sentence shown for it."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class BadOptions(ValueError):
    """Options that the game does not have; ``field`` names the first wrong one."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. ``places[seat]`` is one more than the number of seats strictly better: ties read 1, 1, 3."""

    places: tuple[int, ...]
    reason: str


class Game(Protocol[S]):
    """The rules of one title, as functions of an immutable state.

    ``Options`` is a frozen dataclass; the metadata of each field has
    ``label``, ``help`` and (unless it is a bool) ``choices``, a mapping of
    value to label, all marked for translation.
    """

    slug: str
    version: int
    seat_counts: range
    Options: type

    def setup(self, options: Any, seats: int, chance: Chance) -> S:
        """The state before anything is dealt or asked."""
        ...

    def active_seat(self, state: S) -> int | None:
        """Whose step is awaited; None when the server owes one or the match is over."""
        ...

    def legal_moves(self, state: S) -> Sequence[str]:
        """The active seat's steps, each of which can still be completed to a whole turn."""
        ...

    def apply(self, state: S, step: str) -> Result[S]:
        """The mover's step: deterministic and made of what the mover knows. Raises IllegalMove, and nothing else."""
        ...

    def settle(self, state: S, chance: Chance) -> Result[S]:
        """One step that the server owes: deal, roll, draw, reveal, refill, score."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The result, once the match is over."""
        ...

    def observe(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """What ``viewer`` may know, as JSON values; ``["viewer"]`` names the viewer. The first of two doors out."""
        ...

    def imagine(self, observation: dict[str, Any], chance: Chance) -> S:
        """Some state that the observation's viewer cannot tell from the true one."""
        ...


def plan(game: Game[S], state: S, steps: Sequence[str]) -> Result[S]:
    """The state after the mover's own steps, before the server acts.

    This is what a player previews and what ``play`` accepts. Raises
    IllegalMove: the rules' own reason, or ``after_end`` for a step behind
    the end of the turn or behind a reveal (refused before anything is
    looked at), ``too_long`` for more than MAX_STEPS steps.
    """
    if len(steps) > MAX_STEPS or any(len(step) > MAX_STEP_LENGTH for step in steps):
        raise IllegalMove("too_long")
    seat = game.active_seat(state)
    news: tuple[News, ...] = ()
    for index, step in enumerate(steps):
        if seat is None or game.active_seat(state) != seat:
            raise IllegalMove("after_end", index=index)
        state, more = game.apply(state, step)
        news += more
    return state, news


def settled(game: Game[S], state: S, chance: Chance) -> Result[S]:
    """The state once the server has done all that it owes: a seat is active or the match is over."""
    news: tuple[News, ...] = ()
    while game.active_seat(state) is None and game.outcome(state) is None:
        state, more = game.settle(state, chance)
        news += more
    return state, news


def play(game: Game[S], state: S, steps: Sequence[str], chance: Chance) -> Result[S]:
    """One Move row: a whole turn, or up to a step of the server, and then all that the server owes.

    Raises IllegalMove as ``plan`` does, and ``unfinished`` if the seat would
    still be active without a reveal. Nothing is drawn before all is accepted.
    """
    seat = game.active_seat(state)
    if not steps:
        raise IllegalMove("unfinished")
    state, news = plan(game, state, steps)
    if game.active_seat(state) == seat:
        raise IllegalMove("unfinished")
    state, more = settled(game, state, chance)
    return state, news + more


def start(game: Game[S], options: Any, seats: int, chance: Chance) -> Result[S]:
    """Row 1: the set-up and what the server owes after it."""
    return settled(game, game.setup(options, seats, chance), chance)


def split(text: str) -> list[str]:
    """The steps of a Move's text, or of what somebody typed: separated by semicolons, blanks around them dropped."""
    return [step.strip() for step in text.split(";") if step.strip()]


def join(steps: Iterable[str]) -> str:
    """The text of a Move row."""
    return STEP_SEPARATOR.join(steps)


def seen(news: Iterable[News], viewer: Viewer) -> list[News]:
    """The news as ``viewer`` may know them. The second of two doors out.

    A value with ``to`` is whole for those seats; everybody else gets its
    ``public`` part, or nothing if that is missing or None. A value without
    ``to`` is for all. The keys ``to`` and ``public`` themselves stay inside.
    """
    values = []
    for value in news:
        whole = {key: fact for key, fact in value.items() if key not in ("to", "public")}
        if "to" not in value or viewer == "open" or (viewer is not None and viewer in value["to"]):
            values.append(whole)
        elif value.get("public") is not None:
            values.append(dict(value["public"]))
    return values


def options_from(game: Game[Any], values: Mapping[str, Any]) -> Any:
    """The game's Options from JSON values; missing ones take their default.

    Raises BadOptions for a name the game does not have, a wrong type, or a
    value that is not among the choices.
    """
    fields = {field.name: field for field in dataclasses.fields(game.Options)}
    for name, value in values.items():
        field = fields.get(name)
        if field is None:
            raise BadOptions(name)
        choices = field.metadata.get("choices")
        if type(value) is not type(field.default) or (choices is not None and value not in choices):
            raise BadOptions(name)
    return game.Options(**values)


def places(outcome: Outcome | None, seats: int, leavers: Sequence[int]) -> tuple[int, ...]:
    """The places of a match that some seats left, ``leavers`` in the order of leaving.

    Who stayed is placed among those who stayed as the rules say (all equal
    if the rules have no result yet); leavers come last, the earliest lowest,
    and what a bot did on their seat afterwards is ignored.
    """
    by_rules = outcome.places if outcome else (1,) * seats
    left = {seat: order for order, seat in enumerate(leavers)}
    keys = [(1, -left[seat]) if seat in left else (0, by_rules[seat]) for seat in range(seats)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)
