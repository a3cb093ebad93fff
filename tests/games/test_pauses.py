"""A match that is paused: nothing moves and no time runs, until somebody or time ends it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from games import tasks, verify
from games.clock import AFTER_PAUSE, BANKS, LONGEST_PAUSE
from games.models import Consent, Downtime, Heartbeat, Match, Move, Seat
from games.services import choices, consent, leaving, pauses, records, turns
from tests.agreeing import CANCEL, DAY, number_of, page, paused, post, rows
from tests.client import Client, client_of
from tests.conftest import fresh, move, mover_of, play_out, post_body, seated, steps_for
from tests.racing import at_once, outcome


def test_a_paused_match_stands_still_and_goes_on(clock, alice, bob):
    match = seated(alice, bob, days=2)
    client = client_of(mover_of(match))
    turn = post_body(match, steps_for(match))
    clock.forward(hours=10)
    match = paused(match)
    assert (match.status, match.paused_at, match.deadline) == ("playing", clock(), None)
    assert not Consent.objects.exists()
    assert records.differences(match) == []
    for user in (alice, bob):
        html = page(user, match)
        assert "The match is paused." in html
        assert 'id="confirm"' not in html
        assert "data-plan" not in html
        assert "All who play have agreed on a pause." in html
        board = client_of(user).get("/turns/").content.decode()
        assert "Nothing waits for you" in board
        assert "paused" in board
    # An old page's turn is stale; one made for the paused table is told why not.
    assert client.post(match.get_absolute_url(), turn).status_code == 409
    answer = client.post(match.get_absolute_url(), {**turn, "version": match.version, "key": uuid4()})
    assert answer.status_code == 409
    assert "The match is paused. Everybody who plays can end the pause." in answer.content.decode()
    clock.forward(days=20)
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    assert tasks.deadlines() == 0
    assert rows(match) == ["start", "pause"]

    assert post(bob, match, "resume", version=match.version) == 302
    match = fresh(match)
    assert (match.paused_at, match.deadline) == (None, clock() + timedelta(hours=38))
    assert match.granted == 0
    assert match.since_version == 1
    assert records.differences(match) == []
    assert "ends the pause." in page(alice, match)
    match = move(match)
    assert (match.stopped, match.granted, match.deadline) == ([], 0, clock() + 2 * DAY)
    assert records.differences(play_out(match)) == []


def test_a_day_is_left_after_a_pause_and_the_log_says_so(clock, alice, bob):
    match = seated(alice, bob, days=1)
    clock.forward(hours=23)
    match = paused(match)
    clock.forward(days=3)
    pauses.resume(match.pk, 0, version=match.version)
    match = fresh(match)
    assert (match.deadline, match.granted) == (clock() + AFTER_PAUSE, 23 * 3600)
    news = {"what": "clock", "why": "pause", "seat": match.active_seat, "seconds": 23 * 3600}
    assert match.moves.last().news == [{"what": "resumed", "seat": 0}, news]
    assert "After the pause your turn has 23 h more, so that a day is left." in page(mover_of(match), match)
    clock.forward(days=1, seconds=3)
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    assert tasks.deadlines() == 1


def test_a_bank_is_not_spent_in_a_pause_and_what_was_left_by_it_is_not_banked(clock, alice, bob):
    match = seated(alice, bob, days=None, bank=BANKS[1], game="barvosauri")
    seat = match.active_seat
    clock.forward(hours=60)
    match = paused(match)
    clock.forward(days=9)
    pauses.resume(match.pk, seat, version=match.version)
    match = fresh(match)
    assert (match.deadline - clock(), match.granted) == (timedelta(hours=24), 12 * 3600)
    clock.forward(hours=20)
    match = move(match)
    assert Seat.objects.get(match=match, number=seat).bank == 12 * 3600  # what a turn adds, nothing more


def test_downtime_during_a_pause_counts_once(clock, alice, bob):
    match = seated(alice, bob, days=7)
    clock.forward(hours=1)
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    match = paused(match)
    clock.forward(hours=5)
    tasks.deadlines()
    tasks.deadlines()
    assert Downtime.objects.get().credited
    clock.forward(hours=5)
    pauses.resume(match.pk, 0, version=match.version)
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})
    tasks.deadlines()
    match = fresh(match)
    assert match.deadline == clock() + 7 * DAY - timedelta(hours=1)
    assert rows(match) == ["start", "pause", "resume"]
    # And a downtime behind the pause is told as what it is.
    clock.forward(hours=3)
    tasks.deadlines()
    assert fresh(match).deadline == match.deadline + timedelta(hours=3)
    assert match.moves.last().news[0]["why"] == "downtime"


def test_a_pause_ends_by_itself(clock, alice, bob):
    match = paused(seated(alice, bob, days=2))
    alive = partial(Heartbeat.objects.update_or_create, pk="deadlines")
    clock.forward(days=LONGEST_PAUSE.days, seconds=-1)
    alive(defaults={"at": clock()})
    tasks.deadlines()
    assert rows(match) == ["start", "pause"]
    clock.forward(seconds=1)
    tasks.deadlines()
    match = fresh(match)
    assert (rows(match), match.paused_at, match.deadline) == (["start", "pause", "resume"], None, clock() + 2 * DAY)
    assert (match.moves.last().by, match.moves.last().news[0]["seat"]) == ("server", None)
    assert "The pause has lasted 28 days and is over." in page(alice, match)
    assert pauses.end(match.pk) is None


def test_bots_wait_in_a_pause(clock, alice, bob):
    for _try in range(20):
        match = seated(alice, bob, bots=2)
        if match.active_bot:
            break
    match = paused(match)
    assert match.active_bot
    assert tasks.bots() == 0
    assert turns.play_bots(match.pk) == 0
    clock.forward(minutes=10)
    assert Client().get("/healthz").json()["idle_bots"] == 0
    assert 'http-equiv="refresh"' not in page(alice, match)
    pauses.resume(match.pk, number_of(match, alice), version=match.version)
    assert fresh(match).deadline is None
    assert tasks.bots() > 0


def test_giving_up_and_calling_off_go_on_in_a_pause(alice, bob, charlie):
    match = paused(seated(alice, bob, charlie))
    leaving.resign(match.pk, match.active_seat, version=match.version)
    match = fresh(match)
    assert match.paused_at is not None
    assert records.differences(match) == []
    left = consent.people(list(match.seats.all()))
    pauses.resume(match.pk, left[0], version=match.version)
    match = fresh(match)
    assert (match.active_bot, match.deadline, match.stopped) == (True, None, [])
    tasks.bots()
    match = paused(fresh(match))
    assert match.paused_at is not None
    for seat in left:
        consent.propose(match.pk, seat, CANCEL, version=match.version)
    match = fresh(match)
    assert (match.status, match.paused_at) == ("cancelled", None)
    assert records.differences(match) == []
    two = paused(seated(alice, bob))
    leaving.call_off(two.pk, 0, version=two.version)
    assert (fresh(two).status, fresh(two).paused_at) == ("cancelled", None)
    two = paused(seated(alice, bob))
    leaving.resign(two.pk, 0, version=two.version)
    assert (fresh(two).status, fresh(two).paused_at) == ("finished", None)
    assert records.differences(fresh(two)) == []


def test_verification_finds_a_pause_that_does_not_follow(alice, bob):
    match = seated(alice, bob)
    Match.objects.filter(pk=match.pk).update(paused_at=match.started_at)
    assert "pause" in [found.what for found in records.differences(fresh(match))]
    Match.objects.filter(pk=match.pk).update(paused_at=None)
    match = paused(match)
    Match.objects.filter(pk=match.pk).update(paused_at=None)
    assert "pause" in [found.what for found in records.differences(fresh(match))]
    Match.objects.filter(pk=match.pk).update(paused_at=match.paused_at, deadline=match.paused_at)
    assert "pause" in [found.what for found in records.differences(fresh(match))]


@pytest.mark.parametrize("kinds", [["pause", "pause"], ["resume"], ["pause", "timeout"], ["pause", "clock", "timeout"]])
def test_verification_finds_rows_that_cannot_be_while_time_stands_still(alice, bob, kinds):
    match = seated(alice, bob)
    record, seed = records.dump(match), bytes(match.seed)
    opened = match.rules.observe(verify.last_state(record, match.rules), "open")
    for number, kind in enumerate(kinds, start=2):
        row = {"number": number, "kind": kind, "seat": 0, "text": "", "at": number, "news": []}
        digest = verify.digest(seed, record["rows"][-1]["digest"], row, opened)
        record["rows"].append(row | {"digest": digest})
    assert verify.check(record, match.rules) == [verify.Difference(1 + len(kinds), "pause")]
    del record["rows"][-1]
    assert verify.check(record, match.rules) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_who_end_a_pause_one_does(alice, bob, rounds):
    for _round in range(max(rounds // 3, 10)):
        match = paused(seated(alice, bob))
        ends = [partial(pauses.resume, match.pk, seat, version=match.version) for seat in (0, 1)]
        results = at_once([*map(outcome, ends), partial(pauses.end, match.pk)])
        assert sum(isinstance(result, Move) for result in results) == 1
        assert rows(match) == ["start", "pause", "resume"]
        assert len(fresh(match).stopped) == 1


def test_a_reminder_counts_no_pause(clock, alice, bob):
    match = seated(alice, bob, days=2)
    clock.forward(hours=1)
    match = paused(match)
    assert match.remind_at is None
    clock.forward(days=20)
    pauses.resume(match.pk, 0, version=match.version)
    match = fresh(match)
    assert match.deadline == clock() + 2 * DAY - timedelta(hours=1)
    assert match.remind_at == match.deadline - timedelta(hours=12)  # a quarter of two days, not of twenty-two
    assert tasks.reminders() == 0
    late = mover_of(match)
    choices.save(late, {}, reminder_share=50)
    assert fresh(match).remind_at == match.deadline - timedelta(hours=24)
