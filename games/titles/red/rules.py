"""The rules of Red: one card game about leading under changing rules, for two to four. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from games.chance import Chance
from games.engine import IllegalMove, News, Outcome, Result, Viewer
from games.titles.red import leading, seeing, turns
from games.titles.red.state import ASKING, HAND, TARGETS, Options as RedOptions, Seat, State, in_order, without

_CARD = r"([ROYGBIV][1-7])"
_STEP = re.compile(rf"(?:([PC]):{_CARD}|(T):([A-Z]):{_CARD}|(S):(canvas|deck):{_CARD}|(END)|(PASS))")


class Red:
    """Red, basic or advanced, with or without icons."""

    slug = "red"
    version = 1
    seat_counts = range(2, 5)
    Options: type = RedOptions

    def setup(self, options: RedOptions, seats: int, chance: Chance) -> State:
        """The empty table: the server deals first."""
        return State(options, "deal", 0, None, "R", (), (), 0, False, (Seat(),) * seats)

    def active_seat(self, state: State) -> int | None:
        """Whose step is awaited."""
        return state.active if state.phase in ASKING else None

    def legal_moves(self, state: State) -> Sequence[str]:
        """The steps from which the turn can end in the lead or reach the draw of a 3, and PASS where it is allowed."""
        return turns.legal_steps(state) if state.phase in ASKING else []

    def apply(self, state: State, step: str) -> Result[State]:
        """The mover's step. Raises IllegalMove with one of the reasons of the rules.

        A card laid to the palette is accepted for its structure, the lead is
        asked for when the turn ends: by END, or by a discard.
        """
        if state.phase not in ASKING:
            raise IllegalMove("after_end")
        if not (match := _STEP.fullmatch(step)):
            raise IllegalMove("unknown_step", step=step)
        parts = [part for part in match.groups() if part]
        match parts:
            case ["P", card]:
                return _lay(state, card)
            case ["C", card]:
                return _discard(state, card)
            case ["T", letter, card]:
                return _take(state, ord(letter) - ord("A"), card)
            case ["S", place, card]:
                return _shift(state, place, card)
            case ["END"]:
                return _end(state)
            case _:
                return _pass(state)

    def settle(self, state: State, chance: Chance) -> Result[State]:
        """The deal, the draw of a 3 or of a high discard, the change of turns, or the end of a round."""
        if state.phase == "deal":
            return _deal(state, chance)
        if state.phase == "draw":
            return _draw(state, "icon", phase="drawn")
        if state.phase == "turned":
            return _draw(state, "high", bonus=False) if state.bonus else _next_turn(state)
        return _score(state)

    def outcome(self, state: State) -> Outcome | None:
        """Places by the order of going out (basic) or by points (advanced); the reason is the news' ``how``."""
        if state.phase != "over":
            return None
        if state.options.game == "basic":
            merits = [len(state.seats) if seat.out is None else seat.out for seat in state.seats]
        else:
            merits = [seat.score for seat in state.seats]
        places = tuple(1 + sum(other > merit for other in merits) for merit in merits)
        return Outcome(places, ending(state) or "round")

    def observe(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """See ``seeing.observe``."""
        return seeing.observe(state, viewer)

    def imagine(self, observation: dict[str, Any], chance: Chance) -> State:
        """See ``seeing.imagine``."""
        return seeing.imagine(observation, chance)


def opening(palettes: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Who leads the dealt palettes under red, and who takes the first turn: the seat to the left."""
    leads = max(range(len(palettes)), key=lambda seat: max(map(leading.rank, palettes[seat])))
    return leads, (leads + 1) % len(palettes)


def ending(state: State) -> str | None:
    """How the match ends now that a round is scored: ``round``, ``target``, ``cards``; None if another round is due."""
    if state.options.game == "basic":
        return "round"
    seats = len(state.seats)
    if max(seat.score for seat in state.seats) >= TARGETS[seats]:
        return "target"
    left = len(leading.DECK) - sum(len(seat.scored) for seat in state.seats)
    return "cards" if left < (HAND + 1) * seats else None


def _in_hand(state: State, card: str) -> Seat:
    """The mover's seat. Raises IllegalMove if the card is not in its hand."""
    seat = state.seats[state.mover]
    if card not in seat.hand:
        raise IllegalMove("not_in_hand", card=card)
    return seat


def _owes_nothing(state: State) -> None:
    """Raises IllegalMove while the action of an icon waits."""
    if state.phase in ("palette", "take", "shift"):
        raise IllegalMove("action_owed", owed=state.phase)


def _lay(state: State, card: str) -> Result[State]:
    if state.phase in ("take", "shift"):
        _owes_nothing(state)
    if state.phase in ("finish", "drawn"):
        raise IllegalMove("second_palette_card", card=card)
    seat = _in_hand(state, card).without(card)
    after = state.with_seat(state.mover, seat.but(palette=(*seat.palette, card)), phase="finish")
    news: News = {"what": "laid", "seat": state.mover, "card": card}
    return after.but(phase=_owed(after, card)), (news,)


def _owed(state: State, laid: str) -> str:
    """The phase after a palette card: what its icon asks for, if it can be done."""
    if not state.options.icons:
        return "finish"
    number = laid[1]
    if number == "1" and state.targets():
        return "take"
    if number == "3" and state.deck:
        return "draw"
    if number == "5" and state.seats[state.mover].hand:
        return "palette"
    return "shift" if number == "7" else "finish"


def _discard(state: State, card: str) -> Result[State]:
    _owes_nothing(state)
    seat = _in_hand(state, card)
    after = state.with_seat(state.mover, seat.without(card), rule=card[0], canvas=(*state.canvas, card))
    leads = _leads(after, card)
    draws = state.options.game == "advanced" and bool(state.deck) and int(card[1]) > len(seat.palette)
    discarded: News = {"what": "discarded", "seat": state.mover, "card": card}
    return after.but(phase="turned", bonus=draws), (discarded, leads)


def _take(state: State, number: int, card: str) -> Result[State]:
    if state.phase != "take":
        raise IllegalMove("no_action")
    if number not in state.targets() or card not in state.seats[number].palette:
        raise IllegalMove("bad_target", card=card)
    seat = state.seats[number]
    after = _onto_deck(state.with_seat(number, seat.but(palette=without(seat.palette, card))), card)
    return after, ({"what": "took", "seat": state.mover, "from": number, "card": card},)


def _shift(state: State, place: str, card: str) -> Result[State]:
    if state.phase != "shift":
        raise IllegalMove("no_action")
    seat = state.seats[state.mover]
    if card not in seat.palette:
        raise IllegalMove("bad_target", card=card)
    after = state.with_seat(state.mover, seat.but(palette=without(seat.palette, card)), phase="finish")
    to_canvas = place == "canvas"
    after = after.but(rule=card[0], canvas=(*state.canvas, card)) if to_canvas else _onto_deck(after, card)
    return after, ({"what": "shifted", "seat": state.mover, "card": card, "place": place},)


def _onto_deck(state: State, card: str) -> State:
    """The action of an icon is done: an open card lies on top of the deck."""
    return state.but(phase="finish", deck=(card, *state.deck), known_top=state.known_top + 1)


def _end(state: State) -> Result[State]:
    if state.phase == "turn":
        raise IllegalMove("empty_turn")
    _owes_nothing(state)
    return state.but(phase="turned"), (_leads(state),)


def _leads(state: State, discard: str | None = None) -> News:
    """The news that the mover leads at the end of its turn. Raises IllegalMove if it does not."""
    leads = state.leader()
    mine = leading.winning_set(state.rule, state.seats[state.mover].palette)
    if leads != state.mover:
        theirs = () if leads is None else leading.winning_set(state.rule, state.seats[leads].palette)
        facts = {"rule": state.rule, "set": list(mine), "leader": leads, "needed": list(theirs), "card": discard}
        raise IllegalMove("not_leading", **facts)
    return {"what": "leads", "seat": state.mover, "rule": state.rule, "set": list(mine)}


def _pass(state: State) -> Result[State]:
    if state.phase not in ("turn", "drawn"):
        raise IllegalMove("pass_after_play")
    return _out(state, "passed")


def _out(state: State, what: str) -> Result[State]:
    """The active seat leaves the round."""
    seat = state.seats[state.mover].but(out=1 + len(state.seats) - len(state.living))
    return state.with_seat(state.mover, seat, phase="turned"), ({"what": what, "seat": state.mover},)


def _deal(state: State, chance: Chance) -> Result[State]:
    """A new round from all cards that are not scored."""
    scored = {card for seat in state.seats for card in seat.scored}
    order = chance.shuffle([card for card in leading.DECK if card not in scored])
    count = len(state.seats)
    palettes = [(order[HAND * count + number],) for number in range(count)]
    seats = tuple(
        Seat(in_order(order[HAND * number : HAND * (number + 1)]), (), palettes[number], None, seat.score, seat.scored)
        for number, seat in enumerate(state.seats)
    )
    leads, first = opening(palettes)
    news: News = {
        "what": "dealt",
        "round": state.round + 1,
        "palettes": [palette[0] for palette in palettes],
        "leader": leads,
        "first": first,
    }
    rest = tuple(order[(HAND + 1) * count :])
    return State(state.options, "turn", state.round + 1, first, "R", (), rest, 0, False, seats), (news,)


def _draw(state: State, why: str, **changes: Any) -> Result[State]:
    """The top card of the deck goes to the mover's hand; everybody sees it if everybody saw it put there."""
    card, known = state.deck[0], state.known_top > 0
    seat = state.seats[state.mover]
    seat = seat.but(hand=in_order((*seat.hand, card)), known=in_order((*seat.known, card)) if known else seat.known)
    news: News = {"what": "drew", "seat": state.mover, "card": card, "why": why}
    if not known:
        news |= {"to": [state.mover], "public": {"what": "drew", "seat": state.mover, "why": why}}
    top = max(0, state.known_top - 1)
    return state.with_seat(state.mover, seat, deck=state.deck[1:], known_top=top, **changes), (news,)


def _next_turn(state: State) -> Result[State]:
    """The next living seat's turn begins; with an empty hand it is out at once. The last one left has won the round."""
    if len(state.living) == 1:
        return state.but(phase="score", active=None), ()
    begun = state.but(phase="turn", active=state.after(state.mover))
    return (begun, ()) if begun.seats[begun.mover].hand else _out(begun, "emptied")


def _score(state: State) -> Result[State]:
    """The round's winner sets its winning set aside (advanced); the match is over or the next round is due."""
    winner = state.living[0]
    best = leading.winning_set(state.rule, state.seats[winner].palette)
    news: News = {"what": "round_won", "seat": winner, "rule": state.rule, "set": list(best), "points": 0}
    if state.options.game == "advanced":
        seat = state.seats[winner]
        news["points"] = sum(int(card[1]) for card in best)
        left = tuple(card for card in seat.palette if card not in best)
        seat = seat.but(palette=left, score=seat.score + news["points"], scored=(*seat.scored, *best))
        state = state.with_seat(winner, seat)
    how = ending(state)
    if how is None:
        return state.but(phase="deal"), (news,)
    return state.but(phase="over"), (news, {"what": "ended", "how": how})
