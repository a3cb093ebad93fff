"""Giving up and running out of time."""

from __future__ import annotations

import pytest

from games import tasks
from games.models import Match
from games.services import leaving, records, turns
from games.services.errors import NotRunning, StaleMatch
from tests.client import Client
from tests.conftest import move, play_out, seated


def places(match):
    return [seat.place for seat in match.seats.all()]


def test_giving_up_ends_a_match_of_two(alice, bob):
    match = seated(alice, bob)
    leaver = match.seats.get(user=alice)
    leaving.resign(match.pk, leaver.number, version=1)
    match.refresh_from_db()
    assert (match.status, match.end_reason, match.deadline) == ("finished", "resign", None)
    assert match.seats.get(user=alice).place == 2
    assert match.seats.get(user=bob).place == 1
    assert records.differences(match) == []


def test_a_bot_plays_on_for_who_leaves_a_larger_match(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    leaver = match.seats.get(user=alice)
    leaving.resign(match.pk, leaver.number, version=1)
    match.refresh_from_db()
    assert match.status == "playing"
    assert match.active_bot == (match.active_seat == leaver.number)
    while match.status == "playing":
        if match.active_bot:
            assert turns.play_bots(match.pk) > 0
            match.refresh_from_db()
        else:
            match = move(match)
    leaver.refresh_from_db()
    assert (leaver.place, leaver.left_how, leaver.left_version) == (3, "resign", 2)
    assert sorted(places(match)) == [1, 2, 3]
    assert records.differences(match) == []


def test_leavers_are_last_the_earliest_lowest(person):
    users = [person(name) for name in ("ann", "ben", "cid", "dan")]
    match = seated(*users)
    for user in users[:2]:
        match.refresh_from_db()
        leaving.resign(match.pk, match.seats.get(user=user).number, version=match.version)
    match.refresh_from_db()
    while match.status == "playing":
        if match.active_bot:
            turns.play_bots(match.pk)
            match.refresh_from_db()
        else:
            match = move(match)
    assert match.seats.get(user=users[0]).place == 4
    assert match.seats.get(user=users[1]).place == 3


def test_a_match_without_people_ends(alice):
    match = seated(alice, bots=2)
    leaving.resign(match.pk, match.seats.get(user=alice).number, version=match.version)
    match.refresh_from_db()
    assert match.status == "finished"
    assert match.seats.get(user=alice).place == 3
    assert sorted(places(match)) == [1, 1, 3]


def test_one_gives_up_once_and_on_the_version_one_sees(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    seat = match.seats.get(user=alice).number
    with pytest.raises(StaleMatch):
        leaving.resign(match.pk, seat, version=0)
    leaving.resign(match.pk, seat, version=1)
    with pytest.raises(NotRunning):
        leaving.resign(match.pk, seat, version=2)
    match = play_out(seated(alice, bob))
    with pytest.raises(NotRunning):
        leaving.resign(match.pk, 0, version=match.version)


@pytest.mark.parametrize(("late", "happens"), [(0, False), (2, False), (2.1, True)])
def test_the_sweep_takes_out_who_is_overdue(clock, alice, bob, late, happens):
    match = seated(alice, bob)
    slow = match.active_seat
    clock.forward(days=2, seconds=late)
    assert tasks.deadlines() == int(happens)
    match.refresh_from_db()
    assert (match.status == Match.Status.FINISHED) == happens
    if happens:
        assert match.end_reason == "timeout"
        assert match.seats.get(number=slow).place == 2
        row = match.moves.get(kind="timeout")
        assert (row.seat, row.by) == (slow, "server")
        assert tasks.deadlines() == 0


def test_a_time_out_in_a_larger_match_hands_the_seat_to_a_bot(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie)
    slow = match.active_seat
    clock.forward(days=3)
    assert tasks.deadlines() == 1
    match.refresh_from_db()
    assert (match.status, match.active_bot, match.deadline) == ("playing", True, None)
    assert match.since_version == match.version == 2
    assert tasks.bots() == 0  # who ran out of time may come back for an hour
    clock.forward(hours=1)
    assert tasks.bots() > 0
    match.refresh_from_db()
    assert match.active_seat != slow
    assert match.deadline is not None


def test_without_a_clock_thirty_days_without_a_move_count_as_leaving(clock, alice, bob):
    match = seated(alice, bob, days=None)
    clock.forward(days=30)
    assert tasks.deadlines() == 0
    assert Match.objects.get(pk=match.pk).status == "playing"
    clock.forward(seconds=3)
    assert tasks.deadlines() == 1
    assert Match.objects.get(pk=match.pk).end_reason == "timeout"


def test_one_match_that_fails_does_not_hold_up_the_others(clock, alice, bob, charlie, monkeypatch):
    broken, sound = seated(alice, bob), seated(alice, charlie)
    Match.objects.filter(pk=broken.pk).update(digest="0" * 64)
    from games import states

    states.forget()
    clock.forward(days=3)
    assert tasks.deadlines() == 1
    assert Match.objects.get(pk=broken.pk).status == "quarantined"
    assert Match.objects.get(pk=sound.pk).status == "finished"


def test_the_page_says_who_gave_up_and_to_who_only_watches_that_they_do(alice, bob):
    match = seated(alice, bob)
    watcher, loser, winner = Client(), Client(), Client()
    loser.force_login(alice)
    winner.force_login(bob)
    watching = "You watch: what a player hides is hidden from you, too."
    assert watching in watcher.get(match.get_absolute_url()).content.decode()
    assert watching not in loser.get(match.get_absolute_url()).content.decode()
    leaving.resign(match.pk, match.seats.get(user=alice).number, version=match.version)
    assert "You gave up." in loser.get(match.get_absolute_url()).content.decode()
    assert '<b class="who">alice</b> gave up.' in winner.get(match.get_absolute_url()).content.decode()
