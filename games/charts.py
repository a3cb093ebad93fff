"""Line charts as SVG, made here and styled by the site's style sheet. Pure.

The picture holds the line alone and is stretched to its place; what is to be read stands beside it as text (``ticks``,
``first``, ``last``), so that it keeps its size on every screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 600, 120
MARGIN = 4
"""Room for the width of the line at the edges."""

MOST = 200
"""Points of a chart: more would not be told apart."""

STEPS = (5, 10, 25, 50, 100, 250, 500, 1000)
"""Half of the height of a chart in what it shows: the smallest that has room for all is taken."""


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a time; ``sure`` decides how the line that leads to it is drawn."""

    at: datetime
    value: float
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture and what is written beside it: round values from top to bottom at equal distances, and the points."""

    svg: str
    ticks: tuple[int, int, int]
    points: tuple[Point, ...]

    @property
    def first(self) -> datetime:
        """Where the chart begins."""
        return self.points[0].at

    @property
    def last(self) -> datetime:
        """Where the chart ends."""
        return self.points[-1].at


def thin(points: Sequence[Point], most: int = MOST) -> tuple[Point, ...]:
    """At most so many of the points (4 or more), in their order: first and last, and what is lowest and highest."""
    if len(points) <= most:
        return tuple(points)
    inner = range(1, len(points) - 1)
    groups = (most - 2) // 2
    kept = {0, len(points) - 1}
    for number in range(groups):
        group = inner[number * len(inner) // groups : (number + 1) * len(inner) // groups]
        kept.add(min(group, key=lambda index: points[index].value))
        kept.add(max(group, key=lambda index: points[index].value))
    return tuple(points[index] for index in sorted(kept))


def ticks(lowest: float, highest: float) -> tuple[int, int, int]:
    """Round values above, amid and below: the narrowest of them that hold everything between these two."""
    for step in STEPS:
        bottom = int(lowest // step) * step
        if bottom + 2 * step >= highest:
            return bottom + 2 * step, bottom + step, bottom
    step = STEPS[-1] * (1 + int((highest - lowest) // STEPS[-1]))
    bottom = int(lowest // STEPS[-1]) * STEPS[-1]
    return bottom + 2 * step, bottom + step, bottom


def line(points: Sequence[Point], name: str) -> Chart:
    """The chart of points in the order of time, at least one; ``name`` is what a screen reader says of the picture.

    Values that are equal in time stand below one another. A line to a point that is not sure has the class "unsure".
    """
    drawn = thin(points)
    scale = ticks(min(point.value for point in drawn), max(point.value for point in drawn))
    begin, span = drawn[0].at, (drawn[-1].at - drawn[0].at).total_seconds()
    low, high = scale[2], scale[0]

    def place(point: Point) -> str:
        share = (point.at - begin).total_seconds() / span if span else 0.5
        x = MARGIN + share * (WIDTH - 2 * MARGIN)
        y = MARGIN + (high - point.value) / (high - low) * (HEIGHT - 2 * MARGIN)
        return f"{x:.1f} {y:.1f}"

    parts = [
        f'<path class="grid" d="M0 {y:.1f}H{WIDTH}"/>' for y in (MARGIN, HEIGHT / 2, HEIGHT - MARGIN)
    ]  # fmt: skip
    for sure, run in _runs(drawn):
        way = "L".join(place(point) for point in run)
        parts.append(f'<path class="{"sure" if sure else "unsure"}" d="M{way}"/>')
    parts.append(f'<path class="now" d="M{place(drawn[-1])}h0"/>')
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" aria-label="{escape(name)}">'
        f"{''.join(parts)}</svg>"
    )
    return Chart(svg, scale, drawn)


def _runs(points: Sequence[Point]) -> list[tuple[bool, list[Point]]]:
    """The line in pieces that are drawn alike, each beginning where the one before ends."""
    runs: list[tuple[bool, list[Point]]] = []
    for before, point in pairwise(points):
        if runs and runs[-1][0] == point.sure:
            runs[-1][1].append(point)
        else:
            runs.append((point.sure, [before, point]))
    return runs
