"""The words of Sticks."""

from games.refusals import shared
from games.wording import Seat, Sentence, mark as _

NAME = "Sticks"
TAGLINE = _("Take one, two or three; not the last.")


def news(value, me):
    mine = value["seat"] == me
    text = _("You take {number}.") if mine else _("{seat} takes {number}.")
    return Sentence(text, seat=Seat(value["seat"]), number=value["number"])


def refusal(reason, facts, observation):
    return shared(reason)


def step(text, observation):
    return Sentence("{text}", text=text)


def ask(observation, legal):
    return Sentence(_("Take sticks.")) if legal else Sentence(_("Wait."))


def result(observation, places, reason, me):
    return Sentence(_("{seat} took the last stick."), seat=Seat(observation["active"]))


def piece(kind, value):
    return Sentence("{value}", value=value)
