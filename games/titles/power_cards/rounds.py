"""A round as the server runs it: draws, the comparison, play-offs, catapults, and where won cards go. Pure."""

from __future__ import annotations

from typing import Any

from games.chance import Chance
from games.engine import News, Result
from games.titles.power_cards import building
from games.titles.power_cards.deck import CATAPULT, Deck, in_order
from games.titles.power_cards.state import CAP, CHAIN, QUICK_CONSTRUCTIONS, State


def deal(deck: Deck, state: State, chance: Chance) -> Result[State]:
    """All cards to the packs, equally many; what is left over lies open in the middle. Anybody may begin."""
    order = chance.shuffle(list(deck))
    count = len(state.seats)
    each = len(order) // count
    seats = tuple(seat.but(dealt=order[each * number : each * (number + 1)]) for number, seat in enumerate(state.seats))
    caller = chance.roll(count)
    pot = order[each * count :]
    news: News = {"what": "dealt", "each": each, "pot": list(pot), "caller": caller}
    return state.but(phase="start", caller=caller, pot=pot, seats=seats), (news,)


def start(state: State) -> Result[State]:
    """Between rounds: who is out, whether the match ends, whether the quicker ending begins; then the draws."""
    state, news = gone(state)
    if (how := ending(state)) is not None:
        return over(state, how, news)
    living, fast = state.living, state.fast
    if state.options.quick == "auto" and len(living) == 2 and state.empty_table and not fast:
        fast = True
        news = (*news, {"what": "quicker"})
    state = draws(state, contest=living, named=None, piggy=None, fast=fast)
    return _more(news, show(state)) if state.phase == "show" else (state, news)


def gone(state: State) -> Result[State]:
    """Who has no card left is out."""
    seats = {
        number: seat.but(out=state.round)
        for number, seat in enumerate(state.seats)
        if seat.out is None and not seat.holds
    }
    return state.with_seats(seats), tuple({"what": "out", "seat": number} for number in seats)


def ending(state: State) -> str | None:
    """How the match ends between two rounds, or None."""
    living = state.living
    if len(living) < 2:
        return "last" if living else "dead tie"
    return "limit" if state.round >= (state.options.max_rounds or CAP) else None


def over(state: State, how: str, news: tuple[News, ...]) -> Result[State]:
    """The end of the match."""
    return state.but(phase="over", active=None, how=how), (*news, {"what": "ended", "how": how})


def draws(state: State, contest: tuple[int, ...], **changes: Any) -> State:
    """The contest begins: whose pack is empty draws, without a question if one part only can be taken.

    Then the next seat is asked, see ``await_draws``.
    """
    forced = {}
    for number in contest:
        seat = state.seats[number]
        if seat.waits and len(tops := seat.tops) == 1:
            forced[number] = seat.but(drawn=tops[0])
    return await_draws(state.with_seats(forced), contest=contest, **changes)


def await_draws(state: State, **changes: Any) -> State:
    """The position with changes, in which the next seat is asked for its draw, in seat order from the caller.

    When all have drawn it goes on with the comparison; before a call what was drawn is shown first.
    """
    contest, named = changes.get("contest", state.contest), changes.get("named", state.named)
    if waiting := [number for number in contest if state.seats[number].waits]:
        return state.but(phase="draw", active=state.from_caller(waiting)[0], **changes)
    if named is not None:
        return state.but(phase="reveal", active=None, **changes)
    if any(seat.drawn for seat in state.seats):
        return state.but(phase="show", active=None, **changes)
    return state.but(phase="call", active=state.caller, **changes)


def show(state: State) -> Result[State]:
    """What was drawn leaves the constructions and is shown. Before a call the caller is asked then."""
    news: list[News] = []
    shown = {}
    for number, seat in enumerate(state.seats):
        if seat.drawn is not None:
            material = seat.constructions[seat.place_of(seat.drawn)].material
            news.append({"what": "taken", "seat": number, "card": seat.drawn, "material": material})
            shown[number] = seat.taken_off(seat.drawn).but(won=((seat.drawn,),), drawn=None)
    state = state.with_seats(shown)
    if state.phase == "show":
        state = state.but(phase="call", active=state.caller)
    return state, tuple(news)


def reveal(deck: Deck, state: State, chance: Chance) -> Result[State]:
    """All top cards of the contest go to the pot and are compared; the best wins, a tie is played off."""
    state, drawn = show(state)
    named = state.named or CATAPULT
    cards = {number: card for number in state.contest if (card := state.seats[number].top) is not None}
    values = {number: deck[card].value(named) for number, card in cards.items()}
    numbers = range(len(state.seats))
    shown: News = {
        "what": "shown",
        "named": named,
        "cards": [cards.get(number) for number in numbers],
        "values": [values.get(number) for number in numbers],
    }
    first = not state.pot  # in a catapult: the pot went under a pack before it, so cards there are from a tie
    seats = {number: state.seats[number].shown() for number in cards}
    state = state.with_seats(seats, pot=(*state.pot, *cards.values()))
    news = (*drawn, shown)
    best = max(values.values())
    if state.piggy is not None and first and deck[state.piggy].catapult >= best:
        return _more(news, sweep(deck, state, chance))
    tied = tuple(number for number in state.contest if values[number] == best)
    if len(tied) == 1:
        return _more(news, win(deck, state, tied[0], chance))
    equal: News = {"what": "tied", "named": named, "seats": list(tied), "value": best}
    return _more((*news, equal), tie(deck, state, tied, chance))


def _more(news: tuple[News, ...], result: Result[State]) -> Result[State]:
    """The result with earlier news before its own."""
    return result[0], news + result[1]


def tie(deck: Deck, state: State, tied: tuple[int, ...], chance: Chance) -> Result[State]:
    """Who has no card left drops out before any draw; the others play on, the last one left wins without playing."""
    able = tuple(number for number in tied if state.seats[number].holds)
    news: tuple[News, ...] = tuple({"what": "dropped", "seat": number} for number in tied if number not in able)
    if len(able) > 1:
        return draws(state, able), news
    if able:
        return _more(news, win(deck, state, able[0], chance))
    if state.piggy is not None:
        return _more(news, sweep(deck, state, chance))
    return _more(news, dead(state, tied))


def dead(state: State, tied: tuple[int, ...]) -> Result[State]:
    """Nobody can break the tie: the pot waits for the next winner, and the next seat with cards leads."""
    others = state.from_caller(state.living)
    following = next((number for number in others if number != state.caller), state.caller)
    news: News = {"what": "undecided", "pot": list(state.pot), "seats": list(tied)}
    if len(others) > 1:
        news["next"] = following
    return state.but(phase="start", caller=following, contest=tied, offered=False), (news,)


def win(deck: Deck, state: State, winner: int, chance: Chance) -> Result[State]:
    """The winner of a round takes the pot and builds; who beats a piggy takes it too, and builds by option only."""
    if state.piggy is None:
        news: News = {"what": "won", "seat": winner, "cards": list(in_order(deck, state.pot))}
        return building.asked(deck, state, caller=winner), (news,)
    builder, piggy = state.caller, state.piggy
    cards = in_order(deck, (*state.pot, piggy))
    news = {"what": "beaten", "seat": winner, "builder": builder, "piggy": piggy, "cards": list(cards)}
    left = state.seats[builder].taken_off(piggy)
    state = state.with_seat(builder, left, phase="start", caller=winner, piggy=None, pot=cards)
    if state.options.catapult_build and state.chain < CHAIN:
        return building.asked(deck, state), (news,)
    return _more((news,), under(deck, state, chance))


def sweep(deck: Deck, state: State, chance: Chance) -> Result[State]:
    """The piggy wins: its builder takes all cards on the table, the constructions of all included."""
    built = [card for seat in state.seats for construction in seat.constructions for card in construction.cards]
    cards = in_order(deck, (*state.pot, *built))
    news: News = {"what": "swept", "seat": state.caller, "piggy": state.piggy, "cards": list(cards)}
    cleared = tuple(seat.but(constructions=()) for seat in state.seats)
    state = state.but(phase="start", seats=cleared, pot=cards, piggy=None)
    return _more((news,), under(deck, state, chance))


def under(deck: Deck, state: State, chance: Chance, **changes: Any) -> Result[State]:
    """What is left in the pot goes under the pack of the last winner, in an order that nobody knows."""
    if not state.pot:
        return state.with_seats({}, **changes), ()
    cards = in_order(deck, state.pot)
    news: News = {"what": "under", "seat": state.caller, "cards": list(cards)}
    seat = state.seats[state.caller].under(chance.shuffle(cards))
    return state.with_seat(state.caller, seat, pot=(), **changes), (news,)


def build_on(deck: Deck, state: State) -> Result[State]:
    """The server places the part that fits, where there is no choice."""
    state, news = building.place(deck, state, building.offers(deck, state)[0])
    return state, (news,)


def built(deck: Deck, state: State, chance: Chance) -> Result[State]:
    """The rest of what was won goes under the pack; a piggy just built starts its catapult, or ends the match."""
    piggy, (state, news) = state.piggy, under(deck, state, chance, phase="start", piggy=None)
    if piggy is None:
        return state, news
    if state.fast:
        own = state.seats[state.caller].constructions
        if sum(construction.piggy is not None for construction in own) < QUICK_CONSTRUCTIONS:
            return state, news
        state, out = gone(state)
        return over(state, "fast", news + out)
    others = tuple(number for number in state.living if number != state.caller)
    if not others:
        return state, news
    aimed: News = {"what": "catapult", "seat": state.caller, "piggy": piggy, "value": deck[piggy].catapult}
    return draws(state, others, named=CATAPULT, piggy=piggy, chain=state.chain + 1), (*news, aimed)
