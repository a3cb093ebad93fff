"""What stands before each seat: the pack as a number, the constructions as buildings, and where one may build. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.power_cards import phrases
from games.titles.power_cards.deck import CROSS, DECK, PIGGY, UPRIGHT
from games.titles.power_cards.faces import look
from games.wording import Piece, Sentence, mark as _

Facts = Mapping[str, Any]

SLOTS = ("left", "right", "cross", "piggy")
"""The places of a construction, in the order of building."""

NEW = "new"
"""Stands in a step for a construction that is not begun yet."""


def yards(observation: Facts, me: int | None, legal: Sequence[str], picked: str) -> list[dict[str, Any]]:
    """The yards, the viewer's own first. ``picked`` is a won card that looks for its place."""
    count = len(observation["seats"])
    first = me or 0
    offers = [_offer(step) for step in legal if step.startswith("build ")]
    return [
        _yard(observation, (first + step) % count, me, offers if (first + step) % count == me else [], picked)
        for step in range(count)
    ]


def _offer(step: str) -> tuple[str, str, str]:
    """A step of building: itself, the card, and the construction's number or ``new``."""
    card, _arrow, where = step.removeprefix("build ").partition(">")
    return step, card, where


def _yard(
    observation: Facts, number: int, me: int | None, offers: list[tuple[str, str, str]], picked: str
) -> dict[str, Any]:
    seat = observation["seats"][number]
    unseen = seat["dealt"]
    built = [
        _construction(str(place), one, [offer for offer in offers if offer[2] == str(place)], picked)
        for place, one in enumerate(seat["constructions"])
    ]
    begin = [offer for offer in offers if offer[2] == NEW]
    if begin:
        empty: dict[str, Any] = {"material": _material(begin, picked), "uprights": [], "cross": None, "piggy": None}
        built.append(_construction(NEW, empty, begin, picked))
    pack = (unseen if isinstance(unseen, int) else len(unseen)) + sum(map(len, seat["won"]))
    return {
        "seat": number,
        "mine": number == me,
        "active": number == observation["active"],
        "leads": number == observation["caller"] and observation["phase"] != "over",
        "out": seat["out"],
        "drawn": bool(seat["drawn"]),
        "pack": pack,
        "count": phrases.count(seat),
        "unseen": unseen if isinstance(unseen, int) else 0,
        "order": unseen if isinstance(unseen, list) else [],
        "won": seat["won"],
        "built": built,
    }


def _material(offers: list[tuple[str, str, str]], picked: str) -> str:
    """What a new construction would be made of; "" as long as that is open."""
    found = {_part(card)[1] for _step, card, _where in offers if picked in ("", card)}
    return found.pop() if len(found) == 1 else ""


def _part(card: str) -> tuple[str, str]:
    """What the back of a card is: part and material."""
    return DECK[card].part, DECK[card].material


def _construction(
    where: str, built: Mapping[str, Any], offers: list[tuple[str, str, str]], picked: str
) -> dict[str, Any]:
    uprights = built["uprights"]
    standing = {"cross": built["cross"], "piggy": built["piggy"]}
    standing |= dict(zip(("left", "right"), uprights, strict=False))
    chosen = [offer for offer in offers if picked in ("", offer[1])]
    places = []
    for slot in SLOTS:
        card = standing.get(slot)
        here = [] if card else [offer for offer in chosen if _slot(offer[1], len(uprights)) == slot]
        places.append(
            {
                "slot": slot,
                "card": card,
                "look": look(DECK, card) if card else "",
                "id": f"place-{where}-{slot}",
                "step": here[0][0] if len(here) == 1 else "",
                "drop": here[0][1] if len(here) == 1 else "",
                "label": Sentence(_("Build {card} here"), card=Piece("card", here[0][1])) if len(here) == 1 else None,
                "open": len(here) > 1,
            }
        )
    return {
        "new": where == NEW,
        "material": built["material"],
        "finished": built["cross"] is not None,
        "missing": None if where == NEW else Sentence(_MISSING[phrases.progress(built)]),
        "places": places,
    }


def _slot(card: str, uprights: int) -> str:
    """Where a card would go in a construction with so many uprights."""
    part = _part(card)[0]
    return ("left", "right")[min(uprights, 1)] if part == UPRIGHT else {CROSS: "cross", PIGGY: "piggy"}[part]


_MISSING = {
    "one": _("needs an upright and the cross part"),
    "two": _("needs its cross part"),
    "finished": _("waits for a piggy"),
    "piggy": _("with its piggy"),
}
