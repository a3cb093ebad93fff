"""Holidays: by hand and instead of a time-out, what they cost, and what they do to running matches."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from accounts.models import Holiday, User
from games import tasks
from games.clock import HOLIDAYS
from games.models import Heartbeat, Match, Move
from games.services import clocks, holidays, people, records
from games.services.errors import StaleMatch
from games.services.holidays import BadHoliday
from tests.conftest import move, mover_of, seated
from tests.racing import at_once, outcome

pytestmark = pytest.mark.django_db(transaction=True)

TODAY = date(2026, 11, 29)
DAY = timedelta(days=1)


def sweep(clock) -> int:
    """A sweep over deadlines of a worker that never slept."""
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    return tasks.deadlines()


def test_a_holiday_moves_the_deadlines_of_turns_that_wait(clock, alice, bob):
    match, strict = seated(alice, bob, rests=True), seated(alice, bob)
    user, deadline = mover_of(match), match.deadline
    holiday = holidays.take(user, TODAY, TODAY + 2 * DAY)
    assert (holiday.starts, holiday.ends) == (clock(), datetime(2026, 12, 2, tzinfo=UTC))
    match.refresh_from_db()
    assert match.deadline - deadline == timedelta(hours=12) + 2 * DAY
    row = match.moves.get(kind=Move.Kind.CLOCK)
    assert row.news == [{"what": "clock", "why": "holiday", "seat": match.active_seat, "seconds": 60 * 3600}]
    assert records.differences(match) == []
    assert Match.objects.get(pk=strict.pk).version == 1
    assert Holiday.objects.get().spread_at == clock()
    # Who is away may move all the same, and a turn that begins during the holiday has its end as its beginning.
    match = move(match)
    for _each in range(4):
        if match.status == "playing" and mover_of(match) != user:
            match = move(match)
    if match.status == "playing":
        assert match.deadline == holiday.ends + timedelta(days=2)


def test_a_holiday_to_come_counts_where_a_deadline_lies_behind_its_beginning(clock, alice, bob):
    match = seated(alice, bob, days=3, rests=True)
    holidays.take(mover_of(match), TODAY + 2 * DAY, TODAY + 3 * DAY)
    assert Match.objects.get(pk=match.pk).deadline == match.deadline + 2 * DAY
    far = holidays.take(mover_of(match), TODAY + 90 * DAY, TODAY + 90 * DAY)
    assert Holiday.objects.get(pk=far.pk).spread_at is not None
    assert Match.objects.get(pk=match.pk).version == 2


def test_ending_early_gives_the_time_back_but_not_at_once(clock, alice, bob):
    match = seated(alice, bob, days=1, rests=True)
    user, begun = mover_of(match), clock()
    holiday = holidays.take(user, TODAY, TODAY + 4 * DAY)
    clock.forward(hours=30)
    holidays.end(holiday.pk)
    match.refresh_from_db()
    assert match.deadline == begun + timedelta(hours=54)
    assert match.moves.last().news[0]["why"] == "back"
    assert match.moves.last().news[0]["seconds"] < 0
    assert holidays.left(user, 2026) == HOLIDAYS - 2  # two days were begun
    version = match.version
    holidays.end(holiday.pk)
    assert Match.objects.get(pk=match.pk).version == version
    # With a minute left before it, an hour is there after it.
    clock.moment = match.deadline - timedelta(minutes=1)
    holiday = holidays.take(user, clock().date(), clock().date() + DAY)
    clock.forward(minutes=5)
    holidays.end(holiday.pk)
    assert Match.objects.get(pk=match.pk).deadline == clock() + timedelta(hours=1)


def test_one_that_has_not_begun_costs_nothing_when_taken_back(clock, alice):
    holiday = holidays.take(alice, TODAY + 3 * DAY, TODAY + 9 * DAY)
    assert holidays.left(alice, 2026) == HOLIDAYS - 7
    holidays.end(holiday.pk)
    assert holidays.left(alice, 2026) == HOLIDAYS
    assert not holidays.present(alice).exists()


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        (-1, 3, "in the past"),
        (3, 2, "before the first"),
        (0, 400, "more than a year"),
        (0, 28, "29 days in 2026, and you have 28"),
        (33, 61, "29 days in 2027, and you have 28"),
    ],
)
def test_what_cannot_be_taken(clock, alice, first, last, sentence):
    with pytest.raises(BadHoliday) as refused:
        holidays.take(alice, TODAY + first * DAY, TODAY + last * DAY)
    assert sentence in str(refused.value.sentence)
    assert not Holiday.objects.exists()


def test_a_holiday_over_the_turn_of_the_year_takes_from_both_budgets(clock, alice):
    alice.zone = "Europe/Prague"
    alice.save()
    holidays.take(alice, date(2026, 12, 20), date(2027, 1, 10))
    assert (holidays.left(alice, 2026), holidays.left(alice, 2027)) == (HOLIDAYS - 12, HOLIDAYS - 10)
    with pytest.raises(BadHoliday) as refused:
        holidays.take(alice, date(2027, 1, 10), date(2027, 1, 11))
    assert "some of these days" in str(refused.value.sentence)
    holidays.take(alice, date(2027, 3, 28), date(2027, 3, 28))  # of 23 hours, and a day all the same
    holidays.take(alice, date(2027, 10, 31), date(2027, 10, 31))  # of 25
    assert holidays.left(alice, 2027) == HOLIDAYS - 12


def test_two_who_ask_at_once_do_not_overspend(clock, alice, rounds):
    for _each in range(max(rounds // 10, 3)):
        Holiday.objects.all().delete()
        spans = [(0, 19), (20, 39), (40, 59)]
        calls = [
            outcome(lambda first=first, last=last: holidays.take(alice, TODAY + first * DAY, TODAY + last * DAY) and "")
            for first, last in spans
        ]
        # 20 days each: of those that fall into 2026 one fits, and 27 days of 2027 are the last two together.
        at_once(calls)
        assert sum(holidays.days_of(one.starts, one.ends, 2026, UTC) for one in Holiday.objects.all()) <= HOLIDAYS
        assert holidays.left(alice, 2026) <= HOLIDAYS - 13


def test_a_day_is_taken_instead_of_a_time_out_as_long_as_there_are_any(clock, alice, bob):
    match = seated(alice, bob, rests=True)
    user = mover_of(match)
    for number in range(1, HOLIDAYS + 1):
        clock.moment = Match.objects.get(pk=match.pk).deadline + timedelta(seconds=10)
        assert sweep(clock) == 0
        assert Match.objects.get(pk=match.pk).version == 1 + number
        assert Holiday.objects.filter(user=user, automatic=True).count() == number
        if clock().year > 2026:
            break
    match.refresh_from_db()
    assert records.differences(match) == []
    spent = Holiday.objects.filter(user=user).count()
    # The rest of the year's days, all at once; then there is nothing left to wait for.
    User.objects.filter(pk=user.pk).update(auto_holiday=False)
    clock.moment = match.deadline + timedelta(seconds=10)
    assert sweep(clock) == 1
    assert Match.objects.get(pk=match.pk).end_reason == "timeout"
    assert Holiday.objects.filter(user=user).count() == spent


def test_without_budget_the_time_runs_out(clock, alice, bob):
    match = seated(alice, bob, rests=True)
    user = mover_of(match)
    Holiday.objects.create(user=user, starts=clock() - 40 * DAY, ends=clock() - 12 * DAY, spread_at=clock())
    assert holidays.left(user, 2026) == 0
    clock.forward(days=2, seconds=3)
    assert sweep(clock) == 1
    assert Match.objects.get(pk=match.pk).status == "finished"


def test_neither_guests_nor_matches_that_do_not_rest_get_a_day(clock, alice, bob):
    strict = seated(alice, bob)
    resting = seated(User.objects.create_guest(), User.objects.create_guest(), rests=True)
    clock.forward(days=2, seconds=3)
    assert sweep(clock) == 2
    assert not Holiday.objects.exists()
    assert {Match.objects.get(pk=match.pk).status for match in (strict, resting)} == {"finished"}


def test_many_sweeps_at_once_take_one_day_for_all_matches(clock, alice, bob, rounds):
    for _each in range(max(rounds // 10, 3)):
        Holiday.objects.all().delete()
        matches = [seated(alice, bob, rests=True) for _each in range(4)]
        clock.forward(days=2, seconds=3)
        Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
        assert sum(at_once([tasks.deadlines] * 3)) == 0
        for user in (alice, bob):
            assert Holiday.objects.filter(user=user).count() <= 1
        for match in matches:
            match.refresh_from_db()
            assert (match.version, match.deadline > clock()) == (2, True)
            Match.objects.filter(pk=match.pk).update(status="finished", deadline=None)


def test_a_match_that_was_missed_is_told_by_a_sweep(clock, alice, bob, monkeypatch):
    match = seated(alice, bob, rests=True)

    def overtaken(*_facts):
        raise StaleMatch

    monkeypatch.setattr(clocks, "review", overtaken)
    holidays.take(mover_of(match), TODAY, TODAY)
    assert Holiday.objects.get().spread_at is None
    monkeypatch.undo()
    assert sweep(clock) == 0
    assert Holiday.objects.get().spread_at is not None
    assert Match.objects.get(pk=match.pk).deadline == match.deadline + timedelta(hours=12)


def test_one_that_is_over_before_it_was_told_is_counted_all_the_same(clock, alice, bob):
    match = seated(alice, bob, days=7, rests=True)
    Holiday.objects.create(user=mover_of(match), starts=clock() + DAY, ends=clock() + 2 * DAY)
    clock.forward(days=3)
    sweep(clock)
    row = match.moves.get(kind=Move.Kind.CLOCK)
    assert (row.news[0]["why"], row.news[0]["seconds"]) == ("holiday", 86400)


def test_holidays_of_a_guest_come_along(clock, alice):
    guest = User.objects.create_guest()
    holidays.take(guest, TODAY, TODAY)
    people.merge(guest.pk, alice.pk)
    assert Holiday.objects.get().user == alice
