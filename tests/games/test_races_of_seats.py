"""Races for a seat, and out of one: joining, starting, calling off, giving up and running out of time."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from games import tasks
from games.clock import GRACE
from games.models import Move
from games.now import now
from games.services import leaving, lobby, records, turns
from tests.conftest import seated, steps_for
from tests.racing import at_once, due_at, outcome

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tries(rounds: int) -> int:
    """How often each race here is run."""
    return max(rounds // 3, 10)


def open_match(user, seats=2):
    """An open match of the user, and the token of its invitation."""
    match = lobby.create(user, lobby.Proposal("red", seats, 0))
    return match, match.invitations.get().token


def joining(match, user, token):
    """The call by which the user joins; it gives the status of the match, or why not."""
    return outcome(lambda: lobby.join(match.pk, user, token).status)


def rows(match):
    """The kinds of the rows behind the start, with their seats."""
    return list(match.moves.exclude(kind="start").order_by("number").values_list("kind", "seat"))


def test_the_last_seat_is_had_once(alice, person, tries):
    rivals = [person(f"rival-{number}") for number in range(6)]
    for _time in range(tries):
        match, token = open_match(alice)
        answers = at_once([joining(match, user, token) for user in rivals])
        assert sorted(answers) == ["playing"] + ["seats_taken"] * 5
        match.refresh_from_db()
        assert (match.seats.count(), match.moves.count(), match.version) == (2, 1, 1)


def test_who_joins_twice_at_once_has_one_seat(alice, bob, tries):
    for _time in range(tries):
        match, token = open_match(alice, seats=3)
        answers = at_once([joining(match, bob, token)] * 4)
        assert set(answers) == {"open"}
        match.refresh_from_db()
        assert (match.status, match.seats.count(), match.seats.filter(user=bob).count()) == ("open", 2, 1)


def test_who_takes_the_last_seat_twice_at_once_starts_the_match_once(alice, bob, tries):
    for _time in range(tries):
        match, token = open_match(alice)
        assert "seats_taken" not in at_once([joining(match, bob, token)] * 4)
        match.refresh_from_db()
        assert (match.seats.count(), match.version, match.moves.count()) == (2, 1, 1)


def test_a_match_starts_once_with_all_who_joined_at_once(alice, person, tries):
    friends = [person(f"friend-{number}") for number in range(3)]
    for _time in range(tries):
        match, token = open_match(alice, seats=4)
        answers = at_once([joining(match, user, token) for user in friends])
        assert set(answers) <= {"open", "playing"}
        match.refresh_from_db()
        assert match.status == "playing"
        assert {seat.user for seat in match.seats.all()} == {alice, *friends}
        assert list(match.moves.values_list("kind", "number")) == [("start", 1)]
        assert records.differences(match) == []


@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_is_called_off_or_joined(alice, bob, tries, seats):
    for _time in range(tries):
        match, token = open_match(alice, seats)
        cancel = outcome(partial(lobby.cancel, match.pk, alice))
        joined, cancelled = at_once([joining(match, bob, token), cancel])
        match.refresh_from_db()
        sits = match.seats.filter(user=bob).exists()
        # Into a match that was called off nobody comes; one that began is not called off.
        assert sits == (joined != "seats_taken")
        assert (match.status == "cancelled") == (cancelled is None)
        assert match.moves.count() == (match.status == "playing")
        assert match.status == ("playing" if cancelled == "not_running" else "cancelled")
        if seats == 3:
            assert cancelled is None


@pytest.mark.parametrize("same_seat", [True, False])
def test_a_move_or_a_resignation_is_first(alice, bob, tries, same_seat):
    for number in range(tries):
        match = seated(alice, bob)
        mover, steps = match.active_seat, steps_for(match, number)
        leaver = mover if same_seat else 1 - mover
        move = outcome(partial(turns.play, match.pk, mover, steps, version=1, key=uuid4()))
        resign = outcome(partial(leaving.resign, match.pk, leaver, version=1))
        moved, resigned = at_once([move, resign])
        match.refresh_from_db()
        assert rows(match) == ([("play", mover)] if isinstance(moved, Move) else [("resign", leaver)])
        assert isinstance(moved, Move) != isinstance(resigned, Move)
        assert {moved, resigned} & {"stale_version", "not_running", "not_your_turn"}
        assert match.version == 2
        assert (match.status == "finished") >= isinstance(resigned, Move)
        assert records.differences(match) == []


@pytest.mark.parametrize("people", [2, 3])
@pytest.mark.parametrize("same_seat", [True, False])
def test_a_resignation_or_the_clock_is_first(alice, bob, charlie, tries, people, same_seat):
    for _time in range(tries):
        match = seated(*[alice, bob, charlie][:people])
        slow = match.active_seat
        leaver = slow if same_seat else (slow + 1) % people
        due_at(match, now() - GRACE - timedelta(minutes=1))
        resign = outcome(partial(leaving.resign, match.pk, leaver, version=1))
        resigned, timed_out = at_once([resign, partial(leaving.time_out, match.pk)])
        match.refresh_from_db()
        assert isinstance(resigned, Move) or timed_out
        gone = [("resign", leaver)] * isinstance(resigned, Move) + [("timeout", slow)] * bool(timed_out)
        # Both only where the clock looked after another seat had left: the match went on, and its turn was still due.
        assert len(gone) == 1 or (people == 3 and not same_seat)
        assert rows(match) == gone
        assert sorted(seat.number for seat in match.seats.exclude(left_version=None)) == sorted(
            seat for _how, seat in gone
        )
        assert match.status == ("finished" if people == 2 else "playing")
        assert records.differences(match) == []
        tasks.deadlines()  # whoever is still overdue is out now, and is so once
        assert match.moves.filter(kind="timeout").count() <= 1
        match.delete()


def test_of_two_who_give_up_at_once_one_does(alice, bob, tries):
    for _time in range(tries):
        match = seated(alice, bob)
        gave_up = at_once([outcome(partial(leaving.resign, match.pk, seat, version=1)) for seat in (0, 1)])
        match.refresh_from_db()
        assert sum(isinstance(answer, Move) for answer in gave_up) == 1
        loser = next(answer.seat for answer in gave_up if isinstance(answer, Move))
        assert rows(match) == [("resign", loser)]
        assert [seat.place for seat in match.seats.order_by("number")] == [1 + (seat == loser) for seat in (0, 1)]
        assert (match.status, match.end_reason) == ("finished", "resign")
        assert records.differences(match) == []
