"""When time stands still: windows in the player's zone, across the nights on which clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies as st

from games.rest import BadRest, Rest, after, counted

ZONES = ["UTC", "Europe/Prague", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"]

moments = st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
spans = st.timedeltas(timedelta(), timedelta(days=8))


@st.composite
def rests(draw: st.DrawFn) -> Rest:
    """Any rest that may be set."""
    night = None
    if draw(st.booleans()):
        start, length = draw(st.integers(0, 1439)), draw(st.integers(1, 600))
        night = (start, (start + length) % 1440)
    days = draw(st.frozensets(st.integers(0, 6), max_size=2))
    begin = draw(moments)
    holidays = ((begin, begin + timedelta(days=draw(st.integers(1, 28)))),) if draw(st.booleans()) else ()
    return Rest(draw(st.sampled_from(ZONES)), night, days, holidays)


def plainly(rest: Rest, start: datetime, end: datetime) -> timedelta:
    """The counted time, minute by minute: slow and plain."""
    zone, total, at = ZoneInfo(rest.zone), 0, start
    while at < end:
        local = at.astimezone(zone)
        minute = local.hour * 60 + local.minute
        night = False
        if rest.night is not None:
            begin, until = rest.night
            night = begin <= minute < until if begin < until else minute >= begin or minute < until
        away = any(begin <= at < until for begin, until in rest.holidays)
        total += not (night or away or local.weekday() in rest.free_days)
        at += timedelta(minutes=1)
    return timedelta(minutes=total)


@given(rests(), moments, spans)
@settings(max_examples=300, deadline=None)
def test_so_much_counted_time_lies_before_the_instant_after_it(rest, start, span):
    end = after(rest, start, span)
    assert counted(rest, start, end) == span
    assert end >= start + span
    # Not a moment earlier: what lies before it counts less.
    if span:
        assert counted(rest, start, end - timedelta(seconds=1)) < span


@given(rests(), moments, spans, spans)
@settings(max_examples=200, deadline=None)
def test_time_counts_the_same_in_one_piece_and_in_two(rest, start, first, second):
    middle, end = start + first, start + first + second
    assert counted(rest, start, middle) + counted(rest, middle, end) == counted(rest, start, end)


@given(rests(), moments)
@settings(max_examples=25, deadline=None)
def test_away_from_clock_changes_it_agrees_with_counting_minutes(rest, moment):
    start = moment.replace(second=0, microsecond=0)
    end = start + timedelta(days=3)
    zone = ZoneInfo(rest.zone)
    offsets = {(start + timedelta(hours=hour)).astimezone(zone).utcoffset() for hour in range(-48, 24 * 5)}
    if len(offsets) > 1:
        return  # the rule for a missing and a doubled hour has tests of its own
    whole = tuple((b.replace(second=0, microsecond=0), e.replace(second=0, microsecond=0)) for b, e in rest.holidays)
    rest = Rest(rest.zone, rest.night, rest.free_days, whole)
    assert counted(rest, start, end) == plainly(rest, start, end)


def nights(zone: str, night: tuple[int, int], start: datetime, number: int = 2) -> list[timedelta]:
    """How long the next nights are."""
    return [end - begin for begin, end in islice(Rest(zone, night).spans(start), number)]


def test_a_night_over_a_clock_change_is_an_hour_shorter_or_longer():
    spring, autumn = datetime(2027, 3, 27, 12, tzinfo=UTC), datetime(2027, 10, 30, 12, tzinfo=UTC)
    assert nights("Europe/Prague", (22 * 60, 7 * 60), spring) == [timedelta(hours=8), timedelta(hours=9)]
    assert nights("Europe/Prague", (22 * 60, 7 * 60), autumn) == [timedelta(hours=10), timedelta(hours=9)]


def test_a_night_that_begins_in_the_missing_hour_begins_at_the_change():
    spring = datetime(2027, 3, 27, 12, tzinfo=UTC)
    (begin, _end), *_more = islice(Rest("Europe/Prague", (150, 420)).spans(spring), 1)
    assert begin == datetime(2027, 3, 28, 1, tzinfo=UTC)


def test_a_night_that_begins_in_the_doubled_hour_begins_at_the_first_and_ends_at_the_second():
    autumn = datetime(2027, 10, 30, 12, tzinfo=UTC)
    (begin, _end), *_more = islice(Rest("Europe/Prague", (150, 420)).spans(autumn), 1)
    assert begin == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    (_begin, end), *_more = islice(Rest("Europe/Prague", (22 * 60, 150)).spans(autumn), 1)
    assert end == datetime(2027, 10, 31, 1, 30, tzinfo=UTC)


def test_half_an_hour_of_change_counts_as_such():
    start = datetime(2027, 4, 3, 6, tzinfo=UTC)  # Lord Howe goes back by 30 minutes on 4 April
    assert nights("Australia/Lord_Howe", (22 * 60, 7 * 60), start, 1) == [timedelta(hours=9, minutes=30)]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"zone": "Europe/Atlantis"}, "zone"),
        ({"zone": ""}, "zone"),
        ({"zone": "../etc/passwd"}, "zone"),
        ({"night": (0, 0)}, "night"),
        ({"night": (0, 601)}, "night"),
        ({"night": (1300, 1440)}, "night"),
        ({"night": (-1, 20)}, "night"),
        ({"free_days": frozenset({0, 1, 2})}, "days"),
        ({"free_days": frozenset({7})}, "days"),
        ({"free_days": frozenset(range(7))}, "days"),
    ],
)
def test_windows_that_are_not_on_offer(arguments, why):
    with pytest.raises(BadRest) as refused:
        Rest(**arguments)
    assert refused.value.why == why
