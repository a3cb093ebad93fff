"""Sentences of Red: news, refusals, steps, what is asked, results, and the names of the pieces. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.refusals import shared
from games.titles.red import phrases
from games.titles.red.leading import COLOURS, DECK, winning_set
from games.titles.red.state import TARGETS
from games.wording import Piece, Pieces, Seat, Sentence, mark as _

NAME = "Red"

ENDINGS = {
    "round": _("the round was won"),
    "target": _("somebody had the points"),
    "cards": _("too few cards were left to deal"),
}
"""How matches end, for the statistics."""
TAGLINE = _("A quick card game: end your turn in the lead, or you are out. Then somebody changes the rule.")

Facts = Mapping[str, Any]


def _card(value: str) -> Piece:
    return Piece("card", value)


def piece(kind: str, value: str) -> Sentence:
    """The name of a piece: a card ("red 7"), a colour ("red") or the rule of a colour ("highest card")."""
    if kind == "card" and value in DECK:
        return Sentence(phrases.CARDS[value[0]], number=value[1])
    if kind == "colour" and value in COLOURS:
        return Sentence(phrases.COLOURS[value])
    if kind == "rule" and value in COLOURS:
        return Sentence(phrases.ON_CARD[value])
    return Sentence("{value}", value=value)


def news(value: Facts, me: int | None) -> Sentence | None:
    """The log's sentence for one seen news value, told to seat ``me`` (None: to nobody at the table).

    None for news of a kind that Red does not have.
    """
    tell = _NEWS.get(value["what"])
    return tell(value, me) if tell else None


def _dealt(value: Facts, me: int | None) -> Sentence:
    if me == value["leader"]:
        text = _("Round {round}: you have the highest card, {card}, so {first} begins.")
    elif me == value["first"]:
        text = _("Round {round}: {leader} has the highest card, {card}, so you begin.")
    else:
        text = _("Round {round}: {leader} has the highest card, {card}, so {first} begins.")
    leader, first = value["leader"], value["first"]
    card = _card(value["palettes"][leader])
    return Sentence(text, round=value["round"], leader=Seat(leader), card=card, first=Seat(first))


def _laid(value: Facts, me: int | None) -> Sentence:
    text = _("You lay {card} on your palette.") if me == value["seat"] else _("{seat} lays {card} on the palette.")
    return Sentence(text, seat=Seat(value["seat"]), card=_card(value["card"]))


def _discarded(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You set the rule with {card}: {rule}.") if mine else _("{seat} sets the rule with {card}: {rule}.")
    return Sentence(text, seat=Seat(value["seat"]), card=_card(value["card"]), rule=Piece("rule", value["card"][0]))


def _took(value: Facts, me: int | None) -> Sentence:
    if me == value["seat"]:
        text = _("You put {card} from the palette of {owner} onto the deck.")
    elif me == value["from"]:
        text = _("{seat} puts {card} from your palette onto the deck.")
    else:
        text = _("{seat} puts {card} from the palette of {owner} onto the deck.")
    return Sentence(text, seat=Seat(value["seat"]), card=_card(value["card"]), owner=Seat(value["from"]))


def _shifted(value: Facts, me: int | None) -> Sentence:
    texts = {
        (True, "deck"): _("You put {card} from your palette onto the deck."),
        (False, "deck"): _("{seat} puts {card} from their palette onto the deck."),
        (True, "canvas"): _("You move {card} from your palette to the canvas: {rule}."),
        (False, "canvas"): _("{seat} moves {card} from their palette to the canvas: {rule}."),
    }
    text = texts[me == value["seat"], value["place"]]
    return Sentence(text, seat=Seat(value["seat"]), card=_card(value["card"]), rule=Piece("rule", value["card"][0]))


def _drew(value: Facts, me: int | None) -> Sentence:
    mine, high = me == value["seat"], value["why"] == "high"
    if "card" not in value:
        text = _("{seat} draws a card for the high discard.") if high else _("{seat} draws a card with the 3.")
        return Sentence(text, seat=Seat(value["seat"]))
    if high:
        text = _("You draw {card} for the high discard.") if mine else _("{seat} draws {card} for the high discard.")
    else:
        text = _("You draw {card} with the 3.") if mine else _("{seat} draws {card} with the 3.")
    return Sentence(text, seat=Seat(value["seat"]), card=_card(value["card"]))


def _leads(value: Facts, me: int | None) -> Sentence:
    text = _("You lead with {set}.") if me == value["seat"] else _("{seat} leads with {set}.")
    return Sentence(text, seat=Seat(value["seat"]), set=phrases.shown(value["rule"], value["set"]))


def _passed(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You give up the round and are out.") if mine else _("{seat} gives up the round and is out.")
    return Sentence(text, seat=Seat(value["seat"]))


def _emptied(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You have no card left to play and are out.") if mine else _("{seat} has no card left to play and is out.")
    return Sentence(text, seat=Seat(value["seat"]))


def _round_won(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    places: dict[str, Any] = {"seat": Seat(value["seat"]), "cards": Pieces("card", tuple(value["set"]))}
    if not value["points"]:
        text = _("You win the round with {cards}.") if mine else _("{seat} wins the round with {cards}.")
        return Sentence(text, **places)
    if mine:
        return Sentence(
            "You win the round with {cards} and score {count} point.",
            "You win the round with {cards} and score {count} points.",
            value["points"],
            **places,
        )
    return Sentence(
        "{seat} wins the round with {cards} and scores {count} point.",
        "{seat} wins the round with {cards} and scores {count} points.",
        value["points"],
        **places,
    )


def _ended(value: Facts, me: int | None) -> Sentence:
    texts = {
        "round": _("A basic match is one round: it is over."),
        "target": _("The target is reached: the match is over."),
        "cards": _("Too few cards are left for another round: the match is over."),
    }
    return Sentence(texts.get(value["how"], _("The match is over.")))


_NEWS: dict[str, Callable[[Facts, int | None], Sentence]] = {
    "dealt": _dealt,
    "laid": _laid,
    "discarded": _discarded,
    "took": _took,
    "shifted": _shifted,
    "drew": _drew,
    "leads": _leads,
    "passed": _passed,
    "emptied": _emptied,
    "round_won": _round_won,
    "ended": _ended,
}

_REFUSALS = {
    "not_in_hand": _("You do not hold that card."),
    "second_palette_card": _("Only one card a turn goes to the palette, unless a 5 asks for more."),
    "action_owed": _("The card you laid acts first: do that before anything else."),
    "no_action": _("No card you laid asks for that."),
    "bad_target": _("That card cannot be moved there."),
    "pass_after_play": _("You may give up the round only instead of playing, or after a 3 has drawn."),
    "empty_turn": _("A turn needs at least one card, or give up the round."),
}
_BAD_TARGETS = {
    "take": _("The 1 takes from a rival who is still in and whose palette has no fewer cards than yours."),
    "shift": _("The 7 moves a card of your own palette, to the canvas or onto the deck."),
}


def refusal(reason: str, facts: Facts, observation: Facts) -> Sentence:
    """Why a step was refused, with the rule; ``observation`` is what the player saw before that step."""
    if reason == "not_leading":
        rule = facts.get("rule") or observation["rule"]
        seat = observation["active"]
        if seat is None or rule not in COLOURS:
            return Sentence(_("A turn must end with you in the lead."))
        why = phrases.compare(rule, phrases.palettes(observation), seat)[1]
        return Sentence(_("A turn must end with you in the lead, and that does not lead: {why}."), why=why)
    if reason == "not_in_hand" and facts.get("card") in DECK:
        return Sentence(_("You do not hold {card}."), card=_card(facts["card"]))
    if reason == "bad_target" and observation["phase"] in _BAD_TARGETS:
        return Sentence(_BAD_TARGETS[observation["phase"]])
    if reason == "unfinished":
        return ask(observation, ())
    return Sentence(_REFUSALS[reason]) if reason in _REFUSALS else shared(reason)


def step(text: str, observation: Facts) -> Sentence:
    """A step in words, to stand in a list ("blue 7 to the canvas")."""
    kind, _colon, rest = text.partition(":")
    place, _colon, card = rest.rpartition(":")
    if kind == "P":
        return Sentence(_("{card} to your palette"), card=_card(rest))
    if kind == "C":
        return Sentence(_("{card} to the canvas"), card=_card(rest))
    if kind == "T" and len(place) == 1:
        return Sentence(_("{card} of {owner} onto the deck"), card=_card(card), owner=Seat(ord(place) - ord("A")))
    if kind == "S" and place == "canvas":
        return Sentence(_("{card} from your palette to the canvas"), card=_card(card))
    if kind == "S" and place == "deck":
        return Sentence(_("{card} from your palette onto the deck"), card=_card(card))
    if text == "END":
        return Sentence(_("end of the turn"))
    if text == "PASS":
        return Sentence(_("give up the round"))
    return Sentence("{step}", step=text)


def ask(observation: Facts, legal: Sequence[str]) -> Sentence:
    """What is asked of the viewer now, or whom the match waits for."""
    active, viewer = observation["active"], observation["viewer"]
    if observation["phase"] == "over":
        return Sentence(_("The match is over."))
    if active is None:
        return Sentence(_("The next cards are being dealt."))
    if viewer != active:
        if isinstance(viewer, int) and observation["seats"][viewer]["out"]:
            return Sentence(_("You are out of this round. Waiting for {seat}."), seat=Seat(active))
        return Sentence(_("Waiting for {seat}."), seat=Seat(active))
    phase, ahead = observation["phase"], phrases.leading_seat(observation)
    if phase == "turn":
        return _ask_turn(observation, legal, ahead)
    if phase == "finish" and ahead == active:
        return Sentence(_("Confirm your turn, or change the rule as well with another card."))
    if phase == "drawn" and ahead == active:
        return Sentence(_("You have drawn and lead: end the turn, or change the rule with a card."))
    if phase == "drawn" and list(legal) == ["PASS"]:
        return Sentence(_("You have drawn, but nothing makes you lead: all you can do is give up the round."))
    return Sentence(_ASKS.get(phase, _("Confirm your turn.")))


_ASKS = {
    "palette": _("Your 5 acts: lay another card on your palette."),
    "take": _("Your 1 acts: choose a card of a rival's palette; it goes onto the deck."),
    "shift": _("Your 7 acts: move a card of your palette to the canvas or onto the deck."),
    "draw": _("Your 3 draws a card as soon as you confirm."),
    "finish": _("You do not lead yet: change the rule with a card, or take a step back."),
    "drawn": _("You have drawn: change the rule so that you lead, or give up the round."),
}


def _ask_turn(observation: Facts, legal: Sequence[str], ahead: int | None) -> Sentence:
    if list(legal) == ["PASS"]:
        return Sentence(_("No card of yours makes you lead: all you can do is give up the round."))
    if ahead is None:
        return Sentence(_("Nobody leads. Play so that you lead when your turn ends."))
    cards = winning_set(observation["rule"], observation["seats"][ahead]["palette"])
    return Sentence(
        _("{seat} leads with {set}. Play so that you lead when your turn ends."),
        seat=Seat(ahead),
        set=phrases.shown(observation["rule"], cards),
    )


def result(observation: Facts, outcome_places: Sequence[int], reason: str, me: int | None) -> Sentence:
    """What decided the match, told to seat ``me``. Winners are those on place 1, whoever left."""
    winners = [number for number, place in enumerate(outcome_places) if place == 1]
    first, seats = winners[0], observation["seats"]
    mine, score = me in winners, seats[first]["score"]
    if len(winners) > 1:
        if reason != "cards":
            return Sentence(_("{seats} share the win."), seats=[Seat(number) for number in winners])
        return Sentence(
            "Too few cards are left for another round: {seats} share the win with {count} point each.",
            "Too few cards are left for another round: {seats} share the win with {count} points each.",
            score,
            seats=[Seat(number) for number in winners],
        )
    places: dict[str, Any] = {"seat": Seat(first), "score": score, "target": TARGETS.get(len(seats), 0)}
    if reason == "round" and not seats[first]["out"]:
        rule = observation["rule"]
        places["set"] = phrases.shown(rule, winning_set(rule, seats[first]["palette"]))
        text = _("You win as the last one in: {set}.") if mine else _("{seat} wins as the last one in: {set}.")
    elif reason == "target" and score >= places["target"]:
        text = (
            _("You win with {score} points; {target} were needed.")
            if mine
            else _("{seat} wins with {score} points; {target} were needed.")
        )
    elif reason == "cards":
        text = (
            _("Too few cards are left for another round: you win with {score} points.")
            if mine
            else _("Too few cards are left for another round: {seat} wins with {score} points.")
        )
    else:
        text = _("You win.") if mine else _("{seat} wins.")
    return Sentence(text, **places)
