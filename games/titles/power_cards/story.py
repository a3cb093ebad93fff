"""The last rounds, to be shown on the table: from the news that the viewer may know, step by step. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.power_cards import telling
from games.titles.power_cards.faces import face, look
from games.wording import Sentence

Facts = Mapping[str, Any]

MOST = 5
"""Rounds that are shown, the last one included."""

ICONS = {"placed": "part", "under": "pack", "out": "out", "dropped": "out", "taken": "part"}
"""For what goes somewhere: the picture beside its sentence."""


def rounds(game: Any, recent: Sequence[Facts], me: int | None) -> list[dict[str, Any]]:
    """The rounds in ``recent``, the last one first: all since the viewer's own last call, which is there too.

    A round has its ``head`` (who named what), and ``steps``: ``cards`` that
    were shown side by side, a ``catapult``, or a sentence to ``say``. Of the
    older ones only the values that were compared are told. What came before
    the first call of all, or is cut off, is no round.
    """
    calls = [place for place, value in enumerate(recent) if value["what"] == "called"]
    ends = [*calls, len(recent)][1:]
    parts = [recent[start:end] for start, end in zip(calls, ends, strict=True)]
    own = [number for number, part in enumerate(parts) if me is not None and part[0]["seat"] == me]
    first = max(own[-1] if own else 0, len(parts) - MOST)
    told = [_round(game, part, me) for part in parts[first:]][::-1]
    for step in (step for older in told[1:] for step in older["steps"] if step["kind"] == "cards"):
        for item in step["cards"]:
            item["rows"] = [row for row in item["rows"] if row["lit"]]
    return told


def mark_moving(told: Mapping[str, Any], elsewhere: set[str]) -> None:
    """Marks the cards of a round that are to be seen nowhere else, each once: they may move there and on from there."""
    known = set(elsewhere)
    for step in told["steps"]:
        for items in step.get("shots", [step.get("cards", [])]):
            for item in items:
                item["moves"] = item["card"] not in known
                known.add(item["card"])


def before_all(recent: Sequence[Facts], me: int | None) -> Sentence | None:
    """What the deal gave, as long as no round was called."""
    kinds = [value["what"] for value in recent]
    if "dealt" not in kinds or "called" in kinds:
        return None
    return telling.news(recent[kinds.index("dealt")], me)


def _round(game: Any, news: Sequence[Facts], me: int | None) -> dict[str, Any]:
    call = news[0]
    steps: list[dict[str, Any]] = []
    catapult: dict[str, Any] | None = None
    for place, value in enumerate(news[1:], 1):
        if value["what"] == "shown":
            shown = _shown(game, value, news[place + 1 :])
            if catapult is None:
                steps.append({"kind": "cards", "named": value["named"], "cards": shown})
            else:
                catapult["shots"].append(shown)
        elif value["what"] == "catapult":
            catapult = _catapult(value, me)
            steps.append(catapult)
        elif catapult is not None and value["what"] in ("beaten", "swept"):
            catapult |= _fate(game, value, catapult, me)
            catapult = None
        elif value["what"] == "ended" or (sentence := telling.news(value, me)) is None:
            continue
        else:
            icon = ICONS.get(value["what"], "")
            card = value.get("card", "")
            seen = {"card": card, "look": look(game.deck, card) if card else ""}
            steps.append({"kind": "say", "icon": icon, "sentence": sentence, **seen})
    return {
        "caller": call["seat"],
        "named": call["named"],
        "head": telling.news(call, me),
        "winner": next((value["seat"] for value in news if value["what"] == "won"), None),
        "decided": any(value["what"] in ("won", "undecided") for value in news),
        "steps": steps,
    }


def _shown(game: Any, value: Facts, after: Sequence[Facts]) -> list[dict[str, Any]]:
    """The cards that were compared, each with its seat, and which of them won or tied."""
    named, best = value["named"], max(number for number in value["values"] if number is not None)
    tied: Sequence[int] = next((news["seats"] for news in after[:1] if news["what"] == "tied"), [])
    saved = bool(after) and after[0]["what"] == "swept"  # a piggy was higher than all of them
    return [
        face(game, card, named) | {"seat": seat, "won": won and not tied and not saved, "tied": seat in tied}
        for seat, card in enumerate(value["cards"])
        if card is not None
        for won in [value["values"][seat] == best]
    ]


def _catapult(value: Facts, me: int | None) -> dict[str, Any]:
    return {
        "kind": "catapult",
        "builder": value["seat"],
        "piggy": value["piggy"],
        "value": value["value"],
        "sentence": telling.news(value, me),
        "shots": [],
        "fate": "",
    }


def _fate(game: Any, value: Facts, catapult: Facts, me: int | None) -> dict[str, Any]:
    """How a catapult ended: ``fate`` is the kind of news, ``fallen`` the parts that a piggy knocked down."""
    shot = {item["card"] for shots in catapult["shots"] for item in shots}
    fell = [card for card in value["cards"] if card not in shot] if value["what"] == "swept" else []
    fallen = [{"card": card, "look": look(game.deck, card)} for card in fell]
    return {"fate": value["what"], "winner": value["seat"], "result": telling.news(value, me), "fallen": fallen}
