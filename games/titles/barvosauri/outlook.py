"""What a step would mean in Barvosauři, told before it is confirmed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.barvosauri import pieces, words
from games.titles.barvosauri.harvest import REPLACED
from games.titles.barvosauri.progress import counted
from games.titles.barvosauri.state import ROYAL, royal, without
from games.wording import Seat, Sentence, mark as _

Told = tuple[str, Sentence | None]
"""A tone (good, bad, warn, plain or none) and a sentence."""

WINS = {
    "colours": _("this wins the match: {goal} different colours"),
    "four of a colour": _("this wins the match: all four of {best}"),
}


def arriving(observation: Mapping[str, Any], me: int, start: str | None, space: str) -> Told:
    """What it means if the figure on ``start`` (None: the one to be placed) comes to a space of that colour."""
    figures = observation["seats"][me]["figures"]
    others = [figure for figure in figures if figure is not None and figure != start]
    if None in figures and not others:
        return "", Sentence(_("then the die is rolled for your second figure"))
    if others[0][0] != space[0]:
        return "", Sentence(_("no pair: your other figure stands on {space}"), space=pieces.space(others[0]))
    if start is None and not observation["options"]["first_turn_card"]:
        return "", Sentence(_("both on {colour}; in the first turn that earns nothing"), colour=pieces.colour(space[0]))
    return earning(observation, me, space[0])


def earning(observation: Mapping[str, Any], me: int, pair: str) -> Told:
    """What both figures on a colour would earn, as the cards on show are now."""
    held, display = tuple(observation["seats"][me]["held"]), observation["display"]
    goal, pack = observation["options"]["goal_colors"], _size(observation["deck"])
    swaps = [card for card in display if card not in (None, pair)] if pair in held else []
    places: dict[str, Any] = {"colour": pieces.colour(pair), "card": pieces.card(pair), "goal": goal}
    if pair in display:
        if how := royal((*held, pair), goal):
            return "good", Sentence(_("pairs up on {colour}, and {wins}"), wins=_wins(how, pair, goal), **places)
        text = _("pairs up on {colour}: you take {card} or exchange one") if swaps else _TAKES
        return "good", Sentence(text, **places)
    for card in swaps:
        if how := royal((*without(held, pair), card), goal):
            text = _("pairs up on {colour}: exchange for {other}, and {wins}")
            return "good", Sentence(text, other=pieces.card(card), wins=_wins(how, card, goal), **places)
    if pack:
        count = min(REPLACED, pack)
        return "good", Sentence(
            "pairs up on {colour}: none is on show, you may replace {count} card",
            "pairs up on {colour}: none is on show, you may replace {count} cards",
            count,
            **places,
        )
    if swaps:
        return "good", Sentence(_("pairs up on {colour}: none is on show, you may exchange one"), **places)
    return "", Sentence(
        _("pairs up on {colour}, but there is nothing to earn: no card of it is left to take"), **places
    )


_TAKES = _("pairs up on {colour}: you take {card}")


def taking(observation: Mapping[str, Any], me: int, card: str, given: str | None = None) -> Told:
    """What it means to get a card on show, in exchange for ``given`` if there is one."""
    held, goal = tuple(observation["seats"][me]["held"]), observation["options"]["goal_colors"]
    after = (*(without(held, given) if given else held), card)
    if how := royal(after, goal):
        return "good", _wins(how, card, goal)
    nearer = len(set(after)) > len(set(held)) or _most(after) > _most(held)
    return "good" if nearer or not given else "", Sentence(_("then you have {counted}"), counted=counted(after, goal))


def _most(held: Sequence[str]) -> int:
    """How many cards there are of the colour that a hand has most of."""
    return max((held.count(colour) for colour in held), default=0)


def _wins(how: str, card: str, goal: int) -> Sentence:
    return Sentence(WINS[how], goal=goal, best=pieces.colour(card))


def _size(deck: Any) -> int:
    """How many cards are in the pack, whoever looks."""
    return len(deck) if isinstance(deck, list) else int(deck)


def consequence(observation: Mapping[str, Any], legal: Sequence[str], me: int, picked: str, asking: bool) -> Told:
    """What confirming would mean now, with its tone; while something is asked, what is to be chosen next."""
    phase = observation["phase"]
    if asking:
        return _asked(observation, legal, me, picked)
    if phase == "over":
        return _ends(observation, me)
    own, goal = observation["seats"][me], observation["options"]["goal_colors"]
    have = counted(own["held"], goal)
    if phase == "fill" and not any(observation["display"]) and not _size(observation["deck"]):
        return _counting(observation, me, Sentence(_("{card} is the last one"), card=_pair(observation)))
    if phase == "fill" and observation["took"]:
        return "good", Sentence(_("{card} is yours: then you have {counted}."), card=_pair(observation), counted=have)
    if phase == "fill":
        return "warn", _turning_up(observation)
    if None in own["figures"]:
        text = _("Confirming rolls the die for your second figure. That cannot be taken back.")
        return "warn", Sentence(text)
    first, second = own["figures"]
    if first[0] != second[0]:
        return "plain", Sentence(_("Your figures stand on two colours: no card this turn."))
    text = _("Your turn ends with both figures on {colour} and {counted}.")
    return "plain", Sentence(text, colour=pieces.colour(first[0]), counted=have)


def _pair(observation: Mapping[str, Any]) -> Any:
    return pieces.card(observation["pair"])


def _turning_up(observation: Mapping[str, Any]) -> Sentence:
    return Sentence(
        "Confirming turns up {count} card; if it is {card}, you may take it. That cannot be taken back.",
        "Confirming turns up {count} cards; if one is {card}, you may take it. That cannot be taken back.",
        len(observation["owed"]),
        card=_pair(observation),
    )


def _ends(observation: Mapping[str, Any], me: int) -> Told:
    """The match ends with this turn, by a royal win or because nobody takes a card any more."""
    if observation["how"] in ROYAL:
        cards = pieces.cards(observation["seats"][me]["held"])
        text = _("This wins the match, a royal win: {cards}.")
        return "good", Sentence(text, cards=cards)
    return _counting(observation, me, Sentence(_("nobody has taken a card for long")))


def _counting(observation: Mapping[str, Any], me: int, why: Sentence) -> Told:
    """The match ends without a royal win."""
    held = [len(seat["held"]) for seat in observation["seats"]]
    counts = [Sentence(_("{seat} {count}"), seat=Seat(seat), count=count) for seat, count in enumerate(held)]
    text = _("This ends the match: {why}. The cards are counted: {counts}.")
    return "good" if held[me] == max(held) else "bad", Sentence(text, why=why, counts=counts)


def _asked(observation: Mapping[str, Any], legal: Sequence[str], me: int, picked: str) -> Told:
    """What is to be chosen next: nothing to say at the start of a turn, the page's first sentence does."""
    phase, rolled = observation["phase"], observation["rolled"]
    if phase == "harvest":
        if picked and any(step.startswith(f"refresh {picked} ") for step in legal):
            card = pieces.card(observation["display"][int(picked)])
            return "plain", Sentence(_("Choose a second card: both go under the pack, {card} first."), card=card)
        return "good" if observation["pair"] in observation["display"] else "plain", words.ask(observation, ())
    if phase == "place":
        tone, note = arriving(observation, me, None, rolled)
        return tone or "plain", Sentence(_("On {colour}: {note}."), colour=pieces.colour(rolled), note=note)
    if not picked:
        return "", None
    if picked in observation["seats"][me]["figures"]:
        text = _("Choose a marked {colour} space for your figure on {space}.")
        return "plain", Sentence(text, colour=pieces.colour(rolled), space=pieces.space(picked))
    return "plain", Sentence(_("Choose which of your figures goes to {space}."), space=pieces.space(picked))
