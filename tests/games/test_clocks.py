"""Clocks as they run: banks, rests across clock changes, downtime that is given back, and what is due at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps

from accounts.models import User
from games import health, tasks
from games.clock import BANKS, Allowance
from games.models import Downtime, Heartbeat, Match, Move
from games.now import replaced
from games.rest import Rest
from games.services import clocks, records, resting
from games.services.leaving import time_out
from games.templatetags.games_tags import due
from tests.client import Client
from tests.conftest import move, mover_of, play_out, seated
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)


def page_of(user: User, match: Match) -> str:
    """The page of the match as the user sees it."""
    client = Client()
    client.force_login(user)
    return client.get(match.get_absolute_url()).content.decode()


def alive(moment: datetime) -> None:
    """The sweep over deadlines has lived until now."""
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": moment})


def down(clock, **span: float) -> None:
    """The sweep lives, is stopped for so long, and comes back."""
    alive(clock())
    clock.forward(**span)
    tasks.deadlines()


ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC"]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("start", [datetime(2027, 3, 27, 12, tzinfo=UTC), datetime(2027, 10, 30, 12, tzinfo=UTC)])
def test_o12_a_turn_across_a_clock_change_lasts_exactly_as_long(clock, alice, bob, zone, start):
    clock.moment = start
    User.objects.update(zone=zone)
    for days in (1, 2, 3, 7):
        match = seated(alice, bob, days=days)
        assert (match.deadline - start).total_seconds() == days * 86400
        local = match.deadline.astimezone(ZoneInfo(zone))
        assert f"{local:%a} {local.day} {local:%b} {local:%H:%M}" in page_of(alice, match)


def test_a_night_is_not_counted_also_when_it_is_an_hour_shorter(clock, alice, bob):
    User.objects.update(zone="Europe/Prague", night_from=22 * 60, night_to=7 * 60)
    clock.moment = datetime(2027, 3, 27, 20, tzinfo=UTC)  # 21:00, and the night has eight hours
    match = seated(alice, bob, days=1, rests=True)
    # An hour, the night of eight, fifteen hours, the night of nine, eight hours.
    assert match.deadline - clock() == timedelta(hours=1 + 8 + 15 + 9 + 8)
    without = seated(alice, bob, days=1)
    assert without.deadline - clock() == timedelta(days=1)


def test_a_bank_is_spent_by_thinking_and_filled_by_moving(clock, alice, bob):
    match = seated(alice, bob, days=None, bank=BANKS[1])
    first = match.active_seat
    assert list(match.seats.values_list("bank", flat=True)) == [72 * 3600] * 2
    assert match.deadline - clock() == timedelta(hours=72)
    clock.forward(hours=20, seconds=0.5)
    move(match)
    assert match.seats.get(number=first).bank == 64 * 3600
    clock.forward(hours=1)
    while match.active_seat != first and match.status == "playing":
        match = move(match)
    assert match.deadline - clock() == timedelta(hours=64)
    assert "Hours at hand" in page_of(alice, match)
    clock.forward(hours=64, seconds=3)
    alive(clock())
    assert tasks.deadlines() == 1


def test_a_bank_is_not_spent_at_night_nor_by_downtime(clock, alice, bob):
    User.objects.update(zone="UTC", night_from=0, night_to=480)
    match = seated(alice, bob, days=None, bank=BANKS[0], rests=True)
    seat = match.active_seat
    clock.moment = datetime(2026, 11, 29, 23, tzinfo=UTC)  # 11 hours
    down(clock, hours=1)
    clock.forward(hours=9)  # the night, and one hour more
    alive(clock())
    match = move(Match.objects.get(pk=match.pk))
    assert match.seats.get(number=seat).bank == (24 - 12 + 6) * 3600


def test_an_hour_without_the_worker_is_an_hour_more(clock, alice, bob):
    match, other = seated(alice, bob), seated(alice, bob, days=None, bank=BANKS[0])
    before, began = {one.pk: one.deadline for one in (match, other)}, clock()
    down(clock, hours=1)
    downtime = Downtime.objects.get()
    assert (downtime.ends - downtime.starts, downtime.credited) == (HOUR, False)
    for one in (match, other):
        one.refresh_from_db()
        assert one.deadline - before[one.pk] == HOUR
        row = one.moves.get(kind=Move.Kind.CLOCK)
        assert row.news == [{"what": "clock", "why": "downtime", "seat": one.active_seat, "seconds": 3600}]
        assert (one.since_version, one.credited_to, one.moved_at) == (1, downtime.ends, began)
        assert records.differences(one) == []
    waiting, other_player = mover_of(match), next(user for user in (alice, bob) if user != mover_of(match))
    assert "1 h are given back to you." in page_of(waiting, match)
    assert "The site stood still; 1 h are given back to" in page_of(other_player, match)
    # Neither the next sweep nor the turn that begins now gets anything again.
    tasks.deadlines()
    assert Downtime.objects.get().credited
    assert Move.objects.filter(kind=Move.Kind.CLOCK).count() == 2
    match = move(match)
    assert match.deadline - clock() == timedelta(days=2)
    assert records.differences(play_out(match)) == []


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_every_game_goes_on_after_a_row_of_the_clock(clock, alice, bob, game):
    match = play_out(seated(alice, bob, game=game), rows=3)
    down(clock, hours=2)
    match.refresh_from_db()
    assert match.moves.last().kind == Move.Kind.CLOCK
    for user in (alice, bob):
        assert "2 h are given back" in page_of(user, match)
        client = Client()
        client.force_login(user)
        for tail in ("log/", *(f"at/{version}/" for version in range(1, match.version + 1))):
            assert client.get(match.get_absolute_url() + tail).status_code == 200
    match = play_out(match, rows=6)
    assert records.differences(match) == []


def test_matches_from_before_get_their_clock_in_the_new_notation(alice, bob):
    fill = import_module("games.migrations.0004_fill_clocks").fill
    timed, free, old = seated(alice, bob), seated(alice, bob, days=None), seated(alice, bob, days=None)
    deadline = timed.deadline
    Match.objects.filter(pk=timed.pk).update(allowance={"days": 2}, decision_at=None)
    Match.objects.exclude(pk=timed.pk).update(allowance={"days": None}, decision_at=None, deadline=None)
    Move.objects.filter(match=old).update(at=old.moved_at - timedelta(days=300))
    fill(apps, None)
    for match in (timed, free, old):
        match.refresh_from_db()
    assert timed.allowance == {"days": 2, "bank": None, "rests": False}
    assert (timed.decision_at, timed.deadline) == (timed.moved_at, deadline)
    assert free.allowance == {"days": None, "bank": None, "rests": False}
    assert free.deadline == free.moved_at + timedelta(days=30)
    # Who has not moved for long is told for a week all the same.
    assert timedelta(days=6, hours=23) < old.deadline - old.moved_at <= timedelta(days=7, hours=1)


def test_a_short_silence_is_no_downtime(clock, alice, bob):
    match = seated(alice, bob)
    down(clock, minutes=3)
    assert not Downtime.objects.exists()
    assert Match.objects.get(pk=match.pk).version == 1


def test_two_sweeps_at_once_note_and_credit_one_downtime(clock, alice, bob, rounds):
    matches = [seated(alice, bob) for _each in range(3)]
    for number in range(1, max(rounds // 10, 2) + 1):
        alive(clock())
        clock.forward(hours=1)
        at_once([tasks.deadlines] * 3)
        tasks.deadlines()
        assert Downtime.objects.count() == number
        for match in matches:
            match.refresh_from_db()
            assert match.deadline == match.decision_at + timedelta(days=2) + number * HOUR
            assert match.moves.filter(kind=Move.Kind.CLOCK).count() == number


def test_a_process_that_dies_while_crediting_is_finished_by_the_next_sweep(clock, alice, bob, monkeypatch):
    match = seated(alice, bob, days=1)
    monkeypatch.setattr(clocks, "credit", partial(int, "dead"))
    alive(clock())
    clock.forward(days=1, hours=1)
    # Even before it is credited nobody is timed out.
    assert tasks.deadlines() == 0
    monkeypatch.undo()
    match.refresh_from_db()
    assert match.status == "playing"
    assert [row.news[0]["why"] for row in match.moves.filter(kind=Move.Kind.CLOCK)] == ["downtime"]
    tasks.deadlines()
    assert Match.objects.get(pk=match.pk).credited_to == Downtime.objects.get().ends


def test_o07_nobody_loses_on_time_by_a_restart(clock, alice, bob):
    match = seated(alice, bob)
    slow, start = match.active_seat, clock()
    clock.forward(days=2, seconds=-30)
    down(clock, minutes=10)
    match.refresh_from_db()
    assert (match.status, match.deadline) == ("playing", start + timedelta(days=2, minutes=10))
    clock.forward(seconds=29)
    assert tasks.deadlines() == 0
    clock.forward(seconds=5)
    assert (tasks.deadlines(), tasks.deadlines()) == (1, 0)
    row = match.moves.get(kind=Move.Kind.TIMEOUT)
    assert (row.seat, row.at) == (slow, clock())
    assert row.news[0]["due"] == (start + timedelta(days=2, minutes=10)).isoformat()
    match.refresh_from_db()
    assert (match.status, match.end_reason, match.seats.get(number=slow).place) == ("finished", "timeout", 2)
    assert [row.kind for row in match.moves.all()] == ["start", "clock", "timeout"]
    shown = [page_of(user, match) for user in (alice, bob)]
    assert all(re.search("time .*ran out", html) for html in shown)


def test_o05_many_sweeps_close_a_turn_once(clock, alice, bob, thorough):
    matches = [seated(alice, bob) for _each in range(50 if thorough else 6)]
    clock.forward(days=2, seconds=5)
    done = at_once([tasks.deadlines] * 6)
    assert sum(done) == len(matches)
    for match in matches:
        assert [row.kind for row in match.moves.all()] == ["start", "timeout"]
        assert records.differences(Match.objects.get(pk=match.pk)) == []


def test_o08_a_thousand_that_are_due_at_once_are_done_in_a_few_sweeps(clock, alice, bob, client, thorough, monkeypatch):
    number = 1000 if thorough else 50
    monkeypatch.setattr(tasks, "BATCH", number // 5)
    for _each in range(number):
        seated(alice, bob)
    clock.forward(days=2, seconds=63)
    for sweep in health.SILENCE:
        Heartbeat.objects.update_or_create(pk=sweep, defaults={"at": clock()})
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["overdue_decisions"]) == (503, number)
    assert [tasks.deadlines() for _each in range(6)] == [number // 5] * 5 + [0]
    assert client.get("/healthz").status_code == 200
    assert not Match.objects.filter(status="playing").exists()
    # And where no sweep comes any more it shows.
    clock.forward(minutes=3, seconds=1)
    assert "deadlines" in client.get("/healthz").json()["silent_sweeps"]


def test_every_sweep_is_missed_when_it_stands_still(db, settings):
    assert [f"games.tasks.{sweep}" for sweep in health.SILENCE] == list(settings.SWEEPS)
    for task, seconds in settings.SWEEPS.items():
        assert timedelta(seconds=2 * seconds) < health.SILENCE[task.rpartition(".")[2]]


def test_without_a_clock_the_end_is_told_in_the_last_week_only(clock, alice, bob):
    match = seated(alice, bob, days=None)
    shown = str(due(match.deadline))
    clock.forward(days=22, hours=23)
    assert shown not in page_of(mover_of(match), match)
    clock.forward(hours=1)
    html = page_of(mover_of(match), match)
    assert shown in html
    assert "you have left the match" in html


def test_a_time_out_that_is_overtaken_changes_nothing(clock, alice, bob):
    match = seated(alice, bob)
    assert time_out(match.pk) is None
    assert Match.objects.get(pk=match.pk).version == 1


def test_what_a_user_has_set_is_what_rests(alice):
    User.objects.filter(pk=alice.pk).update(zone="Europe/Atlantis", night_from=0, night_to=60, free_days="56")
    alice.refresh_from_db()
    assert resting.windows_of(alice) == Rest("UTC", (0, 60), frozenset({5, 6}))


def test_the_whole_clock_stands_on_every_page_of_a_match(alice, bob):
    clock = Allowance(bank=BANKS[2], rests=True)
    match = seated(alice, bob, days=None, bank=clock.bank, rests=True)
    assert "168 hours for each player, 24 more after every turn" in page_of(alice, match)
    with replaced(lambda: match.created_at):
        assert f"after {-(-clock.longest_turn // timedelta(days=1))} days at the latest" in page_of(bob, match)
