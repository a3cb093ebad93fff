"""What the template of Power Cards' table needs, from one viewer's observation, the legal steps and the news. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.power_cards import outlook, words
from games.titles.power_cards.deck import CATAPULT, CROSS, PIGGY, in_order
from games.titles.power_cards.faces import face
from games.titles.power_cards.phrases import cards
from games.titles.power_cards.story import before_all, mark_moving, rounds
from games.titles.power_cards.yards import yards
from games.wording import Sentence, mark as _

Facts = Mapping[str, Any]

RECENT = True
"""This table tells the last rounds from their news."""


def table(
    game: Any,
    observation: Facts,
    legal: Sequence[str],
    *,
    me: int | None,
    picked: str,
    my_turn: bool,
    asking: bool,
    over: bool,
    recent: Sequence[Facts],
) -> dict[str, Any]:
    """The table as seat ``me`` sees it (None: nobody's seat), with its plan already carried out in ``observation``.

    ``picked`` is a won card that the player has picked up, ``my_turn`` says
    that a turn of ``me`` is being planned, ``asking`` that it is not complete,
    ``over`` that the match is. Steps are offered only while asking.
    ``recent`` are the newest news that this viewer may know, oldest first.
    """
    phase = observation["phase"] if asking else ""
    picked = picked if any(step.startswith(f"build {picked}>") for step in legal) and picked else ""
    building = my_turn and observation["phase"] in ("build", "built")
    own = None if me is None or over else _own(game, observation, legal, me, phase)
    told = rounds(game, recent, me)
    if told:
        lying = {card for seat in observation["seats"] for built in seat["constructions"] for card in cards(built)}
        mark_moving(told[0], lying | {*observation["pot"], own["card"]["card"] if own and own["card"] else ""})
    tone, consequence = "", None
    if my_turn and me is not None:
        tone, consequence = outlook.consequence(game, observation, legal, me=me, picked=picked, asking=asking)
    return {
        "phase": phase,
        "over": over,
        "round": _number(observation, told),
        "last": told[0] if told else None,
        "earlier": told[1:],
        "deal": before_all(recent, me),
        "fast": observation["fast"],
        "own": own,
        "building": building,
        "won": _won(game, observation, legal, picked, me) if building and me is not None else [],
        "middle": [] if building else observation["pot"],
        "yards": yards(observation, me, legal, picked),
        "picked": picked,
        "steps": [_button(step) for step in legal if step in _BUTTONS],
        "tone": tone,
        "consequence": consequence,
    }


def _number(observation: Facts, told: Sequence[Mapping[str, Any]]) -> int:
    """The number of the last round that is told; one that is only planned does not count."""
    planned = observation["phase"] == "reveal" and observation["named"] != CATAPULT and (not told or told[0]["decided"])
    number: int = observation["round"]
    return number - planned


def _own(game: Any, observation: Facts, legal: Sequence[str], me: int, phase: str) -> dict[str, Any]:
    """The own card with the properties that may be called, or the parts of which one is to be drawn."""
    seat = observation["seats"][me]
    card = seat["drawn"] or _top(seat)
    named = observation["named"] if observation["phase"] in ("reveal", "draw") else None
    draws = [step.removeprefix("draw ") for step in legal if step.startswith("draw ")]
    return {
        "card": face(game, card, named, tuple(legal)) if card else None,
        "drawn": bool(seat["drawn"]),
        "out": seat["out"] is not None,
        "draws": [face(game, drawn, named) | {"step": f"draw {drawn}"} for drawn in draws],
        "planned": observation["phase"] == "reveal" and phase == "",
    }


def _top(seat: Mapping[str, Any]) -> str | None:
    """The own top card: given to its owner, and to be seen by all once the match is over and looked at again."""
    if "top" in seat:
        top: str | None = seat["top"]
        return top
    pack = [*seat["dealt"], *(card for layer in seat["won"] for card in layer)]
    return pack[0] if pack else None


def _won(game: Any, observation: Facts, legal: Sequence[str], picked: str, me: int) -> list[dict[str, Any]]:
    """The won cards that are not built, those that fit first; as long as something does, why the others do not."""
    fitting = {step.removeprefix("build ").partition(">")[0] for step in legal if step.startswith("build ")}
    built = observation["seats"][me]["constructions"]
    return [
        {
            "face": face(game, card),
            "fits": card in fitting,
            "picked": card == picked,
            "why": None
            if card in fitting or not fitting
            else words.refusal(_misfit(game, observation, card, built), {}, observation),
        }
        for card in sorted(in_order(game.deck, observation["pot"]), key=lambda card: card not in fitting)
    ]


def _misfit(game: Any, observation: Facts, card: str, built: Sequence[Mapping[str, Any]]) -> str:
    """Why a won card fits nowhere now, as a reason of the rules."""
    part, material = game.deck[card].part, game.deck[card].material
    if part == PIGGY:
        return "piggy_last" if any(one["cross"] and not one["piggy"] for one in built) else "piggy_needs_three"
    same = [one for one in built if one["material"] == material]
    if part == CROSS:
        return "cross_there" if any(one["cross"] for one in same) else "cross_needs_uprights"
    if any(not one["cross"] for one in built):
        return "finish_first"
    return "two_at_most" if observation["fast"] else "one_at_a_time"


_BUTTONS: dict[str, tuple[str, str]] = {
    "offer": (
        _("Offer the quicker ending"),
        _("If the other agrees, there are no catapults any more, and the second piggy of a player ends the match."),
    ),
    "accept": (
        _("Accept the quicker ending"),
        _("No catapults any more. Two piggies of one player end the match, and most cards win it."),
    ),
    "decline": (_("Decline"), _("It goes on as before; the leader names a property.")),
    "stop": (_("Build no more"), _("What is left of the won cards goes under your pack.")),
}


def _button(step: str) -> dict[str, Any]:
    label, note = _BUTTONS[step]
    return {"step": step, "label": Sentence(label), "note": Sentence(note)}
