"""Notices: what is told to whom, once; made out by choices, gathered, claimed, looked at again, sent and marked."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games import tasks
from games.delivery import digests, routing, sending
from games.delivery.faults import Later, Never
from games.models import Channel, Choice, Delivery, Match, Notice
from games.services import invitations, leaving, lobby, notices
from tests.conftest import move, mover_of, play_out, seated, steps_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]


@pytest.fixture
def reachable(alice, bob):
    """Both have an address, and were last here a while ago."""

    def away(moment):
        User.objects.filter(pk__in=(alice.pk, bob.pk)).update(seen_at=moment - timedelta(hours=1))

    for user in (alice, bob):
        User.objects.filter(pk=user.pk).update(email=f"{user.username}@example.org")
        user.refresh_from_db()
    return away


@pytest.fixture
def sent(monkeypatch):
    """What a sender that takes everything was given: pairs of user name and kind."""
    found: list[tuple[str, str]] = []

    def take(row):
        found.append((row.notice.user.username, row.notice.kind))

    monkeypatch.setitem(sending.SENDERS, Channel.MAIL, take)
    return found


def kinds(user) -> list[str]:
    return list(Notice.objects.filter(user=user).exclude(kind="digest").order_by("pk").values_list("kind", flat=True))


def other(match: Match) -> User:
    return match.seats.exclude(number=match.active_seat).first().user


def test_whose_turn_begins_is_told_so_and_who_moves_is_not(alice, bob):
    match = seated(alice, bob)
    first, second = mover_of(match), other(match)
    assert (kinds(first), kinds(second)) == (["turn"], [])
    match = move(match)
    assert match.status == "playing"
    assert (kinds(first), kinds(second)) == (["turn"], ["turn"])
    assert Notice.objects.get(user=second).version == match.since_version == 2


def test_the_same_is_told_once(alice, bob):
    match = seated(alice, bob)
    told = Notice.objects.get(user=mover_of(match))
    notices.store([Notice(user=told.user, kind="turn", key=told.key, match=match, version=1, at=told.at)])
    assert Notice.objects.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Notice.objects.create(user=told.user, kind="turn", key=told.key, at=told.at)


def test_a_refused_move_tells_nothing(alice, bob):
    match = seated(alice, bob)
    with pytest.raises(leaving.StaleMatch):
        leaving.resign(match.pk, 0, version=match.version + 1)
    assert Notice.objects.count() == 1


def test_the_end_is_told_to_who_did_not_bring_it_about(alice, bob):
    match = play_out(seated(alice, bob))
    last = match.moves.last()
    told = Notice.objects.filter(kind="ended")
    assert [notice.user_id for notice in told] == list(
        match.seats.exclude(number=last.seat).values_list("user", flat=True)
    )


def test_who_runs_out_of_time_is_told_as_well(clock, alice, bob):
    match = seated(alice, bob)
    late = mover_of(match)
    clock.forward(days=2, seconds=10)
    tasks.deadlines()
    assert kinds(late)[-1] == "ended"


def test_an_invitation_by_name_is_a_notice(alice, bob):
    match = lobby.create(alice, lobby.Proposal(game="red", seats=2, bots=0, days=2), [bob])
    assert kinds(bob) == ["invited"]
    invitations.withdraw(match.invitations.get(to=bob))
    assert digests.gather(bob.pk) is None


@pytest.mark.parametrize(("share", "hours"), [(25, 36), (50, 24), (10, 43)])
def test_a_reminder_comes_once_when_the_share_is_left(clock, alice, bob, share, hours):
    User.objects.update(reminder_share=share)
    match = seated(User.objects.get(pk=alice.pk), User.objects.get(pk=bob.pk))
    user = mover_of(match)
    clock.forward(hours=hours, seconds=-1)
    assert tasks.reminders() == 0
    clock.forward(minutes=13)
    assert tasks.reminders() == 1
    assert [tasks.reminders() for _each in range(10)] == [0] * 10
    assert kinds(user) == ["turn", "reminder"]


def test_no_reminder_of_a_decision_that_was_made(clock, alice, bob):
    match = seated(alice, bob)
    user = mover_of(match)
    clock.forward(hours=30)
    match = move(match)
    clock.forward(hours=10)
    assert tasks.reminders() == 0
    assert "reminder" not in kinds(user)


def test_what_waits_goes_in_one_mail_and_none_follows_before_the_user_is_back(clock, alice, bob, reachable, sent):
    first, second = seated(alice, bob), seated(alice, bob)
    while mover_of(second) != mover_of(first):
        second = seated(alice, bob)
    user = mover_of(first)
    reachable(clock())
    tasks.deliveries()
    assert sent == []
    clock.forward(minutes=16)
    tasks.deliveries()
    assert sent.count((user.username, "digest")) == 1
    carried = Delivery.objects.filter(notice__user=user, status="carried")
    assert carried.count() == Notice.objects.filter(user=user, kind="turn").count() >= 2
    # Another turn, while the user has not been back: it waits.
    third = seated(alice, bob)
    while mover_of(third) != user:
        third = seated(alice, bob)
    clock.forward(hours=20)
    tasks.deliveries()
    assert sent.count((user.username, "digest")) == 1
    # Back, and gone again without having looked at it.
    User.objects.filter(pk=user.pk).update(seen_at=clock())
    clock.forward(minutes=30)
    tasks.deliveries()
    assert sent.count((user.username, "digest")) == 2


def test_what_was_settled_meanwhile_is_not_sent(clock, alice, bob, reachable, sent):
    match = seated(alice, bob)
    user = mover_of(match)
    reachable(clock())
    tasks.deliveries()
    move(match)
    clock.forward(minutes=16)
    tasks.deliveries()
    assert (user.username, "digest") not in sent
    assert Delivery.objects.get(notice__user=user).why == "moved"


def test_what_was_seen_is_not_sent(clock, alice, bob, reachable, sent):
    match = seated(alice, bob)
    user = mover_of(match)
    notices.saw_match(user, match)
    reachable(clock())
    clock.forward(minutes=16)
    tasks.deliveries()
    assert sent == []
    assert Delivery.objects.get().why == "seen"


def test_who_is_here_is_written_to_later_not_never(clock, alice, bob, reachable, sent):
    user = mover_of(seated(alice, bob))
    clock.forward(minutes=20)
    User.objects.filter(pk=user.pk).update(seen_at=clock())
    tasks.deliveries()
    assert sent == []
    clock.forward(minutes=5)
    tasks.deliveries()
    assert sent == [(user.username, "digest")]


def test_one_mail_a_minute(clock, alice, bob, reachable, sent):
    Choice.objects.create(user=alice, kind="turn", channel="mail", mode="instant")
    Choice.objects.create(user=bob, kind="turn", channel="mail", mode="instant")
    for _each in range(6):
        seated(alice, bob)
    reachable(clock())
    for minute in range(8):
        tasks.deliveries()
        for user in (alice, bob):
            mine = [one for one in sent if one[0] == user.username]
            assert len(mine) <= minute + 1
        clock.forward(seconds=61)
    assert len(sent) == 6


@pytest.mark.parametrize("fault", ["later", "never", "closed"])
def test_a_try_that_fails_is_repeated_and_at_last_given_up(clock, alice, bob, reachable, monkeypatch, fault):
    tries = []

    def refuse(row):
        tries.append(row.pk)
        raise Never("refused") if fault == "never" else Later("server", closed=fault == "closed")

    monkeypatch.setitem(sending.SENDERS, Channel.MAIL, refuse)
    Choice.objects.create(user=alice, kind="turn", channel="mail", mode="instant")
    Choice.objects.create(user=bob, kind="turn", channel="mail", mode="instant")
    user = mover_of(seated(alice, bob))
    reachable(clock())
    for _each in range(60):
        tasks.deliveries()
        clock.forward(minutes=10)
    row = Delivery.objects.get(notice__user=user, notice__kind="turn")
    assert (row.status, row.why) == ("parked", "refused" if fault == "never" else "server")
    assert len(tries) == (1 if fault == "never" else len(sending.PAUSES) + 1)
    assert Notice.objects.get(user=user, kind="site").facts["what"] == "parked"


def test_whoever_died_while_sending_is_repeated_under_the_same_name(clock, alice, bob, reachable, monkeypatch):
    names = []

    def die(row):
        names.append(row.message_id)
        if len(names) == 1:
            raise KeyboardInterrupt

    monkeypatch.setitem(sending.SENDERS, Channel.MAIL, die)
    Choice.objects.create(user=alice, kind="turn", channel="mail", mode="instant")
    Choice.objects.create(user=bob, kind="turn", channel="mail", mode="instant")
    seated(alice, bob)
    reachable(clock())
    with pytest.raises(KeyboardInterrupt):
        tasks.deliveries()
    tasks.deliveries()
    assert len(names) == 1  # the lease holds
    clock.forward(minutes=3)
    tasks.deliveries()
    assert len(names) == 2
    assert names[0] == names[1] != ""
    assert Delivery.objects.get().status == "sent"


def test_one_that_fails_holds_up_no_other(clock, alice, bob, reachable, monkeypatch):
    taken = []

    def take(row):
        if not taken:
            taken.append("fault")
            raise ValueError("a fault of ours")
        taken.append(row.notice.user.username)

    monkeypatch.setitem(sending.SENDERS, Channel.MAIL, take)
    for user in (alice, bob):
        Choice.objects.create(user=user, kind="turn", channel="mail", mode="instant")
    users = {mover_of(seated(alice, bob)).username for _each in range(12)}
    assert users == {"alice", "bob"}
    reachable(clock())
    tasks.deliveries()
    assert len(taken) >= 2


@pytest.mark.parametrize(
    ("begins", "ends", "at", "until"),
    [
        (22 * 60, 7 * 60, "2026-11-29T21:30+00:00", "2026-11-30T06:00+00:00"),  # Prague is an hour ahead
        (22 * 60, 7 * 60, "2026-11-29T20:30+00:00", None),
        (22 * 60, 7 * 60, "2026-11-30T05:59+00:00", "2026-11-30T06:00+00:00"),
        (22 * 60, 7 * 60, "2026-11-30T06:00+00:00", None),
        (8 * 60, 12 * 60, "2026-11-30T09:00+00:00", "2026-11-30T11:00+00:00"),
        (60, 7 * 60, "2027-03-28T00:30+00:00", "2027-03-28T05:00+00:00"),  # the night of the change
    ],
)
def test_quiet_hours(alice, begins, ends, at, until):
    alice.zone, alice.quiet_from, alice.quiet_to = "Europe/Prague", begins, ends
    moment = datetime.fromisoformat(at)
    expected = datetime.fromisoformat(until) if until else moment
    assert routing.quiet_until(alice, moment) == expected


def test_a_bot_and_who_left_are_told_nothing(alice, bob, charlie):
    match = seated(alice, bob, charlie, bots=1)
    seat = match.seats.get(user=bob)
    leaving.resign(match.pk, seat.number, version=match.version)
    before = Notice.objects.filter(user=bob).count()
    match.refresh_from_db()
    assert set(Notice.objects.filter(kind="table").values_list("user__username", flat=True)) == {"alice", "charlie"}
    for _each in range(6):
        tasks.bots()
        match.refresh_from_db()
        if match.status == "playing" and not match.active_bot:
            match = move(match, steps=steps_for(match))
    assert Notice.objects.filter(user=bob).count() == before
    assert not Notice.objects.filter(user__kind="bot").exists()
