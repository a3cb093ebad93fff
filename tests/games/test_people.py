"""Guests, limits and health."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games import health, tasks
from games.models import Heartbeat, Match
from games.services import limits, people
from games.services.errors import TooMany
from tests.client import Client
from tests.conftest import seated


def test_a_guest_who_never_came_back_is_forgotten_with_the_matches_against_bots(clock, alice):
    clock.moment = timezone.now()
    alone, friend, fresh = (User.objects.create_guest() for _each in range(3))
    seated(alone, bots=1)
    kept = seated(friend, alice)
    clock.forward(days=31)
    User.objects.filter(pk=fresh.pk).update(seen_at=clock())
    assert tasks.guests() == 1
    assert set(User.objects.filter(kind="guest")) == {friend, fresh}
    assert list(Match.objects.all()) == [kept]
    assert User.objects.filter(kind="bot").exists()


def test_being_here_is_noted_at_most_once_an_hour(db, clock, django_assert_num_queries):
    clock.moment = timezone.now()
    guest = User.objects.create_guest()
    with django_assert_num_queries(0):
        assert not people.was_here(guest)
    guest.seen_at -= timedelta(hours=2)
    assert people.was_here(guest)
    guest.refresh_from_db()
    assert guest.seen_at == clock()


def test_a_guest_who_only_looks_is_here_too_and_stays_logged_in(db):
    guest = User.objects.create_guest()
    User.objects.filter(pk=guest.pk).update(seen_at=timezone.now() - timedelta(days=29))
    client = Client()
    client.force_login(guest)
    answer = client.get("/turns/")
    assert answer.cookies["sessionid"]["max-age"] == 365 * 24 * 3600
    guest.refresh_from_db()
    assert timezone.now() - guest.seen_at < timedelta(minutes=1)
    assert "sessionid" not in client.get("/turns/").cookies


def test_matches_go_on_without_the_cache(alice, bob, monkeypatch):
    def away(*_arguments, **_more):
        raise ConnectionError("no Redis")

    monkeypatch.setattr("django.core.cache.cache.add", away)
    limits.spend("move", alice.pk)
    assert Client().post("/play-now/").status_code == 302


def test_a_user_name_is_had_once_whatever_the_case(alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="ALICE")


def test_a_limit_is_reached_and_each_has_their_own(settings):
    settings.LIMITS = {"guest": (3, 3600)}
    for _each in range(3):
        limits.spend("guest", "10.0.0.1")
    with pytest.raises(TooMany) as refused:
        limits.spend("guest", "10.0.0.1")
    assert 0 < refused.value.wait <= 3600
    limits.spend("guest", "10.0.0.2")


def test_health_is_work_done(clock, client, alice, bob):
    assert client.get("/healthz").status_code == 503
    match = seated(alice, bob)
    for sweep in health.SILENCE:
        getattr(tasks, sweep)()
    assert client.get("/healthz").json()["ok"] is True
    clock.forward(minutes=3, seconds=1)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["silent_sweeps"]) == (503, ["bots", "wishes", "deadlines"])
    Heartbeat.objects.update(at=clock())
    assert client.get("/healthz").status_code == 200
    clock.forward(days=2, minutes=1)
    Heartbeat.objects.update(at=clock())
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["overdue_decisions"]) == (503, 1)
    tasks.deadlines()
    assert client.get("/healthz").status_code == 200
    Match.objects.filter(pk=match.pk).update(status="playing", active_bot=True)
    assert client.get("/healthz").json()["idle_bots"] == 0


def test_a_bot_that_stands_still_shows(clock, client, alice):
    match = seated(alice, bots=1)
    Match.objects.filter(pk=match.pk).update(active_bot=True)
    clock.forward(minutes=2)
    Heartbeat.objects.update_or_create(pk="bots", defaults={"at": clock()})
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    tasks.open_tables()
    assert client.get("/healthz").json()["idle_bots"] == 1
