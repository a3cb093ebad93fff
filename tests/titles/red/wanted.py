"""The golden records of Red: one for each ending, and one for each way out of a round."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

Record = dict[str, Any]
BASIC = {"game": "basic", "icons": False}
ADVANCED = {"game": "advanced", "icons": False}
ICONS = {"game": "basic", "icons": True}
ALL = {"game": "advanced", "icons": True}


def _ends(reason: str, *also: str) -> Callable[[Record], bool]:
    """A match that ends so and tells all these kinds of news."""

    def wants(record: Record) -> bool:
        told = {value["what"] for row in record["rows"] for value in row["news"]}
        return record["outcome"]["reason"] == reason and told.issuperset(also)

    return wants


def _shared(record: Record) -> bool:
    return record["outcome"]["reason"] == "cards" and record["outcome"]["places"].count(1) > 1


def _known(record: Record) -> bool:
    """A card that everybody knew is drawn, and a 3 that drew did not help."""
    news = [value for row in record["rows"] for value in row["news"]]
    drawn = any(value["what"] == "drew" and "to" not in value for value in news)
    rows = record["rows"]
    gave_up = any(
        row["text"] == "PASS" and "drew" in str(before["news"]) and before["seat"] == row["seat"]
        for before, row in pairwise(rows)
    )
    return drawn and gave_up


WANTED: dict[str, tuple[dict[str, Any], int, Callable[[Record], bool]]] = {
    "round-2-passed": (BASIC, 2, _ends("round", "passed")),
    "round-2-emptied": (BASIC, 2, _ends("round", "emptied")),
    "round-3": (BASIC, 3, _ends("round", "passed", "emptied")),
    "round-4": (BASIC, 4, _ends("round", "passed")),
    "icons-4": (ICONS, 4, _ends("round", "took", "shifted", "drew")),
    "target-2": (ADVANCED, 2, _ends("target", "passed", "emptied", "drew")),
    "target-3-icons": (ALL, 3, _known),
    "cards-4": (ADVANCED, 4, _ends("cards")),
    "cards-4-shared": (ADVANCED, 4, _shared),
}
