"""Line charts: everything is inside, names stay names, and long lines are thinned without losing peaks."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

from hypothesis import given, strategies as st

from games.charts import HEIGHT, MOST, WIDTH, Chart, Point, line, thin, ticks

START = datetime(2026, 1, 1, tzinfo=UTC)

VALUES = st.integers(-2000, 6000).map(float) | st.floats(-2000, 6000)
STEPS = st.lists(st.tuples(st.integers(0, 10_000), VALUES, st.booleans()), min_size=1, max_size=30)


def points(steps: list[tuple[int, float, bool]]) -> list[Point]:
    moment, found = START, []
    for hours, value, sure in steps:
        moment += timedelta(hours=hours)
        found.append(Point(moment, value, sure))
    return found


def paths(chart: Chart, kind: str) -> list[list[tuple[float, float]]]:
    """The points of the paths of a class."""
    drawn = [path.get("d", "") for path in ElementTree.fromstring(chart.svg) if path.get("class") == kind]
    return [
        [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", way)] for way in drawn
    ]  # fmt: skip


@given(STEPS)
def test_the_line_goes_from_left_to_right_within_the_picture(steps):
    chart = line(points(steps), "a name")
    runs = [
        way for path in ElementTree.fromstring(chart.svg) if path.get("class") in ("sure", "unsure") for way in [path]
    ]
    assert len(runs) <= max(len(steps) - 1, 0)
    places = [place for kind in ("sure", "unsure", "now") for way in paths(chart, kind) for place in way]
    assert places
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)
    for kind in ("sure", "unsure"):
        for way in paths(chart, kind):
            assert [x for x, _y in way] == sorted(x for x, _y in way)
    top, middle, bottom = chart.ticks
    assert top - middle == middle - bottom > 0
    assert all(bottom <= value <= top for _hours, value, _sure in steps)


@given(st.lists(VALUES, min_size=1, max_size=1000), st.integers(4, 300))
def test_what_is_left_of_many_points_keeps_the_ends_and_the_peaks(values, most):
    all_points = [Point(START + timedelta(hours=number), value) for number, value in enumerate(values)]
    kept = thin(all_points, most)
    assert len(kept) <= most
    assert (kept[0], kept[-1]) == (all_points[0], all_points[-1])
    assert list(kept) == sorted(kept, key=lambda point: point.at)
    assert set(kept) <= set(all_points)
    assert min(point.value for point in kept) == min(values)
    assert max(point.value for point in kept) == max(values)
    if len(values) <= most:
        assert list(kept) == all_points


def test_a_higher_value_stands_higher_and_what_is_not_sure_is_drawn_apart():
    chart = line(points([(0, 1500, False), (24, 1600, False), (24, 1550, True), (48, 1580, True)]), "Red")
    (unsure,), (sure,) = paths(chart, "unsure"), paths(chart, "sure")
    assert chart.ticks == (1600, 1550, 1500)
    assert unsure == [(4.0, 116.0), (152.0, 4.0)]
    assert sure[0] == unsure[-1]
    assert [y for _x, y in sure] == [4.0, 60.0, 26.4]
    assert sure[-1][0] == WIDTH - 4
    assert (chart.first, chart.last) == (START, START + timedelta(hours=96))


def test_a_long_line_costs_no_more_than_a_short_one():
    long = line([Point(START + timedelta(hours=number), 1500 + number % 97) for number in range(10_000)], "long")
    assert len(long.points) <= MOST
    assert len(long.svg) < 4000


def test_a_name_cannot_leave_its_attribute():
    name = """Red" onload="x" <script>&'"""
    chart = line([Point(START, 1500)], name)
    picture = ElementTree.fromstring(chart.svg)
    assert picture.get("aria-label") == name
    assert picture.get("onload") is None
    assert "<script" not in chart.svg
    assert "style" not in chart.svg


def test_round_values_hold_everything_narrowly():
    assert ticks(1500, 1500) == (1510, 1505, 1500)
    assert ticks(1499.5, 1501) == (1505, 1500, 1495)
    assert ticks(1395, 1605) == (1750, 1500, 1250)
    assert ticks(-4000, 9000) == (24_000, 10_000, -4000)
