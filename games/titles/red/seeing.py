"""What each viewer of a position of Red may know, and what it can imagine behind that. Pure."""

from __future__ import annotations

from typing import Any

from games.chance import Chance
from games.engine import Viewer
from games.titles.red.leading import DECK
from games.titles.red.state import Options, Seat, State, in_order


def observe(state: State, viewer: Viewer) -> dict[str, Any]:
    """The position for one viewer, as JSON values; hidden are the hands of others and the order of the deck.

    A hand is a list for its owner and for "open", else the number of its
    cards; the deck is a list (top first) for "open", else a number.
    """
    return {
        "viewer": viewer,
        "options": {"game": state.options.game, "icons": state.options.icons},
        "round": state.round,
        "phase": state.phase,
        "active": state.active,
        "rule": state.rule,
        "canvas": list(state.canvas),
        "deck": list(state.deck) if viewer == "open" else len(state.deck),
        "known_top": list(state.deck[: state.known_top]),
        "bonus": state.bonus,
        "seats": [_seat(seat, viewer in ("open", number)) for number, seat in enumerate(state.seats)],
    }


def _seat(seat: Seat, whole: bool) -> dict[str, Any]:
    return {
        "hand": list(seat.hand) if whole else len(seat.hand),
        "known": list(seat.known),
        "palette": list(seat.palette),
        "out": seat.out,
        "score": seat.score,
        "scored": list(seat.scored),
    }


def imagine(observation: dict[str, Any], chance: Chance) -> State:
    """A position that the observation's viewer cannot tell from the true one: what it does not know is dealt anew."""
    seats = observation["seats"]
    seen = {*observation["canvas"], *observation["known_top"]}
    for seat in seats:
        seen.update(seat["known"], seat["palette"], seat["scored"], _cards(seat["hand"]))
    seen.update(_cards(observation["deck"]))
    unknown = list(chance.shuffle([card for card in DECK if card not in seen]))

    hands = []
    for seat in seats:
        hand = _cards(seat["hand"])
        if not isinstance(seat["hand"], list):
            hidden = seat["hand"] - len(seat["known"])
            hand, unknown = [*seat["known"], *unknown[:hidden]], unknown[hidden:]
        hands.append(in_order(hand))
    deck = observation["deck"]
    if not isinstance(deck, list):
        known_top = observation["known_top"]
        deck = known_top + unknown[: deck - len(known_top)]
    return State(
        options=Options(**observation["options"]),
        phase=observation["phase"],
        round=observation["round"],
        active=observation["active"],
        rule=observation["rule"],
        canvas=tuple(observation["canvas"]),
        deck=tuple(deck),
        known_top=len(observation["known_top"]),
        bonus=observation["bonus"],
        seats=tuple(
            Seat(hand, tuple(seat["known"]), tuple(seat["palette"]), seat["out"], seat["score"], tuple(seat["scored"]))
            for hand, seat in zip(hands, seats, strict=True)
        ),
    )


def _cards(value: Any) -> list[str]:
    """The cards of a place that is seen, none of one that is only counted."""
    return list(value) if isinstance(value, list) else []
