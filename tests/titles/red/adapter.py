"""The case notation of Red, answered by the rules. A position is taken as given: nothing is settled before its first
step, and after its last one only the turn's own draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games import engine
from games.chance import seeded
from games.engine import IllegalMove
from games.titles.red import leading, rules
from games.titles.red.state import HAND, Options, Seat, State, in_order

SETS = frozenset({"hand", "palette", "palettes", "moves", "out", "winners"})
RED = rules.Red()
Json = dict[str, Any]


def run(given: Json) -> Json:
    """The answer of the rules to one case, whose kind its fields tell."""
    if "scores" in given:
        return _match(given)
    if "outs" in given:
        return _places(given)
    if "players" in given:
        if "turns" in given:
            return _turns(given, given["turns"])
        return _turns(given, [given["steps"]]) if "steps" in given else _moves(given)
    if "palette" in given:
        return _set(given["rule"], given["palette"])
    if "rule" in given:
        return _lead(given)
    leader, first = rules.opening([[card] for card in given["palettes"].values()])
    return {"leader": _letter(leader), "first": _letter(first)}


def _letter(seat: int | None) -> str | None:
    return None if seat is None else chr(ord("A") + seat)


def _number(letter: str) -> int:
    return ord(letter) - ord("A")


def _set(rule: str, palette: Any) -> Json:
    best = leading.winning_set(rule, palette)
    return {"combo": list(best), "points": sum(int(card[1]) for card in best)}


def _lead(given: Json) -> Json:
    palettes = list(given["palettes"].values())
    seat = leading.leader(given["rule"], palettes)
    if seat is None:
        return {"leader": None, "count": 0, "top": None, "combo": []}
    best = leading.winning_set(given["rule"], palettes[seat])
    return {"leader": _letter(seat), "count": len(best), "top": best[0], "combo": list(best)}


def _state(given: Json) -> State:
    players = given["players"].values()
    # Who is out in the position given stands there without cards that count, in the order listed.
    order = {letter: place for place, letter in enumerate(given.get("out", []), start=1)}
    seats = tuple(
        Seat(in_order(player["hand"]), (), tuple(player["palette"]), order.get(letter))
        for letter, player in zip(given["players"], players, strict=True)
    )
    return State(
        options=Options("advanced" if given["advanced"] else "basic", given["actions"]),
        phase="turn",
        round=1,
        active=_number(given["active"]),
        rule=given["rule"],
        canvas=(),
        deck=tuple(given["deck"]),
        known_top=0,
        bonus=False,
        seats=seats,
    )


def _drawn(state: State) -> State:
    """The state after the draw that the turn itself owes, if it does."""
    return RED.settle(state, seeded(0))[0] if state.phase == "draw" or state.bonus else state


def _turn(state: State, steps: list[str]) -> State:
    """The state after a turn, which goes on where a 3 has drawn. Raises IllegalMove."""
    for step in steps:
        state, _news = engine.plan(RED, state, [step])
        if state.phase == "draw":
            state = _drawn(state)
    if RED.active_seat(state) is not None:
        state, _news = RED.apply(state, "END")
    return _drawn(state)


def _facts(state: State, mover: int) -> Json:
    """What a case may ask about a position. Hand and palette of who is out are not compared."""
    living = state.living
    seat = state.seats[mover]
    facts = {
        "rule": state.rule,
        "leader": _letter(state.leader()),
        "hand": list(seat.hand) if mover in living else ...,
        "palette": list(seat.palette) if mover in living else ...,
        "palettes": {_letter(n): list(s.palette) if n in living else ... for n, s in enumerate(state.seats)},
        "hands": {_letter(n): list(s.hand) if n in living else ... for n, s in enumerate(state.seats)},
        "deck": list(state.deck),
        "out": [_letter(number) for number, seat in enumerate(state.seats) if seat.out is not None],
    }
    if len(living) == 1:
        facts |= {"round_winner": _letter(living[0]), **_set(state.rule, state.seats[living[0]].palette)}
    return facts


def _turns(given: Json, turns: list[list[str]]) -> Json:
    state = _state(given)
    leaders = []
    mover = state.mover
    for number, steps in enumerate(turns):
        if number:
            mover = state.after(mover)
            state = replace(state, phase="turn", active=mover)
        try:
            state = _turn(state, steps)
        except IllegalMove as refused:
            return {**_facts(state, mover), "legal": False, "reason": refused.reason, "leaders": leaders}
        leaders.append(_letter(state.leader()))
    return {**_facts(state, mover), "legal": True, "leaders": leaders, "next": _letter(state.after(mover))}


def _moves(given: Json) -> Json:
    """Every complete turn that leaves the mover in the lead; what a 3 draws is known to the case."""
    found = []
    waiting: list[tuple[list[str], State]] = [([], _state(given))]
    while waiting:
        steps, state = waiting.pop()
        state = _drawn(state)
        if state.phase == "turned":
            found.append("+".join(step for step in steps if step != "END"))
        else:
            legal = [step for step in RED.legal_moves(state) if step != "PASS"]
            waiting += [([*steps, step], RED.apply(state, step)[0]) for step in legal]
    return {"survivors": len(found), "moves": found}


def _match(given: Json) -> Json:
    """Whether the match is over at these points, who has won, and what the next deal would take."""
    scores = given["scores"]
    seats = len(scores)
    cards = list(leading.DECK[: given["scored_cards"]])
    piles = [tuple(cards[number::seats]) for number in range(seats)]
    state = replace(
        RED.setup(Options("advanced"), seats, seeded(0)),
        seats=tuple(Seat(score=score, scored=pile) for score, pile in zip(scores.values(), piles, strict=True)),
    )
    how = rules.ending(state)
    left = len(leading.DECK) - given["scored_cards"]
    dealt = (HAND + 1) * seats
    answer: Json = {"over": how is not None, "how": how, "deal_from": left, "draw_deck": left - dealt}
    return answer | _result(replace(state, phase="over")) if how else answer


def _places(given: Json) -> Json:
    """The places of a basic match from the order of going out."""
    seats = tuple(Seat(out=out) for out in given["outs"].values())
    state = replace(RED.setup(Options(), len(seats), seeded(0)), phase="over", seats=seats)
    return _result(state)


def _result(state: State) -> Json:
    outcome = RED.outcome(state)
    assert outcome is not None
    winners = [_letter(seat) for seat, place in enumerate(outcome.places) if place == 1]
    return {
        "places": {_letter(seat): place for seat, place in enumerate(outcome.places)},
        "winners": winners,
        "winner": winners[0] if len(winners) == 1 else None,
        "how": outcome.reason,
    }
