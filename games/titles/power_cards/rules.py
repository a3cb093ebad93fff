"""The rules of Power Cards, for two to four: call, compare, build, and win the table with a piggy. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from games.chance import Chance
from games.engine import IllegalMove, News, Outcome, Result, Viewer
from games.titles.power_cards import building, rounds, seeing
from games.titles.power_cards.deck import CATAPULT, PROPERTIES, Deck, scales
from games.titles.power_cards.state import Options as PowerCardsOptions, Seat, State

_STEP = re.compile(r"call ([a-z]+)|(offer|accept|decline|stop)|draw (\w+)|build (\w+)>(new|0|[1-9][0-9]?)", re.ASCII)
_KINDS = {"call": "call", "offer": "call", "accept": "reply", "decline": "reply", "draw": "draw"}
"""In which phase a step belongs; the others belong to the building."""


class PowerCards:
    """Power Cards, played with a deck."""

    slug = "power_cards"
    version = 1
    seat_counts = range(2, 5)
    Options: type = PowerCardsOptions

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.scales = scales(deck)

    def setup(self, options: PowerCardsOptions, seats: int, chance: Chance) -> State:
        """The empty table: the server deals first."""
        return State(options, "deal", None, 0, 0, None, (), (), None, 0, False, False, None, (Seat(),) * seats)

    def active_seat(self, state: State) -> int | None:
        """Whose step is awaited."""
        return state.active

    def legal_moves(self, state: State) -> Sequence[str]:
        """The active seat's steps; there are no others that are accepted."""
        if state.active is None:
            return []
        if state.phase == "call":
            calls = [f"call {named}" for named in PROPERTIES]
            return calls if _no_offer(state) else [*calls, "offer"]
        if state.phase == "reply":
            return ["accept", "decline"]
        if state.phase == "draw":
            return [f"draw {card}" for card in state.seats[state.active].tops]
        return building.steps(self.deck, state)

    def apply(self, state: State, step: str) -> Result[State]:
        """The mover's step. Raises IllegalMove with one of the reasons of the rules."""
        seat = state.active
        if seat is None:
            raise IllegalMove("after_end")
        if not (match := _STEP.fullmatch(step)):
            raise IllegalMove("unknown_step", step=step)
        kind = step.split(" ")[0]
        if _KINDS.get(kind, "build") != state.phase:
            raise IllegalMove("not_asked", phase=state.phase)
        named, _word, drawn, won, where = match.groups()
        match kind:
            case "call":
                return _call(state, seat, named)
            case "offer":
                return _offer(state, seat)
            case "accept":
                after = state.but(phase="call", active=state.caller, fast=True)
                return after, ({"what": "accepted", "seat": seat},)
            case "decline":
                return state.but(phase="call", active=state.caller), ({"what": "declined", "seat": seat},)
            case "draw":
                return _draw(state, seat, drawn)
            case "build":
                after, news = building.place(self.deck, state, building.check(self.deck, state, won, where))
                return after, (news,)
            case _:
                return _stop(state, seat)

    def settle(self, state: State, chance: Chance) -> Result[State]:
        """One step of the server: it deals, begins a round, shows what was drawn, compares, or builds."""
        match state.phase:
            case "deal":
                return rounds.deal(self.deck, state, chance)
            case "start":
                return rounds.start(state)
            case "show":
                return rounds.show(state)
            case "reveal":
                return rounds.reveal(self.deck, state, chance)
            case "build":
                return rounds.build_on(self.deck, state)
            case _:
                return rounds.built(self.deck, state, chance)

    def outcome(self, state: State) -> Outcome | None:
        """Places by number of cards; who has none stands in the reverse order of running out.

        Seats that are equal share a place, but for the one who ended the match by the quicker ending, and for those
        tied last when all cards are in the middle: they stand before their equals. The reason is the news' ``how``.
        """
        if state.how is None:
            return None
        first = {"fast": (state.caller,), "dead tie": state.contest}.get(state.how, ())
        merits = [(seat.count, seat.out or 0, number in first) for number, seat in enumerate(state.seats)]
        return Outcome(tuple(1 + sum(other > merit for other in merits) for merit in merits), state.how)

    def observe(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """See ``seeing.observe``."""
        return seeing.observe(self.deck, state, viewer)

    def imagine(self, observation: dict[str, Any], chance: Chance) -> State:
        """See ``seeing.imagine``."""
        return seeing.imagine(self.deck, observation, chance)


def _call(state: State, seat: int, named: str) -> Result[State]:
    if named not in PROPERTIES:
        raise IllegalMove("catapult_call" if named == CATAPULT else "no_property", named=named)
    news: News = {"what": "called", "seat": seat, "named": named}
    return state.but(phase="reveal", active=None, round=state.round + 1, named=named, chain=0), (news,)


def _no_offer(state: State) -> str | None:
    """Why the quicker ending cannot be offered now, None if it can."""
    if state.fast:
        return "offer_on"
    if state.options.quick != "agree":
        return "offer_off"
    if len(state.living) != 2:
        return "offer_two_left"
    if not state.empty_table:
        return "offer_table"
    return "offer_once" if state.offered else None


def _offer(state: State, seat: int) -> Result[State]:
    if reason := _no_offer(state):
        raise IllegalMove(reason)
    other = next(number for number in state.living if number != seat)
    return state.but(phase="reply", active=other, offered=True), ({"what": "offered", "seat": seat},)


def _draw(state: State, seat: int, card: str) -> Result[State]:
    """The card stays where it stands until all have drawn. Before a call, a caller who draws last calls at once."""
    mine = state.seats[seat]
    if card not in mine.tops:
        built = any(card in construction.cards for construction in mine.constructions)
        raise IllegalMove("from_the_top" if built else "not_yours", card=card)
    after = rounds.await_draws(state.with_seat(seat, mine.but(drawn=card)))
    if after.phase == "show" and seat == state.caller:
        after = after.but(phase="call", active=seat)
    news: News = {"what": "drew", "seat": seat, "card": card, "to": [seat], "public": {"what": "drew", "seat": seat}}
    return after, (news,)


def _stop(state: State, seat: int) -> Result[State]:
    if state.options.build != "may":
        raise IllegalMove("must_build")
    return state.but(phase="built", active=None), ({"what": "stopped", "seat": seat},)
