"""Building with won cards: what fits where, what is asked, and why something does not fit. Pure."""

from __future__ import annotations

from typing import Any

from games.engine import IllegalMove, News
from games.titles.power_cards.deck import CROSS, PIGGY, Deck
from games.titles.power_cards.state import QUICK_CONSTRUCTIONS, UPRIGHTS, Construction, State

Pair = tuple[str, int]
"""A card and the number of the construction it goes to; one more than there are: a new one."""


def misfit(deck: Deck, state: State, card: str, place: int) -> str | None:
    """Why a won card may not go to a place of the winner, as a reason of the rules; None if it may."""
    own = state.seats[state.caller].constructions
    part = deck[card].part
    if place == len(own):
        return _no_new(state, part)
    target = own[place]
    if part == PIGGY:
        if not target.finished:
            return "piggy_needs_three"
        if target.piggy is not None:
            return "piggy_there"
        return None if place == _for_piggy(own) else "piggy_first_begun"
    if deck[card].material != target.material:
        return "other_material"
    if part == CROSS:
        if len(target.uprights) < UPRIGHTS:
            return "cross_needs_uprights"
        return "cross_there" if target.finished else None
    return "uprights_there" if len(target.uprights) == UPRIGHTS else None


def _no_new(state: State, part: str) -> str | None:
    """Why the winner may not begin another construction with such a part."""
    own = state.seats[state.caller].constructions
    if part == PIGGY:
        return "piggy_needs_three"
    if part == CROSS:
        return "cross_needs_uprights"
    if not all(construction.finished for construction in own):
        return "finish_first"
    if state.fast:
        return "two_at_most" if len(own) >= QUICK_CONSTRUCTIONS else None
    return "one_at_a_time" if 0 < state.options.max_cons <= len(own) else None


def _for_piggy(own: tuple[Construction, ...]) -> int | None:
    """The finished construction without a piggy that was begun first."""
    ready = (number for number, target in enumerate(own) if target.finished and target.piggy is None)
    return next(ready, None)


def offers(deck: Deck, state: State) -> list[Pair]:
    """What the winner may place now: pairs of card and place, the cards in printed order.

    Where all that fits must be built, a piggy comes last: placing it ends the building.
    """
    places = range(len(state.seats[state.caller].constructions) + 1)
    pairs = [(card, place) for card in state.pot for place in places if misfit(deck, state, card, place) is None]
    pairs.sort(key=lambda pair: deck[pair[0]].number)
    if state.options.build == "may":
        return pairs
    return [pair for pair in pairs if deck[pair[0]].part != PIGGY] or pairs


def is_choice(deck: Deck, state: State, pairs: list[Pair]) -> bool:
    """Whether the winner is asked: not if all pairs lead to one construction that has room for all."""
    if state.options.build == "may":
        return bool(pairs)
    if len(pairs) < 2:
        return False
    own = state.seats[state.caller].constructions
    targets = {(place, deck[card].material if place == len(own) else "") for card, place in pairs}
    # Two cards fit together only as the uprights of a new construction: an existing one has room for one more.
    return len(targets) > 1 or len(pairs) > (UPRIGHTS if pairs[0][1] == len(own) else 1)


def asked(deck: Deck, state: State, **changes: Any) -> State:
    """The position, with changes, and the next decision of the building: the winner's, the server's, or none left."""
    state = state.but(phase="built", active=None, **changes)
    pairs = [] if state.piggy is not None else offers(deck, state)
    if not pairs:
        return state
    return state.but(phase="build", active=state.caller if is_choice(deck, state, pairs) else None)


def steps(deck: Deck, state: State) -> list[str]:
    """The winner's steps."""
    new = len(state.seats[state.caller].constructions)
    pairs = [f"build {card}>{'new' if place == new else place}" for card, place in offers(deck, state)]
    return [*pairs, "stop"] if state.options.build == "may" else pairs


def check(deck: Deck, state: State, card: str, where: str) -> Pair:
    """The pair that a step names. Raises IllegalMove with the rule against it."""
    own = state.seats[state.caller].constructions
    if card not in state.pot:
        raise IllegalMove("not_won", card=card)
    place = len(own) if where == "new" else int(where)
    if where != "new" and place >= len(own):
        raise IllegalMove("no_construction", card=card)
    if reason := misfit(deck, state, card, place):
        raise IllegalMove(reason, card=card)
    if (card, place) not in offers(deck, state):
        raise IllegalMove("piggy_last", card=card)
    return card, place


def place(deck: Deck, state: State, pair: Pair) -> tuple[State, News]:
    """The position after a card of the pot was placed, and the news of it."""
    card, number = pair
    seat = state.seats[state.caller]
    own, kind = seat.constructions, deck[card]
    new = number == len(own)
    target = Construction(kind.material, ()) if new else own[number]
    target = target.with_card(card, kind.part)
    seat = seat.but(constructions=(*own[:number], target, *own[number + 1 :]))
    pot = tuple(other for other in state.pot if other != card)
    piggy = card if kind.part == PIGGY else state.piggy
    after = asked(deck, state, seats=state.seats_with(state.caller, seat), pot=pot, offered=False, piggy=piggy)
    news: News = {
        "what": "placed",
        "seat": state.caller,
        "card": card,
        "part": kind.part,
        "material": target.material,
        "place": number,
        "new": new,
    }
    return after, news
