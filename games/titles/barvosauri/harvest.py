"""What a success earns in Barvosauři: take, refresh, exchange, and the end of the turn. Pure."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from games.engine import IllegalMove, News, Result
from games.titles.barvosauri.state import SLOTS, State, in_order, royal, without

_SLOTS = tuple(str(slot) for slot in range(SLOTS))
REPLACED = 2
"""Cards on show that a refresh replaces, if the pack holds so many."""


def steps(state: State) -> list[str]:
    """The steps of a seat whose figures have just come onto one colour.

    A shown card of the colour must be taken or passed over for an exchange;
    without one, cards may be replaced once a turn, or nothing be done.
    """
    shown = [slot for slot, card in enumerate(state.display) if card == state.pair]
    found = [] if state.took else [f"take {slot}" for slot in shown]
    if _spare(state):
        found += [f"exchange {slot}" for slot, card in enumerate(state.display) if card not in (None, state.pair)]
    if not shown and not state.took and not state.refreshed:
        count = min(REPLACED, len(state.deck))
        found += ["refresh " + " ".join(slots) for slots in permutations(_SLOTS, count) if slots]
    if not shown or state.took:
        found.append("done")
    return found


def _spare(state: State) -> bool:
    """Whether the mover holds a card of the pair's colour that it held before the move."""
    return state.pair is not None and state.own.held.count(state.pair) > state.took


def arrived(state: State) -> Result[State]:
    """The position after a move: a success if both figures stand on one colour, else the next seat's turn."""
    first, second = state.own.figures
    if first is None or second is None or first[0] != second[0]:
        return next_turn(state)
    after, more = _asked(state.but(phase="harvest", pair=first[0]))
    return after, ({"what": "paired", "seat": state.mover, "colour": first[0]}, *more)


def _asked(state: State) -> Result[State]:
    """The seat is asked what it earns; if it could only end its turn, the turn ends by itself."""
    if steps(state) != ["done"]:
        return state, ()
    return next_turn(state) if state.took else done(state)


def take(state: State, text: str) -> Result[State]:
    """A shown card of the pair's colour goes to the mover; its slot is to be filled."""
    slot = _slot(text)
    card = state.display[slot]
    if state.took:
        raise IllegalMove("took_already")
    if card is None:
        raise IllegalMove("empty_slot")
    if card != state.pair:
        raise IllegalMove("not_matching", card=card, pair=state.pair)
    seat = state.own.but(held=in_order((*state.own.held, card)))
    after = state.with_own(seat, phase="fill", owed=(slot,), took=True, display=state.shown(slot, None))
    news: News = {"what": "took", "seat": state.mover, "card": card, "slot": slot}
    return _won(after, news) or (after, (news,))


def exchange(state: State, text: str) -> Result[State]:
    """A held card of the pair's colour goes on show for another one; nothing is drawn."""
    slot = _slot(text)
    card, pair = state.display[slot], state.pair
    if pair is None or not _spare(state):
        raise IllegalMove("nothing_to_give", pair=pair)
    if card is None:
        raise IllegalMove("empty_slot")
    if card == pair:
        raise IllegalMove("same_colour", pair=pair)
    seat = state.own.but(held=in_order((*without(state.own.held, pair), card)))
    after = state.with_own(seat, display=state.shown(slot, pair))
    news: News = {"what": "exchanged", "seat": state.mover, "gave": pair, "card": card, "slot": slot}
    if ended := _won(after, news):
        return ended
    after, more = next_turn(after)
    return after, (news, *more)


def refresh(state: State, *texts: str) -> Result[State]:
    """Shown cards go under the pack in the order named; as many are to come up from its top."""
    slots = tuple(_slot(text) for text in texts)
    count = min(REPLACED, len(state.deck))
    if state.took:
        raise IllegalMove("took_already")
    if state.pair in state.display:
        raise IllegalMove("match_shown", pair=state.pair)
    if state.refreshed:
        raise IllegalMove("refreshed_already")
    if not count:
        raise IllegalMove("empty_pack")
    if len(slots) != count or len(set(slots)) != count:
        raise IllegalMove("refresh_one" if count == 1 else "refresh_two")
    cards = tuple(card for slot in slots if (card := state.display[slot]) is not None)
    after = state.but(
        phase="fill",
        owed=slots,
        refreshed=True,
        display=tuple(None if slot in slots else card for slot, card in enumerate(state.display)),
        deck=state.deck + cards,
        known_bottom=state.known_bottom + count,
    )
    news: News = {"what": "refreshed", "seat": state.mover, "cards": list(cards), "slots": list(slots)}
    return after, (news,)


def done(state: State) -> Result[State]:
    """The turn ends with what was earned so far."""
    if state.pair in state.display and not state.took:
        raise IllegalMove("must_take", pair=state.pair)
    after, more = next_turn(state)
    what = "kept" if state.took else "missed"
    return after, ({"what": what, "seat": state.mover, "colour": state.pair}, *more)


def fill(state: State) -> Result[State]:
    """New cards from the pack, as far as it reaches; then the match is over, the seat goes on, or the next one does."""
    cards, deck = state.deck[: len(state.owed)], state.deck[len(state.owed) :]
    came = dict(zip(state.owed, cards, strict=False))
    after = state.but(
        phase="harvest",
        owed=(),
        display=tuple(came.get(slot, card) for slot, card in enumerate(state.display)),
        deck=deck,
        known_bottom=min(state.known_bottom, len(deck)),
    )
    news: tuple[News, ...] = ({"what": "shown", "cards": list(cards), "slots": list(came)},) if cards else ()
    if not any(after.display):
        after, more = _over(after, "last card")
    elif state.took and state.options.harvest != "both":
        after, more = next_turn(after)
    else:
        after, more = _asked(after)
    return after, news + more


def next_turn(state: State) -> Result[State]:
    """The next seat's turn begins with a roll; after too many turns without a card taken the match is over."""
    since = 0 if state.took else state.since_take + 1
    if since >= state.options.stall_rounds * len(state.seats):
        return _over(state.but(since_take=since), "stall", rounds=state.options.stall_rounds)
    following = (state.mover + 1) % len(state.seats)
    return state.but(
        phase="roll",
        active=following,
        rolled=None,
        pair=None,
        refreshed=False,
        took=False,
        since_take=since,
    ), ()


def _won(state: State, news: News) -> Result[State] | None:
    """The end of the match, if the mover's cards are a royal win."""
    how = royal(state.own.held, state.options.goal_colors)
    if how is None:
        return None
    after, more = _over(state, how, seat=state.mover, cards=list(state.own.held))
    return after, (news, *more)


def _over(state: State, how: str, **facts: Any) -> Result[State]:
    news: News = {"what": "ended", "how": how, "held": [len(seat.held) for seat in state.seats], **facts}
    return state.but(phase="over", owed=(), how=how), (news,)


def _slot(text: str) -> int:
    """The slot of that number. Raises IllegalMove if there is none."""
    if text not in _SLOTS:
        raise IllegalMove("no_such_slot", slot=text)
    return _SLOTS.index(text)
