"""The golden records of Power Cards: one for each ending at each table, for each option that changes how a match goes
on or ends, and for what happens rarely."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from games.titles.power_cards.state import Options

Record = dict[str, Any]
News = dict[str, Any]
SHORT = 130
"""Rows of the longest record that is kept."""


def _news(record: Record) -> list[News]:
    return [value for row in record["rows"] for value in row["news"]]


def _ends(how: str, *kinds: str, rows: int = SHORT) -> Callable[[Record], bool]:
    """A match of at most so many rows that ends so and tells all these kinds of news."""

    def wants(record: Record) -> bool:
        told = {value["what"] for value in _news(record)}
        return len(record["rows"]) <= rows and record["outcome"]["reason"] == how and told.issuperset(kinds)

    return wants


def _steps(record: Record, *starts: str) -> bool:
    """Whether some row begins with each of these texts."""
    return all(any(row["text"].startswith(start) for row in record["rows"]) for start in starts)


def _drawn(record: Record) -> bool:
    """A caller without a pack draws and calls in one row, and a catapult or a play-off is drawn for."""
    rows = record["rows"]
    return (
        _ends("last", "taken", rows=250)(record)
        and any("draw" in row["text"] and "call" in row["text"] for row in rows)
        and any(row["text"].startswith("draw") and "call" not in row["text"] for row in rows)
    )


def _three(record: Record) -> bool:
    """Three seats tie at once."""
    return any(value["what"] == "tied" and len(value["seats"]) > 2 for value in _news(record))


def _chain(record: Record) -> bool:
    """Two catapults in one row."""
    rows = [[value["what"] for value in row["news"]] for row in record["rows"]]
    return _ends("last")(record) and any(row.count("catapult") > 1 for row in rows)


def _together(record: Record) -> bool:
    """Two seats share the last place."""
    return _ends("last")(record) and record["outcome"]["places"].count(3) == 2


def _free(record: Record) -> bool:
    """Parts are built and held back."""
    return _ends("last", "stopped", "swept", rows=200)(record) and _steps(record, "build", "stop")


def _declined(record: Record) -> bool:
    """The quicker ending is declined once and accepted later."""
    told = [value["what"] for value in _news(record)]
    ends = _ends("fast", "declined", "accepted", rows=200)(record)
    return ends and told.index("declined") < told.index("accepted")


def _table(**changes: Any) -> dict[str, Any]:
    return asdict(Options(**changes))


WANTED: dict[str, tuple[dict[str, Any], int, Callable[[Record], bool]]] = {
    "last-2": (_table(quick="never"), 2, _ends("last", "tied", "swept", "beaten")),
    "last-3": (_table(quick="never"), 3, _ends("last", "tied", "swept", "beaten")),
    "last-4-together": (_table(quick="never"), 4, _together),
    "last-4-three-tied": (_table(quick="never"), 4, lambda record: _ends("last")(record) and _three(record)),
    "last-2-draws": (_table(quick="never"), 2, _drawn),
    "last-2-free": (_table(quick="never", build="may"), 2, _free),
    "last-3-one-at-a-time": (_table(quick="never", max_cons=1), 3, _ends("last", "swept")),
    "last-2-chain": (_table(quick="never", catapult_build=True), 2, _chain),
    "fast-2-agreed": (_table(), 2, _declined),
    "fast-2-auto": (_table(quick="auto"), 2, _ends("fast", "quicker")),
    "fast-3": (_table(quick="auto"), 3, _ends("fast", "quicker")),
    "fast-4": (_table(quick="auto"), 4, _ends("fast", "quicker")),
    "fast-2-one-at-a-time": (_table(quick="auto", max_cons=1), 2, _ends("fast")),
    "limit-2": (_table(max_rounds=40), 2, _ends("limit")),
    "limit-3": (_table(max_rounds=60), 3, _ends("limit", "out")),
    "limit-4": (_table(max_rounds=100), 4, _ends("limit", "out")),
    "limit-2-cap": (_table(quick="never"), 2, _ends("limit", rows=400)),
    "undecided-4": (_table(quick="never"), 4, _ends("last", "undecided", rows=200)),
}
