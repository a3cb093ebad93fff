"""Giving time to whoever is to move."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from accounts.models import Holiday, User
from games import tasks
from games.clock import BANKS, GRACE, GRANTS
from games.models import Heartbeat, Match, Move
from games.now import now
from games.services import clocks, consent, grants, holidays, leaving, pauses, records, turns
from games.services.errors import NotRunning, StaleMatch
from games.services.grants import CannotGrant
from tests.client import Client, client_of
from tests.conftest import fresh, move, mover_of, play_out, seated, steps_for
from tests.racing import around, at_once, due_at, outcome, race

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def other(match: Match) -> User:
    """Somebody who is not to move."""
    return match.seats.select_related("user").exclude(number=match.active_seat).first().user


def post(user: User, match: Match, **fields: object) -> int:
    return client_of(user).post(match.get_absolute_url() + "give/", fields).status_code


def give(match: Match) -> Move:
    """The one who is not to move gives."""
    return grants.give(match.pk, match.seats.get(user=other(match)).number, version=match.version)


def alive(clock) -> None:
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock()})


def test_a_turn_more_by_a_clock_of_days(clock, alice, bob):
    match = seated(alice, bob, days=2)
    clock.forward(hours=30)
    giver, taker = other(match), mover_of(match)
    html = client_of(giver).get(match.get_absolute_url()).content.decode()
    assert f"Give {taker} more time" in html
    assert "2 d" in html
    assert "It is 2 d. You can do so 3 times more." in html
    assert post(giver, match, version=1) == 302
    match = fresh(match)
    assert (match.deadline, match.granted, match.since_version) == (match.decision_at + 4 * DAY, 2 * 86400, 1)
    row = match.moves.last()
    seat = match.seats.get(user=giver).number
    assert (row.kind, row.by, row.seat) == ("clock", "user", seat)
    assert row.news == [{"what": "clock", "why": "grant", "seat": match.active_seat, "by": seat, "seconds": 2 * 86400}]
    said = {user: client_of(user).get(match.get_absolute_url()).content.decode() for user in (giver, taker)}
    assert f'You give <b class="who">{taker}</b> 2 d more.' in said[giver]
    assert f'<b class="who">{giver}</b> gives you 2 d more.' in said[taker]
    assert "2 times more" in said[giver]
    assert records.differences(match) == []
    # What is given is for this turn alone.
    match = move(match)
    assert (match.deadline, match.granted) == (clock() + 2 * DAY, 0)
    assert records.differences(play_out(match)) == []


def test_what_was_given_stays_whatever_else_moves_the_deadline(clock, alice, bob):
    match = seated(alice, bob, days=2, rests=True)
    begun, taker = clock(), mover_of(match)
    give(match)
    alive(clock)
    clock.forward(hours=2)
    tasks.deadlines()  # downtime
    assert fresh(match).deadline == begun + 4 * DAY + 2 * HOUR
    today = clock().date()
    holidays.take(taker, today + DAY, today + DAY)
    assert fresh(match).deadline == begun + 5 * DAY + 2 * HOUR
    holidays.end(Holiday.objects.get().pk)
    assert fresh(match).deadline == begun + 4 * DAY + 2 * HOUR
    for seat in (0, 1):
        consent.propose(match.pk, seat, consent.Consent.Kind.PAUSE, version=fresh(match).version)
    clock.forward(hours=5)
    pauses.resume(match.pk, 0, version=fresh(match).version)
    match = fresh(match)
    assert match.deadline == begun + 4 * DAY + 7 * HOUR
    assert clocks.review(match.pk) is None
    assert records.differences(match) == []


def test_by_a_bank_what_a_turn_adds_as_far_as_the_bank_holds_it(clock, alice, bob):
    match = seated(alice, bob, days=None, bank=BANKS[1])
    clock.forward(hours=10)
    give(match)
    match = fresh(match)
    assert match.seats.get(number=match.active_seat).bank == 84 * 3600
    assert (match.deadline, match.granted) == (match.decision_at + 84 * HOUR, 0)
    match.seats.filter(number=match.active_seat).update(bank=123 * 3600)
    give(match)
    match = fresh(match)  # of 113 hours that are left to the cap of 120
    assert match.moves.last().news[0]["seconds"] == 7 * 3600
    assert match.deadline == clock() + 120 * HOUR
    with pytest.raises(CannotGrant, match="cannot_grant") as refused:
        give(match)
    assert "as much time left as the clock" in str(refused.value.sentence)
    seat = match.active_seat
    match = move(match)
    assert match.seats.get(number=seat).bank == 120 * 3600
    assert records.differences(match) == []


def test_a_seat_gives_three_times_in_a_match(clock, alice, bob):
    match = seated(alice, bob, game="barvosauri", days=1)
    giver = other(match)
    for number in range(GRANTS):
        assert post(giver, match, version=match.version) == 302
        match = fresh(match)
        assert match.deadline == match.decision_at + (2 + number) * DAY
    assert post(giver, match, version=match.version) == 409
    assert "more time" not in client_of(giver).get(match.get_absolute_url()).content.decode()
    match = move(match)
    taker = other(match)
    if mover_of(match) == giver:
        match = move(match)
    assert fresh(match).version == match.version
    while mover_of(match) == giver:
        match = move(match)
    assert post(giver, match, version=match.version) == 409
    assert taker != giver or match.granted == 0
    assert match.moves.filter(kind=Move.Kind.CLOCK).count() == GRANTS


def test_who_cannot_be_given_time_and_who_cannot_give(clock, alice, bob, charlie, person):
    left = person("dora")
    match = seated(alice, bob, left, days=2)
    giver = next(user for user in (alice, bob) if user != mover_of(match))
    before = fresh(match)
    leaving_seat = match.seats.get(user=left).number
    assert post(mover_of(match), match, version=1) == 409  # oneself
    for user in (charlie, User.objects.create_guest()):
        assert post(user, match, version=1) == 404
    assert Client().post(match.get_absolute_url() + "give/", {"version": 1}).status_code == 404
    for version, status in ((0, 409), (2, 409), ("", 400), ("-1", 400), ("9" * 30, 400)):
        assert post(giver, match, version=version) == status
    assert (fresh(match).version, fresh(match).granted, fresh(match).deadline) == (1, 0, before.deadline)
    leaving.resign(match.pk, leaving_seat, version=1)
    match = fresh(match)
    assert post(left, match, version=match.version) == 404
    with pytest.raises(NotRunning):
        grants.give(match.pk, leaving_seat, version=match.version)
    # No time for a bot, none without a clock, none in a pause, none for a match that is over.
    free = seated(alice, bob, days=None)
    assert post(other(free), free, version=1) == 409
    assert "more time" not in client_of(other(free)).get(free.get_absolute_url()).content.decode()
    for _try in range(20):
        botted = seated(alice, bots=1, days=2)
        if botted.active_bot:
            break
    assert post(alice, botted, version=1) == 409
    for seat in consent.people(list(match.seats.all())):
        consent.propose(match.pk, seat, consent.Consent.Kind.PAUSE, version=match.version)
    match = fresh(match)
    assert post(alice, match, version=match.version) == post(bob, match, version=match.version) == 409
    over = play_out(seated(alice, bob))
    assert post(alice, over, version=over.version) == 409
    assert not Move.objects.filter(kind=Move.Kind.CLOCK).exists()


@pytest.mark.django_db(transaction=True)
def test_of_giving_and_a_move_one_is_first(alice, bob, rounds):
    for _round in range(max(rounds // 2, 10)):
        match = seated(alice, bob, days=2, game="barvosauri")
        seat = 1 - match.active_seat
        granted = outcome(partial(grants.give, match.pk, seat, version=1))
        play = partial(turns.play, match.pk, match.active_seat, steps_for(match), version=1, key=uuid4())
        results = at_once([granted, outcome(play)])
        assert sum(isinstance(result, Move) for result in results) == 1
        assert {"stale_version"} == {result for result in results if not isinstance(result, Move)}
        match = fresh(match)
        assert match.version == 2
        assert match.granted == (2 * 86400 if isinstance(results[0], Move) else 0)
        assert records.differences(match) == []


@pytest.mark.django_db(transaction=True)
def test_of_giving_and_running_out_of_time_one_happens(alice, bob, rounds):
    seen = set()
    for number in range(max(rounds // 2, 10)):
        match = seated(alice, bob, days=2)
        due_at(match, now() - GRACE + around(number))
        give_time = outcome(partial(grants.give, match.pk, 1 - match.active_seat, version=1))
        given, ended = race(number, [give_time, partial(leaving.time_out, match.pk)])
        assert isinstance(given, Move) + isinstance(ended, Move) <= 1
        match = fresh(match)
        assert match.version == 1 + isinstance(given, Move) + isinstance(ended, Move)
        assert (match.status == "finished") == isinstance(ended, Move)
        seen |= {name for name, result in (("given", given), ("ended", ended)) if isinstance(result, Move)}
        match.delete()
    assert seen == {"given", "ended"}


@pytest.mark.django_db(transaction=True)
def test_ten_who_give_at_once_give_once(alice, bob, rounds):
    for _round in range(max(rounds // 5, 5)):
        match = seated(alice, bob, days=None, bank=BANKS[0])
        give_time = outcome(partial(grants.give, match.pk, 1 - match.active_seat, version=1))
        results = at_once([give_time] * 6)
        assert sum(isinstance(result, Move) for result in results) == 1
        assert match.seats.get(number=match.active_seat).bank == 30 * 3600
    with pytest.raises(StaleMatch):
        grants.give(match.pk, 1 - match.active_seat, version=1)
