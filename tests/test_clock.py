"""Allowances: every one of them ends, in exact seconds, and says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from games.clock import AFTER_PAUSE, BANKS, GRANTS, HOLIDAYS, IDLE, LONGEST_PAUSE, TURN_DAYS, Allowance
from games.rest import Rest
from tests.test_rest import ZONES, moments, rests

ALLOWANCES = [
    Allowance(),
    *(Allowance(days=days, rests=rests) for days in TURN_DAYS for rests in (False, True)),
    *(Allowance(bank=bank, rests=rests) for bank in BANKS for rests in (False, True)),
]


@pytest.mark.parametrize("allowance", ALLOWANCES)
def test_what_is_stored_comes_back(allowance):
    assert Allowance.from_json(allowance.to_json()) == allowance


@pytest.mark.parametrize(
    "value",
    [{"days": 4}, {"days": "2"}, {"bank": [1, 2, 3]}, {"days": 2, "bank": [72, 12, 120]}, {"days": 2, "rests": 7}],
)
def test_what_is_not_on_offer_is_refused(value):
    with pytest.raises(ValueError, match="no such allowance"):
        Allowance.from_json(value)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("days", TURN_DAYS)
@pytest.mark.parametrize("night", [datetime(2027, 3, 27, 12, tzinfo=UTC), datetime(2027, 10, 30, 12, tzinfo=UTC)])
def test_o12_a_day_is_86400_seconds_also_when_clocks_change(zone, days, night):
    assert Allowance(days=days).deadline(night, None, Rest(zone)) - night == timedelta(seconds=days * 86400)


@given(st.sampled_from(ALLOWANCES), rests(), moments)
@settings(max_examples=400, deadline=None)
def test_every_turn_ends_within_the_longest_that_is_told(allowance, rest, start):
    left = allowance.at_start
    if allowance.bank:
        left = timedelta(hours=allowance.bank[2])
    end = allowance.deadline(start, left, rest)
    assert start < end <= start + allowance.longest_turn


@given(st.sampled_from(BANKS), rests(), moments, st.lists(st.floats(0, 1), max_size=30))
@settings(max_examples=100, deadline=None)
def test_a_bank_never_holds_more_than_its_cap_and_never_less_than_nothing(bank, rest, start, shares):
    allowance = Allowance(bank=bank, rests=True)
    left, at = allowance.at_start, start
    for share in shares:
        end = at + (allowance.deadline(at, left, rest) - at) * share
        before, left = left, allowance.left(left, at, end, rest)
        assert left is not None
        assert before is not None
        assert timedelta() <= left <= timedelta(hours=bank[2])
        assert left <= before + timedelta(hours=bank[1])
        at = end


@given(
    st.sampled_from(ALLOWANCES),
    rests(),
    moments,
    st.lists(st.tuples(st.floats(0, 1), st.timedeltas(timedelta(0), LONGEST_PAUSE)), max_size=4),
    st.integers(0, 3 * GRANTS),
)
@settings(max_examples=200, deadline=None)
def test_every_turn_ends_also_with_all_the_time_that_can_be_given_and_after_pauses(
    allowance, rest, start, pauses, grants
):
    """As the services do it: a grant at any time, a pause at any time before the end, a day left after each."""
    left, granted, given, stopped = allowance.at_start, timedelta(), timedelta(), []

    def end():
        known = Rest(rest.zone, rest.night, rest.free_days, rest.holidays, tuple(stopped))
        return allowance.deadline(start, left, known, granted), known

    for _each in range(grants):
        at, known = end()
        now = left if left is None else left - allowance.spent(start, start + (at - start) / 2, known)
        more = allowance.grant(now)
        assert timedelta() <= more <= timedelta(days=allowance.days or 1)
        given += more
        left, granted = (left, granted + more) if left is None else (left + more, granted)
        assert end()[0] >= at
    for share, span in pauses:
        at, known = end()
        since = max((until for _since, until in stopped), default=start)
        since += max(at - since, timedelta()) * share
        stopped.append((since, since + span))
        lacking = max(since + span + AFTER_PAUSE - end()[0], timedelta())
        granted, given = granted + lacking, given + lacking
        assert end()[0] >= max(at, since + span + AFTER_PAUSE)
    # A pause comes on top, and breaks the weeks anew of which a part rests.
    broken = timedelta(days=7) * len(pauses) if allowance.rests else timedelta()
    longest = allowance.longest(given) + sum((span for _share, span in pauses), timedelta()) + broken
    assert start < end()[0] <= start + longest


def test_a_grant_is_what_a_turn_has_or_adds_as_far_as_the_bank_holds_it():
    assert Allowance(days=3).grant(None) == timedelta(days=3)
    assert Allowance().grant(None) == timedelta()
    bank = Allowance(bank=(72, 12, 120))
    spans = [bank.grant(timedelta(hours=hours)) for hours in (-5, 0, 108, 110, 120, 130)]
    assert spans == [timedelta(hours=hours) for hours in (12, 12, 12, 10, 0, 0)]


def test_without_a_clock_thirty_days_are_the_end():
    start = datetime(2027, 1, 1, tzinfo=UTC)
    assert Allowance().deadline(start, None, Rest()) == start + IDLE
    assert Allowance().none
    assert not Allowance(days=1).none


def test_a_bank_is_spent_and_filled():
    allowance, start = Allowance(bank=(72, 12, 120)), datetime(2027, 1, 1, tzinfo=UTC)
    assert allowance.left(timedelta(hours=72), start, start + timedelta(hours=10), Rest()) == timedelta(hours=74)
    assert allowance.left(timedelta(hours=5), start, start + timedelta(hours=10), Rest()) == timedelta(hours=12)
    assert allowance.left(timedelta(hours=119), start, start, Rest()) == timedelta(hours=120)


def test_the_sentence_names_every_number():
    said = Allowance(bank=(72, 12, 120), rests=True).sentence()
    assert {"start": 72, "increment": 12, "cap": 120}.items() <= dict(said.places).items()
    assert Allowance(days=2).sentence().count == 2
    assert Allowance().sentence().places["days"] == IDLE.days
    assert HOLIDAYS == 28


@given(st.sampled_from(ALLOWANCES), rests(), moments, st.timedeltas(timedelta(0), timedelta(days=2)))
@settings(max_examples=100, deadline=None)
def test_while_the_site_stands_still_no_clock_runs(allowance, rest, start, outage):
    at = start + timedelta(hours=1)
    stopped = Rest(rest.zone, rest.night, rest.free_days, rest.holidays, ((at, at + outage),))
    left = allowance.at_start
    before, after = (allowance.deadline(start, left, resting) for resting in (rest, stopped))
    assert after >= before
    if not allowance.rests:
        assert after - before == outage
    assert allowance.left(left, start, at + outage, stopped) == allowance.left(left, start, at, rest)
