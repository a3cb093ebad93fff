"""Sentences of Barvosauři: news, refusals, steps, what is asked, results, and the names of the pieces. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.refusals import shared
from games.titles.barvosauri import pieces
from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.state import COPIES, ROYAL, royal
from games.wording import Seat, Sentence, mark as _

NAME = "Barvosauři"

ENDINGS = {
    "colours": _("a royal win by different colours"),
    "four of a colour": _("a royal win by all four of a colour"),
    "both": _("a royal win in both ways"),
    "last card": _("the last card was taken"),
}
"""How matches end, for the statistics."""
TAGLINE = _("A game of dice and dinosaurs: bring both your figures onto one colour, and a card of it is yours.")

Facts = Mapping[str, Any]


def piece(kind: str, value: str) -> Sentence:
    """The name of a piece: a card ("a red card"), a space ("red 3") or a colour ("red")."""
    return pieces.name(kind, value)


def news(value: Facts, me: int | None) -> Sentence | None:
    """The log's sentence for one seen news value, told to seat ``me`` (None: to nobody at the table).

    None for news of a kind that Barvosauři does not have.
    """
    tell = _NEWS.get(value["what"])
    return tell(value, me) if tell else None


def _dealt(value: Facts, me: int | None) -> Sentence:
    mine = me == value["first"]
    text = _("On show: {cards}. You begin.") if mine else _("On show: {cards}. {first} begins.")
    return Sentence(text, cards=pieces.cards(value["display"]), first=Seat(value["first"]))


def _rolled(value: Facts, me: int | None) -> Sentence:
    texts = {
        (True, False): _("You roll {colour}."),
        (False, False): _("{seat} rolls {colour}."),
        (True, True): _("You roll {thrown}, but every space of it is taken: the die is rolled again."),
        (False, True): _("{seat} rolls {thrown}, but every space of it is taken: the die is rolled again."),
    }
    text = texts[me == value["seat"], value["full"]]
    seat, colour = Seat(value["seat"]), pieces.colour(value["colour"])
    if value["full"]:  # the table finds the rolls thrown away by the name of this place
        return Sentence(text, seat=seat, thrown=colour)
    return Sentence(text, seat=seat, colour=colour)


def _placed(value: Facts, me: int | None) -> Sentence:
    text = _("You place a figure on {space}.") if me == value["seat"] else _("{seat} places a figure on {space}.")
    return Sentence(text, seat=Seat(value["seat"]), space=pieces.space(value["space"]))


def _moved(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You move from {start} to {space}.") if mine else _("{seat} moves from {start} to {space}.")
    start, space = pieces.space(value["from"]), pieces.space(value["space"])
    return Sentence(text, seat=Seat(value["seat"]), start=start, space=space)


def _stayed(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You leave your figures where they are.") if mine else _("{seat} moves no figure.")
    return Sentence(text, seat=Seat(value["seat"]))


def _paired(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("Both your figures stand on {colour}.") if mine else _("Both figures of {seat} stand on {colour}.")
    return Sentence(text, seat=Seat(value["seat"]), colour=pieces.colour(value["colour"]))


def _took(value: Facts, me: int | None) -> Sentence:
    text = _("You take {card}.") if me == value["seat"] else _("{seat} takes {card}.")
    return Sentence(text, seat=Seat(value["seat"]), card=pieces.card(value["card"]))


def _exchanged(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You put {gave} on show and take {card} for it.") if mine else _("{seat} exchanges {gave} for {card}.")
    return Sentence(text, seat=Seat(value["seat"]), gave=pieces.card(value["gave"]), card=pieces.card(value["card"]))


def _refreshed(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You put under the pack: {cards}.") if mine else _("{seat} puts under the pack: {cards}.")
    return Sentence(text, seat=Seat(value["seat"]), cards=pieces.cards(value["cards"]))


def _shown(value: Facts, me: int | None) -> Sentence:
    return Sentence(_("New on show: {cards}."), cards=pieces.cards(value["cards"]))


def _missed(value: Facts, me: int | None) -> Sentence:
    text = _("You get nothing for it.") if me == value["seat"] else _("{seat} gets nothing for it.")
    return Sentence(text, seat=Seat(value["seat"]))


def _kept(value: Facts, me: int | None) -> Sentence:
    mine = me == value["seat"]
    text = _("You exchange no card as well.") if mine else _("{seat} exchanges no card as well.")
    return Sentence(text, seat=Seat(value["seat"]))


def _ended(value: Facts, me: int | None) -> Sentence:
    counts = [Sentence(_("{seat} {count}"), seat=Seat(seat), count=count) for seat, count in enumerate(value["held"])]
    if value["how"] == "last card":
        return Sentence(_("The last card is taken, so the cards are counted: {counts}."), counts=counts)
    if value["how"] == "stall":
        return Sentence(
            "Nobody has taken a card for {count} round, so the cards are counted: {counts}.",
            "Nobody has taken a card for {count} rounds, so the cards are counted: {counts}.",
            value["rounds"],
            counts=counts,
        )
    text = _("You have a royal win: {cards}.") if me == value["seat"] else _("{seat} has a royal win: {cards}.")
    return Sentence(text, seat=Seat(value["seat"]), cards=pieces.cards(value["cards"]))


_NEWS: dict[str, Callable[[Facts, int | None], Sentence]] = {
    "dealt": _dealt,
    "rolled": _rolled,
    "placed": _placed,
    "moved": _moved,
    "stayed": _stayed,
    "paired": _paired,
    "took": _took,
    "exchanged": _exchanged,
    "refreshed": _refreshed,
    "shown": _shown,
    "missed": _missed,
    "kept": _kept,
    "ended": _ended,
}

_REFUSALS = {
    "roll_once": _("The die is rolled for you, once: if you do not like the colour you may stay, but not roll again."),
    "place_first": _("In the first turn both your figures are placed, each on a free space of the colour rolled."),
    "move_first": _("Cards are earned only right after a move that brings both your figures onto one colour."),
    "placed_already": _("Both your figures are on the board: move one of them, or stay."),
    "harvest_first": _("No figure moves any more in this turn: now it is about the card."),
    "no_such_space": _("There is no such space on the board."),
    "taken_space": _("A figure stands there already: one space, one figure."),
    "not_your_figure": _("No figure of yours stands there."),
    "no_such_slot": _("Only four cards are on show, numbered 0 to 3."),
    "empty_slot": _("That place on show is empty."),
    "nothing_to_give": _("For an exchange you give a card of the colour your figures stand on, held before the move."),
    "same_colour": _("An exchange is for a card of another colour."),
    "match_shown": _("Cards on show may be replaced only if none of them has the colour of your figures."),
    "refreshed_already": _("Cards on show may be replaced only once in a turn."),
    "empty_pack": _("The pack is empty: there is nothing to replace cards with."),
    "refresh_one": _("Only one card is left in the pack, so exactly one card on show may be replaced."),
    "refresh_two": _("Exactly two different cards on show are replaced."),
    "took_already": _("You earn one card for a success, and you have taken it."),
    "must_take": _(
        "A card of the colour of your figures is on show: you take it or exchange a card, you cannot decline."
    ),
}


def refusal(reason: str, facts: Facts, observation: Facts) -> Sentence:
    """Why a step was refused, with the rule; ``observation`` is what the player saw before that step."""
    if reason == "wrong_colour" and str(facts.get("rolled")) in COLOURS:
        text = _("You rolled {colour}: a figure goes only to a space of that colour.")
        return Sentence(text, colour=pieces.colour(facts["rolled"]))
    if reason == "not_matching" and str(facts.get("pair")) in COLOURS:
        text = _("Your figures stand on {colour}: you may take only a card of that colour.")
        return Sentence(text, colour=pieces.colour(facts["pair"]))
    if reason == "unfinished":
        return ask(observation, ())
    return Sentence(_REFUSALS[reason]) if reason in _REFUSALS else shared(reason)


def step(text: str, observation: Facts) -> Sentence:
    """A step in words, to stand in a list ("red 2 to blue 4"); ``observation`` is that before the whole plan."""
    word, _blank, rest = text.partition(" ")
    start, arrow, space = rest.partition(">")
    if word == "place" and rest:
        return Sentence(_("a figure onto {space}"), space=pieces.space(rest))
    if word == "move" and arrow:
        return Sentence(_("from {start} to {space}"), start=pieces.space(start), space=pieces.space(space))
    if text in _STEPS:
        return Sentence(_STEPS[text])
    shown = _shown_at(rest, observation)
    if word == "take" and len(shown) == 1:
        return Sentence(_("take {card}"), card=pieces.card(shown[0]))
    if word == "exchange" and len(shown) == 1:
        return Sentence(_("exchange one of yours for {card}"), card=pieces.card(shown[0]))
    if word == "refresh" and shown:
        return Sentence(_("replace {cards}"), cards=pieces.cards(shown))
    return Sentence("{step}", step=text)


_STEPS = {"stay": _("stay"), "done": _("end the turn")}


def _shown_at(slots: str, observation: Facts) -> list[str]:
    """The cards on show in the slots that a step names; none if one of them is not there."""
    display: Sequence[str | None] = observation["display"]
    cards = [display[int(slot)] if slot in ("0", "1", "2", "3") else None for slot in slots.split(" ")]
    shown = [card for card in cards if card is not None]
    return shown if len(shown) == len(cards) else []


def ask(observation: Facts, legal: Sequence[str]) -> Sentence:
    """What is asked of the viewer now, or whom the match waits for."""
    active, phase = observation["active"], observation["phase"]
    if phase == "over":
        return Sentence(_("The match is over."))
    if active is None:
        return Sentence(_("The cards are being dealt."))
    if observation["viewer"] != active:
        return Sentence(_("Waiting for {seat}."), seat=Seat(active))
    if phase == "harvest":
        return _ask_harvest(observation)
    if phase in _ASKS and observation["rolled"]:
        return Sentence(_ASKS[phase], colour=pieces.colour(observation["rolled"]))
    return Sentence(_("Confirm your turn."))


_ASKS = {
    "place": _("You rolled {colour}: place a figure on a free space of that colour."),
    "move": _("You rolled {colour}: move a figure to a free space of that colour, or stay."),
}


def _ask_harvest(observation: Facts) -> Sentence:
    pair, own = observation["pair"], observation["seats"][observation["active"]]["held"]
    places: dict[str, Any] = {"colour": pieces.colour(pair), "card": pieces.card(pair)}
    if observation["took"]:
        return Sentence(_("You have your card. Exchange another one of {colour} as well, or end the turn."), **places)
    others = any(card not in (None, pair) for card in observation["display"])
    swaps, pack = pair in own and others, observation["deck"]
    if pair in observation["display"]:
        if swaps:
            return Sentence(_("Both your figures stand on {colour}: take {card}, or exchange one of yours."), **places)
        return Sentence(_("Both your figures stand on {colour}: take {card}."), **places)
    if observation["refreshed"] or not pack:
        return Sentence(_("No card of {colour} is on show: exchange one of yours, or end the turn."), **places)
    if swaps:
        text = _("No card of {colour} is on show: replace cards, exchange one of yours, or end the turn.")
        return Sentence(text, **places)
    return Sentence(_("No card of {colour} is on show: replace cards, or end the turn."), **places)


def result(observation: Facts, outcome_places: Sequence[int], reason: str, me: int | None) -> Sentence:
    """What decided the match, told to seat ``me``. Winners are those on place 1, whoever left."""
    winners = [number for number, place in enumerate(outcome_places) if place == 1]
    first, seats = winners[0], observation["seats"]
    held = tuple(seats[first]["held"])
    mine = me in winners
    places: dict[str, Any] = {"seat": Seat(first), "cards": pieces.cards(held)}
    if len(winners) > 1:
        if reason in ROYAL or len({len(seats[number]["held"]) for number in winners}) > 1:
            return Sentence(_("{seats} share the win."), seats=[Seat(number) for number in winners])
        return Sentence(
            "{seats} share the win with {count} card each.",
            "{seats} share the win with {count} cards each.",
            len(held),
            seats=[Seat(number) for number in winners],
        )
    if reason in ROYAL and royal(held, observation["options"]["goal_colors"]) == reason:
        return Sentence(_ROYAL[reason, mine], seat=Seat(first), cards=pieces.cards(_making(reason, held)))
    if reason in ROYAL:  # the royal winner has left the match
        return Sentence(_("You win.") if mine else _("{seat} wins."), **places)
    if mine:
        return Sentence("You win with {count} card.", "You win with {count} cards.", len(held))
    return Sentence("{seat} wins with {count} card.", "{seat} wins with {count} cards.", len(held), **places)


def _making(reason: str, held: Sequence[str]) -> tuple[str, ...]:
    """Those of the cards that make the royal win: one of each colour, or the colours of which all four are there."""
    if reason == "colours":
        return tuple(dict.fromkeys(held))
    return tuple(card for card in held if held.count(card) == COPIES)


_ROYAL = {
    ("colours", True): _("A royal win for you by different colours: {cards}."),
    ("colours", False): _("A royal win for {seat} by different colours: {cards}."),
    ("four of a colour", True): _("A royal win for you by all four of one colour: {cards}."),
    ("four of a colour", False): _("A royal win for {seat} by all four of one colour: {cards}."),
}
