"""The case notation of Power Cards, answered by the rules with the cards that the case brings along.

Play runs on by itself until an answer is needed that is not in ``do``, or the match is over. ``!step`` must be refused.
What stands in any order (a part of a pack in {..}, the pot, the options of ``ask``) is answered by texts that equal
every way to write the same.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from games import engine
from games.chance import seeded
from games.engine import IllegalMove, News
from games.titles.power_cards.deck import DECK, PIGGY, Card, Deck
from games.titles.power_cards.rules import PowerCards
from games.titles.power_cards.state import Construction, Options, Seat, State

SETS = frozenset({"winners", "alive"})
PARTS = {"V": "vertical", "H": "horizontal", "P": PIGGY}
Json = dict[str, Any]


class Text(str):
    """A text of the notation that equals every other way to write the same."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self.same(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def same(self, other: str) -> bool:
        """Whether the other text says the same."""
        return sorted(self.split()) == sorted(other.split())


class Pack(Text):
    """A pack, top first, with every card whose place is settled outside the braces."""

    def same(self, other: str) -> bool:
        """The expected text: cards in order, then sets in braces, each of which lies there in any order."""
        left = self.split()
        for part in re.findall(r"\{[^}]*\}|[^\s{}]+", other):
            cards = part.strip("{}").split()
            here, left = left[: len(cards)], left[len(cards) :]
            if sorted(here) != sorted(cards):
                return False
        return not left


class Ask(Text):
    """What is asked: kind, seat, and the options if the expected text names any."""

    def same(self, other: str) -> bool:
        """The expected text may leave the options out."""
        mine, wanted = self.split(), other.split()
        return mine[:2] == wanted[:2] and (len(wanted) == 2 or sorted(mine[2:]) == sorted(wanted[2:]))


def run(given: Json) -> Json:
    """The answer of the rules to one case. Raises IllegalMove for a step they refuse."""
    if "deal" in given:
        game = PowerCards(dict(list(DECK.items())[: given["deal"]]))
        state, news = engine.start(game, Options(quick="never"), given["n"], seeded(1))
        return _facts(state, news, [])
    game = PowerCards(_deck(given["cards"]))
    state, news = engine.settled(game, _state(given), seeded(1))
    refused = []
    for step in given["do"]:
        try:
            state, more = game.apply(state, step.removeprefix("!"))
        except IllegalMove as why:
            if not step.startswith("!"):
                raise
            refused.append(why.reason)
            continue
        assert not step.startswith("!"), f"{step} was accepted"
        state, then = engine.settled(game, state, seeded(2))
        news += more + then
    return _facts(state, news, list(game.legal_moves(state))) | {"refused": refused}


def _deck(cards: Json) -> Deck:
    """The cards of a case: "speed/strength/wits/courage/catapult PART"."""
    deck = {}
    for number, (name, text) in enumerate(cards.items()):
        values, part = text.split()
        speed, strength, wits, courage, catapult = map(int, values.split("/"))
        deck[name] = Card(number, name, speed, strength, wits, courage, catapult, PARTS[part[0]], part[1:])
    return deck


def _options(opts: Json) -> Options:
    """The options of a case; without a word about it the quicker ending is off."""
    opts = dict(opts)
    fast = opts.pop("fast", False)
    return Options(**{"quick": "auto" if fast else "never", **opts})


def _construction(text: str) -> Construction:
    """A construction: "wood V:a,b H:c P:d"."""
    material, *parts = text.split()
    at = dict(part.split(":") for part in parts)
    return Construction(material, tuple(at["V"].split(",")), at.get("H"), at.get("P"))


def _state(given: Json) -> State:
    constructions = given.get("cons") or [[]] * given["n"]
    outs = given.get("outs") or [None] * given["n"]  # an addition of ours: after which round a seat ran out of cards
    return State(
        options=_options(given.get("opts", {})),
        phase="start",
        active=None,
        round=given.get("rounds", 0),
        caller=given["caller"],
        named=None,
        contest=(),
        pot=tuple(given.get("pot", "").split()),
        piggy=None,
        chain=0,
        fast=given.get("fast", False),
        offered=False,
        how=None,
        seats=tuple(
            Seat(tuple(pack.split()), (), tuple(map(_construction, built)), out=out)
            for pack, built, out in zip(given["packs"], constructions, outs, strict=True)
        ),
    )


def _told(construction: Construction) -> str:
    """A construction in the notation, its uprights in order."""
    parts = [("V", ",".join(sorted(construction.uprights))), ("H", construction.cross), ("P", construction.piggy)]
    return " ".join([construction.material, *(f"{part}:{card}" for part, card in parts if card)])


def _facts(state: State, news: tuple[News, ...], legal: list[str]) -> Json:
    kinds = [value["what"] for value in news]
    options = [step.split(" ", 1)[-1] for step in legal]
    outcome = PowerCards(DECK).outcome(state)
    return {
        "packs": [Pack(" ".join([*seat.dealt, *(card for win in seat.won for card in win)])) for seat in state.seats],
        "cons": [[_told(construction) for construction in seat.constructions] for seat in state.seats],
        "pot": Text(" ".join(state.pot)),
        "caller": state.caller,
        "ask": None if state.active is None else Ask(" ".join([state.phase, str(state.active), *options])),
        "winners": [seat for seat, place in enumerate(outcome.places) if place == 1] if outcome else None,
        "places": list(outcome.places) if outcome else None,
        "how": state.how,
        "catapults": kinds.count("catapult"),
        "catapult_values": _catapult(news),
        "playoffs": _playoffs(news),
        "alive": list(state.living),
        "pack_sizes": [seat.size for seat in state.seats],
        "pot_size": len(state.pot),
        "fast": state.fast,
        "round": state.round,
        "log_has": Log(kinds),
    }


class Log(list[str]):
    """The kinds of news; a case names some of them."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and set(other) <= set(self)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None


def _catapult(news: tuple[News, ...]) -> dict[str, int]:
    """The values of the last catapult, by seat: that of the piggy and of the cards first shown against it."""
    values: dict[str, int] = {}
    aimed = False
    for value in news:
        if value["what"] == "catapult":
            values, aimed = {str(value["seat"]): value["value"]}, True
        elif value["what"] == "shown" and aimed:
            values |= {str(seat): got for seat, got in enumerate(value["values"]) if got is not None}
            aimed = False
    return values


def _playoffs(news: tuple[News, ...]) -> int:
    """How often cards were shown to break a tie."""
    shown = [value["what"] for value in news if value["what"] in ("shown", "tied")]
    return sum(before == "tied" and after == "shown" for before, after in pairwise(shown))
