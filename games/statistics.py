"""What the finished matches of a game add up to: lengths, endings, who begins, and what the server drew."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import erfc, sqrt
from typing import Any

from games.models import Match, Move
from games.titles import Draw, Title

Facts = dict[str, Any]
"""As it is stored: counts by text, in dictionaries by what is counted."""

Row = tuple[str, int | None, list[dict[str, Any]]]
"""Kind, seat and news of a row of a log."""

ENOUGH = 5
"""From so many expected cases of each kind on a test for evenness means anything."""

ODD = 0.001
"""Draws that chance makes as uneven as this, or more, in one case of a thousand only are called odd."""


def add(facts: Facts, match: Match, rows: Iterable[Row]) -> None:
    """Adds a finished match, with its seats fetched, and its log to the facts of its game."""
    seats = list(match.seats.all())
    facts["matches"] = facts.get("matches", 0) + 1
    _count(facts, "moves", str(max(match.version - 1, 0)))
    if match.started_at is not None and match.finished_at is not None:
        days = (match.finished_at - match.started_at) / timedelta(days=1)
        _count(facts, "days", f"{days:.1f}" if days < 10 else f"{days:.0f}")
    _count(facts, "endings", match.end_reason)
    _count(facts, "variants", json.dumps(match.options, sort_keys=True))
    _count(facts, f"joined:{len(seats)}", str(next(seat.number for seat in seats if seat.joined == 0)))
    begins = None
    for kind, mover, news in rows:
        if begins is None and kind == Move.Kind.PLAY:
            begins = mover
        for name, draw in match.title.draws.items():
            for value in filter(None, map(draw.of, news)):
                _count(facts, f"drawn:{name}", value)
    winners = [seat.number for seat in seats if seat.place == 1]
    if begins is not None and winners:
        _count(facts, "begun", str(len(seats)))
        _count(facts, "won", str(len(seats)), (begins in winners) / len(winners))


def _count(facts: Facts, what: str, value: str, number: float = 1) -> None:
    counts = facts.setdefault(what, {})
    counts[value] = counts.get(value, 0) + number


def middle(counts: Mapping[str, int]) -> float | None:
    """The median of numbers of which each was met so often."""
    left = sum(counts.values()) / 2
    for number, times in sorted((float(text), times) for text, times in counts.items()):
        left -= times
        if left <= 0:
            return number
    return None


@dataclass(frozen=True)
class Drawn:
    """How often each value came, and whether that is as even as chance makes it: None for too few to say."""

    label: str
    kind: str
    counts: list[tuple[str, int]]

    @property
    def total(self) -> int:
        """How often anything came."""
        return sum(count for _value, count in self.counts)

    @property
    def most(self) -> int:
        """How often the most frequent value came."""
        return max(count for _value, count in self.counts)

    @property
    def chance(self) -> float | None:
        """How probable it is that even draws are as uneven as these or more: the test of chi-square."""
        fair, degrees = self.total / len(self.counts), len(self.counts) - 1
        if fair < ENOUGH or not degrees:
            return None
        square = sum((count - fair) ** 2 / fair for _value, count in self.counts)
        # Wilson and Hilferty: the cube root of chi-square over its degrees is nearly normal.
        spread = 2 / (9 * degrees)
        return erfc(((square / degrees) ** (1 / 3) - (1 - spread)) / sqrt(spread) / sqrt(2)) / 2

    @property
    def percent(self) -> float:
        """``chance`` in per cent, as it is told."""
        return 100 * (self.chance or 0.0)

    @property
    def odd(self) -> bool:
        """Whether the draws are too uneven to be believed."""
        return self.chance is not None and self.chance < ODD


def drawn(title: Title, facts: Facts) -> list[Drawn]:
    """What the server has drawn in the title's own way, with values that never came."""
    found: dict[str, Draw] = dict(title.draws)
    return [
        Drawn(draw.label, draw.kind, [(value, facts.get(f"drawn:{name}", {}).get(value, 0)) for value in draw.values])
        for name, draw in found.items()
    ]


def places(facts: Facts) -> list[tuple[int, Drawn]]:
    """At which seat whoever sat down first was put, by the number of seats."""
    found = []
    for seats in sorted(int(name.removeprefix("joined:")) for name in facts if name.startswith("joined:")):
        counts = facts[f"joined:{seats}"]
        found.append((seats, Drawn("", "", [(str(seat + 1), counts.get(str(seat), 0)) for seat in range(seats)])))
    return found


def starters(facts: Facts) -> list[tuple[int, int, float, float]]:
    """By number of seats: matches, the share that whoever moved first has won, and the fair share, in per cent."""
    begun, won = facts.get("begun", {}), facts.get("won", {})
    numbers = sorted(map(int, begun))
    return [(seats, begun[str(seats)], 100 * won[str(seats)] / begun[str(seats)], 100 / seats) for seats in numbers]
