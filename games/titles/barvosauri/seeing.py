"""What each viewer of a position of Barvosauři may know, and what it can imagine behind that. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.chance import Chance
from games.engine import Viewer
from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.state import COPIES, Options, Seat, State

_ALL = Counter(COLOURS * COPIES)


def observe(state: State, viewer: Viewer) -> dict[str, Any]:
    """The position for one viewer, as JSON values; only the order of the pack is hidden, from everybody.

    The pack is a list (top first) for "open", else a number;
    ``known_bottom`` are the cards at its bottom that all saw go there.
    """
    options = state.options
    return {
        "viewer": viewer,
        "options": {
            "goal_colors": options.goal_colors,
            "first_turn_card": options.first_turn_card,
            "harvest": options.harvest,
            "board": options.board,
            "stall_rounds": options.stall_rounds,
        },
        "phase": state.phase,
        "active": state.active,
        "rolled": state.rolled,
        "pair": state.pair,
        "owed": list(state.owed),
        "refreshed": state.refreshed,
        "took": state.took,
        "since_take": state.since_take,
        "display": list(state.display),
        "deck": list(state.deck) if viewer == "open" else len(state.deck),
        "known_bottom": list(state.deck[len(state.deck) - state.known_bottom :]),
        "seats": [{"figures": list(seat.figures), "held": list(seat.held)} for seat in state.seats],
        "how": state.how,
    }


def imagine(observation: dict[str, Any], chance: Chance) -> State:
    """A position that nobody can tell from the true one: the part of the pack that nobody knows is shuffled anew."""
    known = observation["known_bottom"]
    deck = observation["deck"]
    if not isinstance(deck, list):
        deck = [*_unknown(observation, chance)[: deck - len(known)], *known]
    return State(
        options=Options(**observation["options"]),
        phase=observation["phase"],
        active=observation["active"],
        rolled=observation["rolled"],
        pair=observation["pair"],
        owed=tuple(observation["owed"]),
        refreshed=observation["refreshed"],
        took=observation["took"],
        since_take=observation["since_take"],
        display=tuple(observation["display"]),
        deck=tuple(deck),
        known_bottom=len(known),
        seats=tuple(
            Seat((seat["figures"][0], seat["figures"][1]), tuple(seat["held"])) for seat in observation["seats"]
        ),
        how=observation["how"],
    )


def _unknown(observation: dict[str, Any], chance: Chance) -> tuple[str, ...]:
    """The cards that are nowhere to be seen, shuffled."""
    seen = Counter(card for card in observation["display"] if card)
    seen.update(observation["known_bottom"])
    for seat in observation["seats"]:
        seen.update(seat["held"])
    return chance.shuffle(tuple((_ALL - seen).elements()))
