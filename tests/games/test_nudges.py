"""Asking whoever is to move to do so: once a day, and shown as long as the turn lasts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest

from accounts.models import User
from games.models import Consent, Match, Nudge
from games.services import consent, leaving, nudges, people, turns
from games.services.nudges import CannotNudge, TooEarly
from tests.client import Client, client_of
from tests.conftest import move, play_out, seated, steps_for
from tests.racing import at_once, outcome


@pytest.fixture
def waiting(clock, alice, bob):
    """A match in which bob has been to move for half a day."""
    clock.moment = datetime(2026, 11, 29, 1, tzinfo=UTC)
    match = seated(alice, bob, days=7, game="barvosauri")
    while match.seats.get(number=match.active_seat).user != bob:
        match = move(match)
    clock.forward(hours=12)
    return match


def post(user: User, match: Match, **fields: object) -> int:
    return client_of(user).post(match.get_absolute_url() + "nudge/", fields).status_code


def page(user: User, match: Match) -> str:
    return client_of(user).get(match.get_absolute_url()).content.decode()


def test_who_is_to_move_is_asked_and_told_until_they_have_moved(clock, waiting, alice, bob, charlie):
    match = waiting
    assert "Ask bob to move" in page(alice, match)
    assert "asked to move" not in client_of(bob).get("/turns/").content.decode()
    gathered = Match.objects.get(pk=match.pk).gathered
    assert post(alice, match, version=match.version) == 302
    asked = Nudge.objects.get()
    assert (asked.by, asked.to, asked.version, asked.day) == (alice, bob, match.since_version, clock().date())
    after = Match.objects.get(pk=match.pk)
    assert (after.version, after.gathered, after.deadline) == (match.version, gathered + 1, match.deadline)
    assert "<b>alice asks you to move.</b>" in page(bob, match)
    assert "you are asked to move" in client_of(bob).get("/turns/").content.decode()
    for user in (alice, charlie):
        assert "asks you to move" not in page(user, match)
        assert "asked to move" not in client_of(user).get("/turns/").content.decode()
    # Once a day; the next day begins at midnight UTC.
    html = page(alice, match)
    assert "You can ask bob to move from" in html
    assert "2026-11-30T00:00:00Z" in html
    answer = client_of(alice).post(match.get_absolute_url() + "nudge/", {"version": match.version})
    assert answer.status_code == 409
    assert "2026-11-30T00:00:00Z" in answer.content.decode()
    clock.forward(hours=11)
    assert post(alice, match, version=match.version) == 302
    assert page(bob, match).count("asks you to move") == 2
    match = Match.objects.get(pk=match.pk)
    match = move(match)
    assert "asks you to move" not in page(bob, match)
    assert "asked to move" not in client_of(bob).get("/turns/").content.decode()
    assert Nudge.objects.count() == 2


def test_not_within_the_first_half_day_of_a_turn(clock, waiting, alice):
    match = waiting
    clock.forward(seconds=-1)
    assert "You can ask bob to move from" in page(alice, match)
    answer = client_of(alice).post(match.get_absolute_url() + "nudge/", {"version": match.version})
    assert answer.status_code == 409
    assert "It is too early to ask. It becomes possible" in answer.content.decode()
    possible = match.decision_at + timedelta(hours=12)
    assert f"{possible:%FT%TZ}" in answer.content.decode()
    assert not Nudge.objects.exists()
    clock.forward(seconds=1)
    assert post(alice, match, version=match.version) == 302


def test_who_may_not_ask_and_who_cannot_be_asked(clock, waiting, alice, bob, charlie):
    match = waiting
    before = Match.objects.get(pk=match.pk)
    assert post(bob, match, version=match.version) == 409  # oneself
    assert post(charlie, match, version=match.version) == 404
    assert post(User.objects.create_guest(), match, version=match.version) == 404
    assert Client().post(match.get_absolute_url() + "nudge/", {"version": match.version}).status_code == 404
    for version, status in ((match.version - 1, 409), (match.version + 1, 409), ("", 400), ("x", 400), ("9" * 30, 400)):
        assert post(alice, match, version=version) == status
    assert client_of(alice).get(match.get_absolute_url() + "nudge/").status_code == 405
    after = Match.objects.get(pk=match.pk)
    assert (after.version, after.gathered) == (before.version, before.gathered)
    for _try in range(20):
        botted = seated(alice, bots=1, days=2)
        if botted.active_bot:
            break
    clock.forward(days=1)
    assert post(alice, botted, version=1) == 409
    assert "to move from" not in page(alice, botted)
    for seat in (0, 1):
        consent.propose(match.pk, seat, Consent.Kind.PAUSE, version=match.version)
    assert post(alice, match, version=match.version + 1) == 409
    assert "Ask bob to move" not in page(alice, match)
    over = play_out(seated(alice, bob))
    assert post(alice, over, version=over.version) == 409
    three = seated(alice, bob, charlie)
    leaving.resign(three.pk, three.seats.get(user=charlie).number, version=1)
    three.refresh_from_db()
    clock.forward(days=1)
    assert post(charlie, three, version=three.version) == 404
    assert not Nudge.objects.exists()


def test_a_reminder_of_a_turn_before_is_not_one_of_this_turn(clock, waiting, alice, bob):
    match = waiting
    nudges.nudge(match.pk, alice, version=match.version)
    while match.seats.get(number=match.active_seat).user != alice:
        match = move(match)
    while match.seats.get(number=match.active_seat).user != bob:
        match = move(match)
    assert "asks you to move" not in page(bob, match)
    # Half a day of the new turn is over, but it is the same day.
    Match.objects.filter(pk=match.pk).update(decision_at=clock() - timedelta(hours=12))
    with pytest.raises(TooEarly) as refused:
        nudges.nudge(match.pk, alice, version=match.version)
    assert refused.value.at == datetime(2026, 11, 30, tzinfo=UTC)


def test_reminders_go_along_with_a_guest(clock, waiting, alice, person):
    guest, dora = User.objects.create_guest(), person("dora")
    match = seated(guest, alice, days=7, game="barvosauri")
    clock.forward(days=1)
    asker, asked = (alice, guest) if match.seats.get(number=match.active_seat).user == guest else (guest, alice)
    nudges.nudge(match.pk, asker, version=1)
    people.merge(guest.pk, dora.pk)
    found = Nudge.objects.get(match=match)
    assert (found.by, found.to) == tuple(dora if user == guest else user for user in (asker, asked))


@pytest.mark.django_db(transaction=True)
def test_ten_times_at_once_is_once(alice, bob, rounds, unlimited):
    for _round in range(max(rounds // 5, 5)):
        match = seated(alice, bob, days=7)
        Match.objects.filter(pk=match.pk).update(decision_at=match.decision_at - timedelta(days=1))
        asker = match.seats.exclude(number=match.active_seat).get().user
        results = at_once([outcome(partial(nudges.nudge, match.pk, asker, version=1))] * 6)
        assert sum(isinstance(result, Nudge) for result in results) == 1
        assert {result for result in results if not isinstance(result, Nudge)} == {TooEarly.code}
        assert Nudge.objects.filter(match=match).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_asking_and_a_move_nobody_is_asked_who_has_moved(alice, bob, rounds, unlimited):
    for _round in range(max(rounds // 3, 10)):
        match = seated(alice, bob, days=7, game="barvosauri")
        Match.objects.filter(pk=match.pk).update(decision_at=match.decision_at - timedelta(days=1))
        asker = match.seats.exclude(number=match.active_seat).get().user
        play = partial(turns.play, match.pk, match.active_seat, steps_for(match), version=1, key=uuid4())
        asked, moved = at_once([outcome(partial(nudges.nudge, match.pk, asker, version=1)), outcome(play)])
        assert moved.number == 2
        assert isinstance(asked, Nudge) or asked in ("stale_version", CannotNudge.code)
        found = Nudge.objects.filter(match=match).first()
        assert (found is not None) == isinstance(asked, Nudge)
        assert found is None or found.version == 1
