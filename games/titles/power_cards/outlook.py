"""What confirming a plan would mean, in words, before it is confirmed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.power_cards import phrases
from games.titles.power_cards.deck import CATAPULT, PIGGY
from games.titles.power_cards.faces import share
from games.titles.power_cards.state import QUICK_CONSTRUCTIONS
from games.titles.power_cards.yards import NEW
from games.wording import Piece, Seat, Sentence, mark as _

Facts = Mapping[str, Any]
Outlook = tuple[str, Sentence | None]
"""A tone (good, warn, plain) and the sentence."""

HIGH, LOW = 67, 34
"""Percent of a scale from which a value is called high, and below which it is low."""


def consequence(game: Any, observation: Facts, legal: Sequence[str], *, me: int, picked: str, asking: bool) -> Outlook:
    """What the plan, already carried out in ``observation``, would mean; while ``asking``, what is still owed."""
    if asking:
        return _owed(game, observation, legal, me, picked)
    phase = observation["phase"]
    if phase == "reveal" and observation["caller"] == me and observation["named"] != CATAPULT:
        card = phrases.own_card(observation)
        if card is not None and observation["seats"][me]["drawn"] is None:
            return _call(game, card, observation["named"])
    if phase in ("reveal", "draw", "show") or observation["seats"][me]["drawn"]:
        return _drawn(observation, me)
    if phase == "reply":
        other = Seat(observation["active"])
        return "plain", Sentence(_("{seat} accepts or declines; then you name a property."), seat=other)
    if phase == "call":
        return _replied(observation)
    return _built(game, observation, me)


def _call(game: Any, card: str, named: str) -> Outlook:
    percent = share(game, card, named)
    tone, text = "plain", _("{value} is {percent} % of the highest {property} of all cards, {most}.")
    if percent >= HIGH:
        tone, text = "good", _("{value} is high: {percent} % of the highest {property} of all cards, {most}.")
    elif percent < LOW:
        tone, text = "warn", _("{value} is low: {percent} % of the highest {property} of all cards, {most}.")
    facts = {"value": game.deck[card].value(named), "percent": percent, "most": game.scales[named]}
    return tone, Sentence(text, property=Piece("property", named), **facts)


def _drawn(observation: Facts, me: int) -> Outlook:
    """A part that is taken off: what becomes of its construction."""
    card = observation["seats"][me]["drawn"]
    if card is None:
        return "plain", None
    built = next(one for one in observation["seats"][me]["constructions"] if card in phrases.cards(one))
    if card == built["piggy"]:
        text = _("{card} leaves its construction, which then waits for a piggy again.")
    elif card == built["cross"]:
        text = _("{card} leaves its construction, which is then unfinished and bars a new one.")
    elif len(built["uprights"]) > 1:
        text = _("{card} leaves its construction: one upright is left of it.")
    else:
        text = _("{card} is all that is left of its construction, which is gone then.")
    return "warn", Sentence(text, card=Piece("card", card))


def _replied(observation: Facts) -> Outlook:
    caller = Seat(observation["caller"])
    if not observation["fast"]:
        return "plain", Sentence(_("It goes on as before: {seat} names a property."), seat=caller)
    text = _("No catapults from now on, and two piggies of one player end the match. {seat} names a property.")
    return "warn", Sentence(text, seat=caller)


def _built(game: Any, observation: Facts, me: int) -> Outlook:
    """The building is done: what follows."""
    piggy, pot = observation["piggy"], observation["pot"]
    if piggy is not None and observation["fast"]:
        up = sum(one["piggy"] is not None for one in observation["seats"][me]["constructions"])
        if up >= QUICK_CONSTRUCTIONS:
            return "good", Sentence(_("That is your second piggy: the match ends, and most cards win."))
        return "good", Sentence(_("One piggy more, and the match ends."))
    if piggy is not None:
        value = game.deck[piggy].catapult
        text = _("A catapult round follows: {card} with {value} against the others' top cards.")
        return "good", Sentence(text, card=Piece("card", piggy), value=value)
    done = _state_of_yard(observation, me)
    if not pot:
        return done
    rest = Sentence("{count} won card goes under your pack.", "{count} won cards go under your pack.", len(pot))
    return done[0], Sentence("{done} {rest}", done=done[1], rest=rest) if done[1] else rest


def _state_of_yard(observation: Facts, me: int) -> Outlook:
    """What the own constructions still need, the last one that is not finished or else the last one."""
    own = observation["seats"][me]["constructions"]
    if not own:
        return "plain", None
    unfinished = [one for one in own if one["cross"] is None]
    built = (unfinished or own)[-1]
    return "plain" if unfinished else "good", Sentence(phrases.STANDS[built["material"], phrases.progress(built)])


_LIT = _("Choose a lit place, or first one of the cards that fit.")
_OPEN = _("Choose one of the cards that fit, then its place.")


def _several(game: Any, legal: Sequence[str]) -> bool:
    """Whether every place that may be built on is open to several cards."""
    offers = [step.removeprefix("build ").partition(">") for step in legal if step.startswith("build ")]
    places = [(game.deck[card].part, where) for card, _arrow, where in offers]
    return all(places.count(place) > 1 for place in places)


def _owed(game: Any, observation: Facts, legal: Sequence[str], me: int, picked: str) -> Outlook:
    """What is to be chosen; for a picked card, what it would do where it fits."""
    phase = observation["phase"]
    if phase == "call" and observation["seats"][me]["drawn"] is not None:
        return "plain", Sentence(_("Now name one of its properties."))
    if phase != "build":
        return "plain", None
    places = [step.partition(">")[2] for step in legal if step.startswith(f"build {picked}>")] if picked else []
    if not places:
        return "plain", Sentence(_OPEN if _several(game, legal) else _LIT)
    own = observation["seats"][me]["constructions"]
    built = {"uprights": [], "cross": None, "piggy": None} if places[0] == NEW else own[int(places[0])]
    card, part = Piece("card", picked), game.deck[picked].part
    if part == PIGGY:
        text = _("Choose its place: {card} goes on top as the piggy.")
    elif len(built["uprights"]) == 2:
        text = _("Choose its place: {card} across the top completes the construction.")
    elif built["uprights"]:
        text = _("Choose its place: {card} as the second upright; then only the cross part is missing.")
    else:
        text = _("Choose its place: {card} begins a construction, which must be finished before another.")
    return "plain", Sentence(text, card=card)
