"""Sentences of Power Cards: refusals, steps, what is asked, results, and the names of the pieces. Pure.

What happened is told by ``telling``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.refusals import shared
from games.titles.power_cards import phrases
from games.titles.power_cards.deck import CATAPULT, DECK
from games.titles.power_cards.telling import news
from games.wording import Piece, Seat, Sentence, mark as _

__all__ = ["NAME", "TAGLINE", "ask", "news", "piece", "refusal", "result", "step"]


NAME = "Power Cards"

ENDINGS = {
    "last": _("one had all the cards"),
    "limit": _("the last round was played"),
    "fast": _("two piggies were up"),
    "dead tie": _("the last cards of all were tied"),
}
"""How matches end, for the statistics."""
TAGLINE = _("Name what your top card is best at, win the others, build, and aim a piggy at the whole table.")

Facts = Mapping[str, Any]


def piece(kind: str, value: str) -> Sentence:
    """The name of a piece, by kind.

    A ``card`` ("Mossback"), its ``back`` with the building part, its ``face``
    with all values and the back; a ``property`` ("speed"), a ``material`` ("wood").
    """
    if kind in ("card", "back", "face") and value in DECK:
        name, card = Sentence(phrases.NAMES[value]), DECK[value]
        if kind == "card":
            return name
        back = Sentence(phrases.BACKS[card.part, card.material], name=name)
        if kind == "back":
            return back
        values: dict[str, Any] = {named: card.value(named) for named in phrases.PROPERTIES}
        return Sentence(phrases.FACE, card=back, **values)
    names = {"property": phrases.PROPERTIES, "material": phrases.MATERIALS}.get(kind, {})
    return Sentence(names[value]) if value in names else Sentence("{value}", value=value)


_REFUSALS = {
    "no_property": _("A card has four properties to name: speed, strength, wits and courage."),
    "catapult_call": _("The catapult value is never named: it counts only when a piggy is put on a construction."),
    "offer_on": _("The quicker ending is already on, and it stays on."),
    "offer_off": _("The quicker ending is offered only in a match that was made with it."),
    "offer_two_left": _("The quicker ending is for two: it can be offered once only two players have cards."),
    "offer_table": _("The quicker ending needs an empty table: no construction and no card in the middle."),
    "offer_once": _("It was offered already, and may be offered again only when something has been on the table."),
    "from_the_top": _("A construction is taken down from the top: the piggy, then the cross part, then an upright."),
    "not_yours": _("An empty pack is helped by your own constructions: that card is on none of them."),
    "must_build": _("In this match every won card that fits is built."),
    "not_won": _("You build with cards that you have just won, and that is none of them."),
    "no_construction": _("You have no such construction: build on one of yours, or begin a new one."),
    "piggy_needs_three": _("A piggy needs a finished construction: two uprights and the cross part."),
    "piggy_there": _("A construction carries one piggy only."),
    "piggy_first_begun": _("The piggy goes on the finished construction that was begun first."),
    "piggy_last": _("A piggy ends the building, so it goes on last: first build the other parts that fit."),
    "other_material": _("A construction is of one material, and built cards are not exchanged."),
    "cross_needs_uprights": _("The cross part lies on two uprights: they come first."),
    "cross_there": _("That construction has its cross part already."),
    "uprights_there": _("That construction has its two uprights already."),
    "finish_first": _("A construction that is begun must be finished before you begin another."),
    "two_at_most": _("In the quicker ending nobody builds more than two constructions."),
    "one_at_a_time": _("In this match everybody has one construction at a time."),
}
_NOT_ASKED = {
    "call": _("You are to name a property of your top card."),
    "reply": _("You are to accept or decline the quicker ending."),
    "draw": _("You are to take a part off a construction of yours."),
    "build": _("You are to build with the cards you have won."),
}


def refusal(reason: str, facts: Facts, observation: Facts) -> Sentence:
    """Why a step was refused, with the rule; ``observation`` is what the player saw before that step."""
    if reason == "unfinished":
        return ask(observation, ())
    if reason == "not_asked" and observation["phase"] in _NOT_ASKED:
        return Sentence(_NOT_ASKED[observation["phase"]])
    return Sentence(_REFUSALS[reason]) if reason in _REFUSALS else shared(reason)


_STEPS = {
    "offer": _("offer the quicker ending"),
    "accept": _("accept the quicker ending"),
    "decline": _("decline the quicker ending"),
    "stop": _("build no more"),
}


def step(text: str, observation: Facts) -> Sentence:
    """A step in words, to stand in a list ("speed 48", "Jam Badger begins a stone construction")."""
    kind, _blank, rest = text.partition(" ")
    if kind == "call" and rest in phrases.CALLS:
        card = phrases.own_card(observation)
        if card is None:
            return Sentence(phrases.PROPERTIES[rest])
        return Sentence("{property} {value}", property=Piece("property", rest), value=DECK[card].value(rest))
    if kind == "draw":
        return Sentence(_("take off {card}"), card=Piece("card", rest))
    card, _arrow, where = rest.partition(">")
    if kind == "build" and card in DECK:
        if where == "new" and DECK[card].material:
            return Sentence(phrases.BEGIN[DECK[card].material], card=Piece("card", card))
        return Sentence(phrases.ADD[DECK[card].part], card=Piece("card", card))
    return Sentence(_STEPS[text]) if text in _STEPS else Sentence("{step}", step=text)


def ask(observation: Facts, legal: Sequence[str]) -> Sentence:
    """What is asked of the viewer now, or whom the match waits for."""
    active, viewer, phase = observation["active"], observation["viewer"], observation["phase"]
    if phase == "over":
        return Sentence(_("The match is over."))
    if active is None:
        return Sentence(_("The next cards are being shown."))
    if viewer != active:
        if isinstance(viewer, int) and observation["seats"][viewer]["out"] is not None:
            return Sentence(_("You have no cards left. Waiting for {seat}."), seat=Seat(active))
        return Sentence(_("Waiting for {seat}."), seat=Seat(active))
    if phase == "draw":
        return _ask_draw(observation)
    if phase == "reply":
        text = _("{seat} offers the quicker ending: no catapults any more, and the second piggy of a player ends it.")
        return Sentence(text, seat=Seat(observation["caller"]))
    if phase == "build":
        if observation["options"]["build"] == "may":
            return Sentence(_("You have won: build with the cards that fit, or stop."))
        return Sentence(_("You have won: choose what you build with these cards."))
    if "offer" in legal:
        return Sentence(_("Name the property that decides, or offer the quicker ending."))
    return Sentence(_("Name the property that decides: the highest value wins all top cards."))


def _ask_draw(observation: Facts) -> Sentence:
    """Why a part is to be taken off, and what it will be good for."""
    named = observation["named"]
    if named is not None:
        if named == CATAPULT:
            return Sentence(_("Your pack is empty: choose the part whose catapult value stands against the piggy."))
        text = _("A tie, and your pack is empty: choose the part that plays on. What counts is {property}.")
        return Sentence(text, property=Piece("property", named))
    if observation["caller"] == observation["active"]:
        return Sentence(_("Your pack is empty: choose a part to play, and name its property once all have drawn."))
    text = _("Your pack is empty: choose the part you play before {seat} names a property.")
    return Sentence(text, seat=Seat(observation["caller"]))


_RESULTS = {
    "last": (_("You win: nobody else has a card left."), _("{seat} wins: nobody else has a card left.")),
    "limit": (
        _("The last round is played: you win with {number} cards."),
        _("The last round is played: {seat} wins with {number} cards."),
    ),
    "fast": (
        _("Two piggies are up and end the match: you win with {number} cards."),
        _("Two piggies are up and end the match: {seat} wins with {number} cards."),
    ),
}
_SHARED = {
    "limit": _("The last round is played: {seats} share the win with {number} cards each."),
    "dead tie": _("The last cards of all are tied: {seats} share the win."),
}


def result(observation: Facts, outcome_places: Sequence[int], reason: str, me: int | None) -> Sentence:
    """What decided the match, told to seat ``me``. Winners are those on place 1, whoever left."""
    winners = [number for number, place in enumerate(outcome_places) if place == 1]
    counts = [phrases.count(seat) for seat in observation["seats"]]
    number = counts[winners[0]]
    if len(winners) > 1:
        text = _SHARED.get(reason, _("{seats} share the win."))
        return Sentence(text, seats=[Seat(winner) for winner in winners], number=number)
    # Who has left is no winner, whatever a bot then won on that seat; and the rules did not decide for another one.
    decided = reason in _RESULTS and number == max(counts)
    mine, others = _RESULTS[reason] if decided else (_("You win."), _("{seat} wins."))
    return Sentence(mine if me in winners else others, seat=Seat(winners[0]), number=number)
