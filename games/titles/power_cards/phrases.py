"""The vocabulary of Power Cards: names of cards, phrases by property, material and part. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.titles.power_cards.deck import CATAPULT, CROSS, DECK, PIGGY, UPRIGHT
from games.wording import mark as _

NAMES = {
    "c01": _("Mossback"),
    "c02": _("Thistlehog"),
    "c03": _("Puddle Newt"),
    "c04": _("Kettle Goat"),
    "c05": _("Drum Hare"),
    "c06": _("Snooze Bear"),
    "c07": _("Gust Fox"),
    "c08": _("Pebble Crab"),
    "c09": _("Lantern Moth"),
    "c10": _("Tumble Weasel"),
    "c11": _("Granite Mole"),
    "c12": _("Jam Badger"),
    "c13": _("Icicle Lynx"),
    "c14": _("Rattle Beetle"),
    "c15": _("Windmill Frog"),
    "c16": _("Clockwork Snail"),
    "c17": _("Barrel Ram"),
    "c18": _("Noodle Otter"),
    "c19": _("Whistling Toad"),
    "c20": _("Cinder Newtling"),
    "c21": _("Boulder Yak"),
    "c22": _("Ribbon Eel"),
    "c23": _("Pinecone Mouse"),
    "c24": _("Copper Turtle"),
    "c25": _("Swamp Moose"),
    "c26": _("Patchwork Cat"),
    "c27": _("Sneeze Dragon"),
    "c28": _("Butter Hedgehog"),
    "c29": _("Trampoline Kid"),
    "c30": _("Umbrella Bat"),
    "c31": _("Cabbage Ox"),
    "c32": _("Marble Armadillo"),
    "c33": _("Kite Squirrel"),
    "c34": _("Bucket Walrus"),
    "c35": _("Tin Wolf"),
    "c36": _("Teapot Ant"),
    "c37": _("Giggle Imp"),
}
"""The cards' names; a new card needs a line here, or no language can name it."""

PROPERTIES = {
    "speed": _("speed"),
    "strength": _("strength"),
    "wits": _("wits"),
    "courage": _("courage"),
    CATAPULT: _("catapult"),
}
HEADS = {
    "speed": _("Speed: {values}."),
    "strength": _("Strength: {values}."),
    "wits": _("Wits: {values}."),
    "courage": _("Courage: {values}."),
    CATAPULT: _("Catapult: {values}."),
}
CALLS = {
    "speed": (_("You name speed."), _("{seat} names speed.")),
    "strength": (_("You name strength."), _("{seat} names strength.")),
    "wits": (_("You name wits."), _("{seat} names wits.")),
    "courage": (_("You name courage."), _("{seat} names courage.")),
}
"""For a property: the sentence to oneself and the one to others; likewise below."""

MATERIALS = {"wood": _("wood"), "stone": _("stone"), "ice": _("ice")}
BEGUN = {
    "wood": (_("You begin a wooden construction with {card}."), _("{seat} begins a wooden construction with {card}.")),
    "stone": (_("You begin a stone construction with {card}."), _("{seat} begins a stone construction with {card}.")),
    "ice": (_("You begin an ice construction with {card}."), _("{seat} begins an ice construction with {card}.")),
}
PLACED = {
    UPRIGHT: (
        _("You put up {card} as the second upright."),
        _("{seat} puts up {card} as the second upright."),
    ),
    CROSS: (
        _("You lay {card} across the top: your construction waits for its piggy."),
        _("{seat} lays {card} across the top: the construction waits for its piggy."),
    ),
    PIGGY: (_("You put the piggy {card} on top."), _("{seat} puts the piggy {card} on top.")),
}
BEGIN = {
    "wood": _("{card} begins a wooden construction"),
    "stone": _("{card} begins a stone construction"),
    "ice": _("{card} begins an ice construction"),
}
ADD = {
    UPRIGHT: _("{card} as the second upright"),
    CROSS: _("{card} across the top"),
    PIGGY: _("{card} on top as the piggy"),
}

BACKS = {
    (UPRIGHT, "wood"): _("{name} (wooden upright)"),
    (UPRIGHT, "stone"): _("{name} (stone upright)"),
    (UPRIGHT, "ice"): _("{name} (ice upright)"),
    (CROSS, "wood"): _("{name} (wooden cross part)"),
    (CROSS, "stone"): _("{name} (stone cross part)"),
    (CROSS, "ice"): _("{name} (ice cross part)"),
    (PIGGY, ""): _("{name} (piggy)"),
}
"""A card with what its back is good for."""

STANDS = {
    ("wood", "one"): _("Your wooden construction needs an upright and its cross part."),
    ("stone", "one"): _("Your stone construction needs an upright and its cross part."),
    ("ice", "one"): _("Your ice construction needs an upright and its cross part."),
    ("wood", "two"): _("Your wooden construction needs its cross part."),
    ("stone", "two"): _("Your stone construction needs its cross part."),
    ("ice", "two"): _("Your ice construction needs its cross part."),
    ("wood", "finished"): _("Your wooden construction is finished and waits for its piggy."),
    ("stone", "finished"): _("Your stone construction is finished and waits for its piggy."),
    ("ice", "finished"): _("Your ice construction is finished and waits for its piggy."),
    ("wood", "piggy"): _("Your wooden construction has its piggy."),
    ("stone", "piggy"): _("Your stone construction has its piggy."),
    ("ice", "piggy"): _("Your ice construction has its piggy."),
}
"""For a material and how far the construction is (see ``progress``)."""

FACE = _("{card}: speed {speed}, strength {strength}, wits {wits}, courage {courage}, catapult {catapult}")


def cards(construction: Mapping[str, Any]) -> list[str]:
    """The cards of a construction of an observation, from the bottom up."""
    return [*construction["uprights"], *(construction[part] for part in ("cross", "piggy") if construction[part])]


def progress(construction: Mapping[str, Any]) -> str:
    """How far a construction is: ``one`` upright, ``two``, ``finished``, with its ``piggy``."""
    if construction["piggy"]:
        return "piggy"
    if construction["cross"]:
        return "finished"
    return "two" if len(construction["uprights"]) > 1 else "one"


def count(seat: Mapping[str, Any]) -> int:
    """All cards of a seat of an observation: pack and constructions."""
    dealt = seat["dealt"] if isinstance(seat["dealt"], int) else len(seat["dealt"])
    built = sum(len(cards(construction)) for construction in seat["constructions"])
    return dealt + sum(map(len, seat["won"])) + built


def own_card(observation: Mapping[str, Any]) -> str | None:
    """The card that the viewer would play now: one drawn, else the top of the pack; None if that is not known."""
    viewer = observation["viewer"]
    if not isinstance(viewer, int):
        return None
    seat = observation["seats"][viewer]
    card = seat["drawn"] or seat["top"]
    return card if card in DECK else None
