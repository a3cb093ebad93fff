"""Faults with reminders and mails reported on comparable sites, each by its number: what ours does instead."""

from __future__ import annotations

import ast
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from games import tasks
from games.delivery import mails, sending
from games.models import Channel, Delivery, Heartbeat, Match, Notice
from tests.conftest import move, seated
from tests.racing import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def sent(clock, monkeypatch):
    """What left as (moment, user, keys of the notices that it told)."""
    found = []

    def leave(row):
        told = mails.carried(row.notice) if row.notice.kind == Notice.Kind.DIGEST else [row.notice]
        found.append((clock(), row.notice.user_id, sorted(one.key for one in told)))

    monkeypatch.setattr(sending, "SENDERS", dict.fromkeys(Channel, leave))
    return found


def reachable(*users, **fields):
    """Gives them addresses; they were here long ago."""
    for user in users:
        fields |= {"email": f"{user.username}@example.org", "seen_at": datetime(2026, 1, 1, tzinfo=UTC)}
        User.objects.filter(pk=user.pk).update(**fields)


def sources():
    """All code that runs on the site."""
    return [path for room in ("games", "accounts", "config") for path in (ROOT / room).rglob("*.py")]


def test_o09_no_task_is_put_off():
    """What is to happen later is a row: a broker would deliver a task that waits again and again."""
    found = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and node.arg in ("eta", "countdown"):
                found.append(f"{path}:{node.value.lineno}")
            if isinstance(node, ast.Constant) and node.value in ("eta", "countdown"):
                found.append(f"{path}:{node.lineno}")
    assert found == []
    assert len(sources()) > 100


def test_o09_a_task_that_runs_ten_times_has_the_effect_of_once(clock, alice, bob, charlie, sent):
    reachable(alice, bob, charlie)
    matches = [seated(alice, bob, charlie, days=2) for _each in range(4)]
    clock.moment = max(match.remind_at for match in Match.objects.all())
    for task in (tasks.reminders, tasks.deliveries, tasks.deadlines, tasks.bots, tasks.open_tables, tasks.guests):
        Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
        for _each in range(10):
            task()
    reminders = Notice.objects.filter(kind=Notice.Kind.REMINDER)
    assert reminders.count() == len(matches)
    clock.forward(minutes=30)
    for _each in range(10):
        Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
        for task in (tasks.reminders, tasks.deliveries):
            task()
        clock.forward(minutes=2)
    keys = Counter(key for _moment, _user, told in sent for key in told)
    assert set(keys.values()) == {1}
    assert {one.key for one in reminders} <= set(keys)
    assert not Delivery.objects.exclude(status__in=("sent", "carried", "dropped")).exists()


def test_o10_two_schedulers_and_three_workers_double_nothing(clock, person, thorough, sent):
    """Every sweep runs as often at once as schedulers and workers there are."""
    number = 100 if thorough else 8
    people = [person(f"person{one}") for one in range(number)]
    reachable(*people)
    for one in range(0, number, 2):
        seated(people[one], people[one + 1], days=2)
        seated(people[one], people[one + 1], days=2)
    clock.moment = max(match.remind_at for match in Match.objects.all())
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    due = Match.objects.filter(remind_at__lte=clock()).count()
    for _round in range(4):
        for task in (tasks.reminders, tasks.deliveries):
            at_once([task] * 6)
        clock.forward(minutes=2)
        Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    assert due == number
    assert Notice.objects.filter(kind=Notice.Kind.REMINDER).count() == due
    keys = Counter(key for _moment, _user, told in sent for key in told)
    assert set(keys.values()) == {1}
    assert sum(key.startswith("reminder:") for key in keys) == due
    mails_of = Counter(Notice.objects.filter(kind=Notice.Kind.DIGEST).values_list("user", flat=True))
    assert set(mails_of.values()) == {1}
    assert not Delivery.objects.filter(status__in=("waiting", "sending")).exists()


NIGHTS = [
    ("Europe/Prague", "2027-03-27"),
    ("Europe/Prague", "2027-10-30"),
    ("America/New_York", "2027-03-13"),
    ("America/New_York", "2027-11-06"),
    ("Australia/Lord_Howe", "2027-10-02"),
    ("Australia/Lord_Howe", "2027-04-03"),
]
"""The days before the nights in which clocks change: by an hour, on Lord Howe by half of one."""


@pytest.mark.parametrize("quiet", [(22 * 60, 7 * 60), (90, 210)])
@pytest.mark.parametrize(("zone", "day"), NIGHTS)
def test_o13_the_nights_in_which_clocks_change(clock, alice, bob, sent, zone, day, quiet):
    """No crash in sweeps by the quarter of an hour; one reminder, one mail with all that waits, none in quiet hours."""
    local = ZoneInfo(zone)
    reachable(alice, bob, zone=zone, quiet_from=quiet[0], quiet_to=quiet[1], reminder_share=50)
    # Half of the day's time is left in the middle of the night.
    clock.moment = datetime.fromisoformat(f"{day}T14:00").replace(tzinfo=local).astimezone(UTC)
    match = move(seated(alice, bob, days=1))
    begun, decision = clock(), Match.objects.get(pk=match.pk).since_version
    while clock() < begun + timedelta(hours=23):
        Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
        tasks.deadlines()
        tasks.reminders()
        tasks.deliveries()
        night = timedelta(hours=8) <= clock() - begun < timedelta(hours=19)
        clock.forward(minutes=15 if night else 60)
    keys = Counter(key for _moment, _user, told in sent for key in told)
    assert keys[f"reminder:{match.pk}:{decision}"] == 1
    assert set(keys.values()) == {1}
    assert max(Counter(Notice.objects.filter(kind="digest").values_list("user", flat=True)).values()) == 1
    for moment, _user, _told in sent:
        minute = moment.astimezone(local).hour * 60 + moment.astimezone(local).minute
        assert (minute - quiet[0]) % 1440 >= (quiet[1] - quiet[0]) % 1440, moment.astimezone(local)
    (reminded,) = [moment for moment, _user, told in sent if f"reminder:{match.pk}:{decision}" in told]
    due = begun + timedelta(hours=12)
    if quiet == (22 * 60, 7 * 60):
        due = datetime.combine(due.astimezone(local).date(), datetime.min.time(), local).replace(hour=7).astimezone(UTC)
    assert timedelta() <= reminded - due <= timedelta(minutes=165), (reminded, due)  # a night may be longer
