"""What each viewer of a position of Power Cards may know, and what it can imagine behind that. Pure.

Everything that was shown once is public for good: the middle, the constructions, and which cards lie in which layer
of a pack. Hidden are the cards dealt that nobody has turned yet, the order within every layer (also to the owner of
the pack, who sees the top card only), and a card that somebody draws from several until all have drawn.
"""

from __future__ import annotations

from typing import Any

from games.chance import Chance
from games.engine import Viewer
from games.titles.power_cards.deck import Deck, in_order
from games.titles.power_cards.phrases import cards
from games.titles.power_cards.state import Construction, Options, Seat, State

HIDDEN = "?"
"""Stands for a card that was drawn and is not shown yet."""


def observe(deck: Deck, state: State, viewer: Viewer) -> dict[str, Any]:
    """The position for one viewer, as JSON values.

    ``dealt`` is the number of cards that nobody has seen, ``won`` the layers
    below them in printed order; for "open" both are the cards in their true
    order. ``top`` is the own top card (only there for its owner).
    """
    return {
        "viewer": viewer,
        "options": {
            "quick": state.options.quick,
            "max_rounds": state.options.max_rounds,
            "build": state.options.build,
            "max_cons": state.options.max_cons,
            "catapult_build": state.options.catapult_build,
        },
        "phase": state.phase,
        "active": state.active,
        "round": state.round,
        "caller": state.caller,
        "named": state.named,
        "contest": list(state.contest),
        "pot": list(state.pot),
        "piggy": state.piggy,
        "chain": state.chain,
        "fast": state.fast,
        "offered": state.offered,
        "how": state.how,
        "seats": [_seat(deck, seat, viewer, number) for number, seat in enumerate(state.seats)],
    }


def _seat(deck: Deck, seat: Seat, viewer: Viewer, number: int) -> dict[str, Any]:
    seen: dict[str, Any] = {"top": seat.top} if viewer == number else {}
    seen |= {
        "dealt": len(seat.dealt),
        "constructions": [
            {
                "material": construction.material,
                "uprights": list(construction.uprights),
                "cross": construction.cross,
                "piggy": construction.piggy,
            }
            for construction in seat.constructions
        ],
        "drawn": seat.drawn,
        "won": [list(in_order(deck, layer)) for layer in seat.won],
        "out": seat.out,
    }
    if viewer == "open":
        return seen | {"dealt": list(seat.dealt), "won": [list(layer) for layer in seat.won]}
    if viewer != number and seat.drawn is not None and len(seat.tops) > 1:
        return seen | {"drawn": HIDDEN}  # the one part that can be taken is no secret
    return seen


def imagine(deck: Deck, observation: dict[str, Any], chance: Chance) -> State:
    """A position that the observation's viewer cannot tell from the true one: what it does not know is dealt anew."""
    seats = observation["seats"]
    known = {*observation["pot"]}
    for seat in seats:
        known.update(*seat["won"], _dealt(seat), *map(cards, seat["constructions"]))
        known.add(seat.get("top"))
    unknown = chance.shuffle([card for card in deck if card not in known])
    made = []
    for seat in seats:
        own = _dealt(seat)
        if isinstance(seat["dealt"], int):
            taken = seat["dealt"] - len(own)
            own, unknown = own + unknown[:taken], unknown[taken:]
        made.append(_imagined(seat, own, observation["viewer"] != "open", chance))
    facts = {name: value for name, value in observation.items() if name not in ("viewer", "options", "seats")}
    facts |= {"contest": tuple(observation["contest"]), "pot": tuple(observation["pot"])}
    return State(options=Options(**observation["options"]), seats=tuple(made), **facts)


def _imagined(seat: dict[str, Any], dealt: tuple[str, ...], hidden: bool, chance: Chance) -> Seat:
    """One seat with its dealt cards; where the order is ``hidden`` the layers are shuffled below a known top card."""
    layers = [tuple(layer) for layer in seat["won"]]
    if hidden:
        layers = [chance.shuffle(layer) for layer in layers]
        if not dealt and layers and "top" in seat:
            top = seat["top"]
            layers[0] = (top, *(card for card in layers[0] if card != top))
    constructions = tuple(
        Construction(built["material"], tuple(built["uprights"]), built["cross"], built["piggy"])
        for built in seat["constructions"]
    )
    made = Seat(dealt, tuple(layers), constructions, seat["drawn"], seat["out"])
    if seat["drawn"] != HIDDEN:
        return made
    return Seat(made.dealt, made.won, constructions, made.tops[chance.roll(len(made.tops))], made.out)


def _dealt(seat: dict[str, Any]) -> tuple[str, ...]:
    """The dealt cards of a seat that are seen: all for "open", the top one for its owner, else none."""
    if isinstance(seat["dealt"], list):
        return tuple(seat["dealt"])
    return (seat["top"],) if seat["dealt"] and "top" in seat else ()
