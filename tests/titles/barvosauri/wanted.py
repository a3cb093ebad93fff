"""The golden records of Barvosauři: one for each ending at each table that can have it, and one for each option that
changes how a match may end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from games.titles.barvosauri.state import Options

Record = dict[str, Any]
SHORT = 170
"""Rows of the longest record that is kept, unless the ending takes longer."""


def _news(record: Record) -> list[list[dict[str, Any]]]:
    return [row["news"] for row in record["rows"]]


def _tells(record: Record, **facts: Any) -> bool:
    """Whether some news have these facts."""
    return any(value | facts == value for news in _news(record) for value in news)


def _ends(how: str, *kinds: str, rows: int = SHORT, winners: int | None = None) -> Callable[[Record], bool]:
    """A match of at most so many rows that ends so, tells all these kinds of news and has so many winners."""

    def wants(record: Record) -> bool:
        told = {value["what"] for news in _news(record) for value in news}
        places = record["outcome"]["places"]
        fits = len(record["rows"]) <= rows and winners in (None, places.count(1))
        return fits and record["outcome"]["reason"] == how and told.issuperset(kinds)

    return wants


def _swapped(record: Record) -> bool:
    """A royal win whose last card came by an exchange."""
    kinds = [value["what"] for value in record["rows"][-1]["news"]]
    return _ends("colours")(record) and "exchanged" in kinds


def _both(record: Record) -> bool:
    """A card is taken and another one exchanged in the same turn."""
    rows = record["rows"]
    pairs = pairwise(rows)
    return _ends("colours")(record) and any(
        "take" in row["text"] and after["text"].startswith("exchange") and row["seat"] == after["seat"]
        for row, after in pairs
    )


def _unpaid(record: Record) -> bool:
    """Two figures are placed on one colour and earn nothing."""
    placed = [value["space"][0] for news in _news(record) for value in news if value["what"] == "placed"]
    pairs = [first == second for first, second in zip(placed[::2], placed[1::2], strict=True)]
    return _ends("four of a colour")(record) and any(pairs)


def _crowded(record: Record) -> bool:
    """A roll is thrown away because every space of the colour is taken."""
    return _ends("colours")(record) and _tells(record, what="rolled", full=True)


def _table(**changes: Any) -> dict[str, Any]:
    return asdict(Options(**changes))


WANTED: dict[str, tuple[dict[str, Any], int, Callable[[Record], bool]]] = {
    "colours-2": (_table(), 2, _ends("colours", "missed", "refreshed", "shown", "stayed")),
    "colours-3-by-exchange": (_table(), 3, _swapped),
    "colours-4": (_table(), 4, _ends("colours", rows=250)),
    "four-2": (_table(), 2, _ends("four of a colour", "exchanged")),
    "four-3-first-turn-unpaid": (_table(first_turn_card=False), 3, _unpaid),
    "four-4": (_table(), 4, _ends("four of a colour", rows=250)),
    "last-card-3": (_table(), 3, _ends("last card", winners=1, rows=500)),
    "last-card-4": (_table(), 4, _ends("last card", winners=1, rows=350)),
    "last-card-4-shared": (_table(), 4, _ends("last card", winners=2, rows=450)),
    "stall-2": (_table(), 2, _ends("stall", winners=1)),
    "stall-2-shared": (_table(stall_rounds=15), 2, _ends("stall", winners=2)),
    "stall-3": (_table(stall_rounds=15), 3, _ends("stall", winners=1, rows=250)),
    "stall-4": (_table(stall_rounds=15), 4, _ends("stall", rows=400)),
    "quick-2": (_table(goal_colors=4), 2, _ends("colours", rows=90)),
    "quick-4": (_table(goal_colors=4), 4, _ends("colours")),
    "both-2": (_table(harvest="both"), 2, _both),
    "tight-3": (_table(board="tight"), 3, _crowded),
}
