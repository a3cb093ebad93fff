"""What the template of Red's table needs, from one viewer's observation and the legal steps. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.red import phrases
from games.titles.red.leading import COLOURS, leader, winning_set
from games.titles.red.state import TARGETS
from games.wording import Piece, Seat, Sentence, mark as _

END = "END"
ORDERED = True
"""The hand lies in the order that its player likes."""


def table(
    game: Any,
    observation: Mapping[str, Any],
    legal: Sequence[str],
    *,
    me: int | None,
    picked: str,
    my_turn: bool,
    asking: bool,
    over: bool,
    order: str = "",
) -> dict[str, Any]:
    """The table as seat ``me`` sees it (None: nobody's seat), with its plan already carried out in ``observation``.

    ``picked`` is the card that the player has picked up, ``my_turn`` says
    that a turn of ``me`` is being planned, ``asking`` that it is not complete,
    ``over`` that the match is; ``order`` "number" sorts the hand by number
    before colour. Steps are offered only while asking; ``end``
    is the step that ends a turn.
    """
    rule, seats = observation["rule"], observation["seats"]
    rows = phrases.palettes(observation)
    ahead = leader(rule, rows)
    phase = observation["phase"] if asking else ""
    takes = _takes(observation, legal) if phase == "take" else {}
    shown = [_seat(observation, number, ahead, takes) for number in range(len(seats))]
    around = [(0 if me is None else me + 1) + step for step in range(len(seats))]
    opponents = [shown[number % len(seats)] for number in around if number % len(seats) != me]
    own = None if me is None else shown[me]
    picked = picked if own and picked in _pickable(own, phase) else ""
    tone, consequence = "", None
    if my_turn and me is not None:
        tone, consequence = _consequence(observation, rows, me, picked, asking)
    deck = observation["deck"]
    targets = _targets(observation, rows, me, picked, phase, legal)
    return {
        "round": observation["round"],
        "advanced": observation["options"]["game"] == "advanced",
        "phase": phase,
        "end": END,
        "over": over,
        "rule": rule,
        "aim": Sentence(phrases.AIMS[rule]),
        "opponents": opponents,
        "own": own,
        "hand": [_in_hand(card, phase, picked, legal) for card in _hand(own, order)],
        "picked": picked,
        "movable": [step.split(":")[2] for step in legal if step.startswith("S:")],
        "targets": targets,
        "zones": {target["zone"]: target["step"] for target in targets},
        "steps": [{"step": "PASS", "label": _PASS}] if "PASS" in legal else [],
        "canvas": observation["canvas"][:-2:-1],
        "history": observation["canvas"][-2::-1],
        "deck": {"count": len(deck) if isinstance(deck, list) else deck, "known": observation["known_top"]},
        "tone": tone,
        "consequence": consequence,
        "then": _draw(observation, me) if my_turn else [],
        "race": _race(observation) if observation["options"]["game"] == "advanced" else None,
        "helper": [_rule(colour, rows, rule, me) for colour in COLOURS],
    }


_PASS = Sentence(_("Give up the round"))


def _seat(observation: Mapping[str, Any], number: int, ahead: int | None, takes: Mapping[str, Any]) -> dict[str, Any]:
    seat, rule = observation["seats"][number], observation["rule"]
    best = () if seat["out"] else winning_set(rule, seat["palette"])
    hand = seat["hand"]
    return {
        "seat": number,
        "active": number == observation["active"],
        "leading": number == ahead,
        "out": seat["out"],
        "palette": [
            {"card": card, "in_set": card in best, "offer": takes.get(card) if not seat["out"] else None}
            for card in seat["palette"]
        ],
        "standing": None if seat["out"] else phrases.briefly(rule, best),
        "hand": len(hand) if isinstance(hand, list) else hand,
        "cards": hand if isinstance(hand, list) else None,
        "known": seat["known"],
    }


def _cards(own: Mapping[str, Any] | None) -> list[str]:
    return (own["cards"] or []) if own else []


def _hand(own: Mapping[str, Any] | None, order: str) -> list[str]:
    """The own cards as they lie in the hand, by colour or by number."""
    cards = _cards(own)
    return sorted(cards, key=lambda card: (card[1], COLOURS.index(card[0]))) if order == "number" else cards


def _pickable(own: Mapping[str, Any], phase: str) -> list[str]:
    """The cards that may be picked up: of the hand, or of the own palette for a 7."""
    if phase == "shift":
        return [item["card"] for item in own["palette"]]
    return _cards(own) if phase in ("turn", "palette", "finish", "drawn") else []


def _in_hand(card: str, phase: str, picked: str, legal: Sequence[str]) -> dict[str, Any]:
    return {
        "card": card,
        "pick": phase in ("turn", "palette", "finish", "drawn"),
        "picked": card == picked,
        "can_lead": any(step in legal for step in (f"P:{card}", f"C:{card}")),
    }


def _takes(observation: Mapping[str, Any], legal: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For a 1: the cards on the table that it may take, each with its step and whether that can still lead."""
    seats, mover = observation["seats"], observation["active"]
    offers = {}
    for number, seat in enumerate(seats):
        if number != mover and not seat["out"] and len(seat["palette"]) >= len(seats[mover]["palette"]):
            for card in seat["palette"]:
                step = f"T:{chr(ord('A') + number)}:{card}"
                label = Sentence(_("{card} of {owner} onto the deck"), card=Piece("card", card), owner=Seat(number))
                offers[card] = {"step": step, "label": label, "good": step in legal}
    return offers


def _targets(
    observation: Mapping[str, Any],
    rows: Sequence[Sequence[str] | None],
    me: int | None,
    picked: str,
    phase: str,
    legal: Sequence[str],
) -> list[dict[str, Any]]:
    """Where the picked card may go: zone, step, label, whether the turn can still end in the lead, what it would do."""
    if not picked or me is None:
        return []
    row = list(rows[me] or ())
    rule, card = observation["rule"], Piece("card", picked)
    found: list[tuple[str, str, str, str, list[str]]] = []
    if phase in ("turn", "palette"):
        found.append(("palette", f"P:{picked}", _("{card} to your palette"), rule, [*row, picked]))
    if phase in ("turn", "finish", "drawn"):
        found.append(("canvas", f"C:{picked}", _("{card} to the canvas"), picked[0], row))
    if phase == "shift":
        rest = [other for other in row if other != picked]
        found.append(("canvas", f"S:canvas:{picked}", _("{card} to the canvas"), picked[0], rest))
        found.append(("deck", f"S:deck:{picked}", _("{card} onto the deck"), rule, rest))
    targets = []
    for zone, step, text, then, palette in found:
        changed = [*rows[:me], palette, *rows[me + 1 :]]
        leads, why = phrases.compare(then, changed, me)
        acts = observation["options"]["icons"] and step[0] == "P" and picked[1] in "1357"
        note = _note(step, step in legal, leads and not acts, acts, why)
        label, good = Sentence(text, card=card), step in legal
        targets.append({"zone": zone, "step": step, "label": label, "good": good, "note": note})
    return targets


def _note(step: str, good: bool, leads: bool, acts: bool, why: Sentence) -> Sentence:
    """What a step would do; the lead of a card whose icon still acts is not told, the action may change it."""
    if good and leads:
        return Sentence(_("leads: {why}"), why=why)
    if good and acts:
        return Sentence(_("its icon acts; you can still end in the lead"))
    if good:
        return Sentence(_("does not lead yet, but can"))
    if step[0] == "C":
        return Sentence(_("does not lead: {why}"), why=why)
    return Sentence(_("does not lead, whatever follows"))


def _consequence(
    observation: Mapping[str, Any], rows: Sequence[Sequence[str] | None], me: int, picked: str, asking: bool
) -> tuple[str, Sentence | None]:
    """What confirming would mean now, with its tone: good, bad, warn; plain for what is only owed."""
    phase, rule = observation["phase"], observation["rule"]
    if observation["seats"][me]["out"]:
        return "warn", _gives_up(observation, rows)
    if phase == "draw":
        return "warn", Sentence(
            _("Confirming draws a card. That cannot be taken back: if you then cannot lead, you are out of the round.")
        )
    if phase in ("finish", "drawn", "turned") or not asking:
        leads, why = phrases.compare(rule, rows, me)
        if leads:
            return "good", Sentence(_("You would lead: {why}."), why=why)
        return "bad", Sentence(_("You do not lead yet: {why}."), why=why)
    return "plain", Sentence(_("Choose where {card} goes."), card=Piece("card", picked)) if picked else _OWED.get(phase)


_OWED = {
    "turn": Sentence(_("Choose a card for palette or canvas, or one for each.")),
    "palette": Sentence(_("Choose the card that follows the 5 to your palette.")),
    "take": Sentence(_("Choose a marked card of a rival. It goes onto the deck, for all to see.")),
    "shift": Sentence(_("Choose a card of your palette to move. The 7 itself may go too.")),
}


def _gives_up(observation: Mapping[str, Any], rows: Sequence[Sequence[str] | None]) -> Sentence:
    living = [number for number, row in enumerate(rows) if row is not None]
    if len(living) > 1:
        return Sentence(_("You give up the round and are out until it ends. The rule stays as it is."))
    winner = Seat(living[0])
    if observation["options"]["game"] == "basic":
        return Sentence(_("You give up the round, and {seat} wins the match."), seat=winner)
    points = sum(int(card[1]) for card in winning_set(observation["rule"], rows[living[0]] or ()))
    return Sentence(
        "You give up the round: {seat} wins it and scores {count} point.",
        "You give up the round: {seat} wins it and scores {count} points.",
        points,
        seat=winner,
    )


def _draw(observation: Mapping[str, Any], me: int | None) -> list[Sentence]:
    """What follows the turn once it is confirmed: the draw that a high discard earns."""
    if not observation["bonus"] or me is None:
        return []
    drawn = Sentence(
        "Then you draw a card: {card} is higher than your {count} palette card.",
        "Then you draw a card: {card} is higher than your {count} palette cards.",
        len(observation["seats"][me]["palette"]),
        card=Piece("card", observation["canvas"][-1]),
    )
    return [drawn]


def _race(observation: Mapping[str, Any]) -> dict[str, Any]:
    """The points of an advanced match, best first, and how many win it."""
    seats = observation["seats"]
    target = TARGETS[len(seats)]
    rows = [{"seat": n, "score": seat["score"], "bar": min(seat["score"], target)} for n, seat in enumerate(seats)]
    return {"target": target, "rows": sorted(rows, key=lambda row: -row["score"])}


def _rule(colour: str, rows: Sequence[Sequence[str] | None], rule: str, me: int | None) -> dict[str, Any]:
    """A line of the card of the seven rules: who leads under it now."""
    ahead = leader(colour, rows)
    return {
        "colour": colour,
        "aim": Sentence(phrases.AIMS[colour]),
        "current": colour == rule,
        "leader": ahead,
        "mine": ahead is not None and ahead == me,
    }
