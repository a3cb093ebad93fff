"""What happened in a match of Power Cards, in sentences: one for each value of news. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.titles.power_cards import phrases
from games.wording import Piece, Pieces, Seat, Sentence, mark as _

Facts = Mapping[str, Any]


def news(value: Facts, me: int | None) -> Sentence | None:
    """The log's sentence for one seen news value, told to seat ``me`` (None: to nobody at the table).

    None for news of a kind that Power Cards does not have.
    """
    what = value["what"]
    if what in _TOLD:
        mine, others = _TOLD[what]
        return _either(value, me, mine, others)
    tell = _NEWS.get(what)
    return tell(value, me) if tell else None


def _either(told: Facts, me: int | None, mine: str, others: str, **more: Any) -> Sentence:
    """The text to oneself or to others about what a seat did, with its card if it has one."""
    if "card" in told:
        more["card"] = Piece("card", told["card"])
    return Sentence(mine if me == told["seat"] else others, seat=Seat(told["seat"]), **more)


_TOLD = {
    "out": (_("You have no cards left and are out."), _("{seat} has no cards left and is out.")),
    "dropped": (
        _("You have no card to play on with and drop out of the tie."),
        _("{seat} has no card to play on with and drops out of the tie."),
    ),
    "offered": (_("You offer the quicker ending."), _("{seat} offers the quicker ending.")),
    "accepted": (
        _("You accept: no catapults any more, two piggies end the match."),
        _("{seat} accepts: no catapults any more, two piggies end the match."),
    ),
    "declined": (_("You decline the quicker ending."), _("{seat} declines the quicker ending.")),
    "stopped": (_("You build no more."), _("{seat} builds no more.")),
    "taken": (
        _("Your pack is empty: you play {card} off your construction."),
        _("The pack of {seat} is empty: {card} comes off the construction."),
    ),
}
"""For kinds that need nothing else: the sentence to oneself and the one to others."""


def _dealt(value: Facts, me: int | None) -> Sentence:
    caller, pot = value["caller"], Pieces("card", tuple(value["pot"]))
    if pot.values:
        text = (
            _("{each} cards each; {pot} lies in the middle for the first winner. You begin.")
            if me == caller
            else _("{each} cards each; {pot} lies in the middle for the first winner. {seat} begins.")
        )
    else:
        text = _("{each} cards each. You begin.") if me == caller else _("{each} cards each. {seat} begins.")
    return Sentence(text, each=value["each"], pot=pot, seat=Seat(caller))


def _called(value: Facts, me: int | None) -> Sentence:
    return _either(value, me, *phrases.CALLS[value["named"]])


def _quicker(value: Facts, me: int | None) -> Sentence:
    return Sentence(_("Two players are left and the table is empty: from now on two piggies end the match."))


def _drew(value: Facts, me: int | None) -> Sentence:
    if "card" not in value:
        return Sentence(_("{seat} has chosen a part to play."), seat=Seat(value["seat"]))
    return _either(value, me, _("You choose {card} to play."), _("{seat} chooses {card} to play."))


def _shown(value: Facts, me: int | None) -> Sentence:
    lines = [
        Sentence(
            _("you {value} with {card}") if me == seat else _("{seat} {value} with {card}"),
            seat=Seat(seat),
            value=value["values"][seat],
            card=Piece("card", card),
        )
        for seat, card in enumerate(value["cards"])
        if card is not None
    ]
    return Sentence(phrases.HEADS[value["named"]], values=lines)


def _seats(numbers: Sequence[int], me: int | None) -> list[Seat]:
    """The seats other than ``me``."""
    return [Seat(number) for number in numbers if number != me]


def _tied(value: Facts, me: int | None) -> Sentence:
    if me in value["seats"]:
        text = _("A tie at {value} between you and {seats}: your next cards decide.")
    else:
        text = _("A tie at {value} between {seats}: their next cards decide.")
    return Sentence(text, value=value["value"], seats=_seats(value["seats"], me))


def _undecided(value: Facts, me: int | None) -> Sentence:
    if "next" not in value:
        return Sentence(_("The tie cannot be broken: the cards stay in the middle."))
    if me == value["next"]:
        text = _("The tie cannot be broken: {cards} wait for the next winner. You lead.")
    else:
        text = _("The tie cannot be broken: {cards} wait for the next winner. {seat} leads.")
    return Sentence(text, cards=Pieces("card", tuple(value["pot"])), seat=Seat(value["next"]))


def _won(value: Facts, me: int | None) -> Sentence:
    count = len(value["cards"])
    if me == value["seat"]:
        return Sentence("You win {count} card.", "You win {count} cards.", count)
    return Sentence("{seat} wins {count} card.", "{seat} wins {count} cards.", count, seat=Seat(value["seat"]))


def _placed(value: Facts, me: int | None) -> Sentence:
    texts = phrases.BEGUN[value["material"]] if value["new"] else phrases.PLACED[value["part"]]
    return _either(value, me, *texts)


def _under(value: Facts, me: int | None) -> Sentence:
    count, cards = len(value["cards"]), Pieces("card", tuple(value["cards"]))
    if me == value["seat"]:
        return Sentence("{cards} goes under your pack.", "{cards} go under your pack.", count, cards=cards)
    return Sentence(
        "{cards} goes under the pack of {seat}.",
        "{cards} go under the pack of {seat}.",
        count,
        cards=cards,
        seat=Seat(value["seat"]),
    )


def _catapult(value: Facts, me: int | None) -> Sentence:
    mine = _("Catapult round: your piggy {piggy} has {value}.")
    others = _("Catapult round: the piggy {piggy} of {seat} has {value}.")
    return _either(value, me, mine, others, piggy=Piece("card", value["piggy"]), value=value["value"])


def _beaten(value: Facts, me: int | None) -> Sentence:
    if me == value["seat"]:
        text = _("You beat {piggy} of {builder} and take the piggy and the cards shown.")
    elif me == value["builder"]:
        text = _("{seat} beats your piggy {piggy} and takes it and the cards shown.")
    else:
        text = _("{seat} beats {piggy} of {builder} and takes the piggy and the cards shown.")
    piggy, builder = Piece("card", value["piggy"]), Seat(value["builder"])
    return Sentence(text, seat=Seat(value["seat"]), builder=builder, piggy=piggy)


def _swept(value: Facts, me: int | None) -> Sentence:
    mine = _("Your piggy {piggy} wins: you take every card on the table, all constructions included.")
    others = _("The piggy {piggy} wins: {seat} takes every card on the table, all constructions included.")
    return _either(value, me, mine, others, piggy=Piece("card", value["piggy"]))


def _ended(value: Facts, me: int | None) -> Sentence:
    texts = {
        "last": _("Only one player has cards: the match is over."),
        "limit": _("That was the last round: the match is over."),
        "fast": _("The second piggy is up: the match is over."),
        "dead tie": _("Nobody has a card left: the match is over."),
    }
    return Sentence(texts[value["how"]])


_NEWS: dict[str, Callable[[Facts, int | None], Sentence]] = {
    "dealt": _dealt,
    "called": _called,
    "quicker": _quicker,
    "drew": _drew,
    "shown": _shown,
    "tied": _tied,
    "undecided": _undecided,
    "won": _won,
    "placed": _placed,
    "under": _under,
    "catapult": _catapult,
    "beaten": _beaten,
    "swept": _swept,
    "ended": _ended,
}
