"""Before the start, too, who is first wins, alone: seats, invitations and rematches asked for at the same moment."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from games import tasks
from games.models import OPEN_FOR, Invitation, Match
from games.now import now
from games.services import invitations, leaving, lobby, rematch
from games.services.lobby import Proposal
from tests.conftest import seated
from tests.racing import at_once, outcome

pytestmark = pytest.mark.django_db(transaction=True)


def sound(match: Match) -> Match:
    """The match as it is now; it never has more people than seats, and runs if and only if it is full."""
    match.refresh_from_db()
    seats = match.seats.count()
    assert seats <= match.seat_count
    assert (match.status == "playing") == (seats == match.seat_count)
    assert match.moves.count() == match.version == (1 if match.status == "playing" else 0)
    return match


def test_the_last_two_seats_at_once_start_the_match_once(alice, person, rounds):
    people = [person(f"rival-{number}") for number in range(3)]
    for _round in range(max(rounds // 5, 6)):
        match = lobby.create(alice, Proposal("red", 3, 0, listed=True))
        answers = at_once([outcome(lambda u=user, m=match: lobby.sit(m.pk, u).pk) for user in people])
        assert sorted(map(str, answers)) == sorted([str(match.pk)] * 2 + ["seats_taken"])
        assert sound(match).status == "playing"


def test_of_sitting_down_and_calling_off_one_happens(alice, bob, rounds):
    for _round in range(max(rounds // 3, 10)):
        match = lobby.create(alice, Proposal("red", 2, 0, listed=True))
        sits, off = at_once(
            [
                outcome(lambda m=match: lobby.sit(m.pk, bob).status),
                outcome(lambda m=match: lobby.cancel(m.pk, alice)),
            ]
        )
        assert (sits, off) in (("playing", "not_running"), ("seats_taken", None))
        match.refresh_from_db()
        assert match.status == ("playing" if sits == "playing" else "cancelled")
        assert match.seats.count() == (2 if sits == "playing" else 1)


def test_of_sitting_down_and_running_out_of_time_one_happens(alice, bob, rounds):
    for _round in range(max(rounds // 3, 10)):
        match = lobby.create(alice, Proposal("red", 2, 0, listed=True))
        Match.objects.filter(pk=match.pk).update(created_at=now() - OPEN_FOR - timedelta(seconds=1))
        sits, swept = at_once([outcome(lambda m=match: lobby.sit(m.pk, bob).status), tasks.open_tables])
        assert (sits, swept) in (("playing", 0), ("seats_taken", 1))
        match.refresh_from_db()
        assert (match.status, match.end_reason) == (("cancelled", "unfilled") if swept else ("playing", ""))


def test_leaving_and_somebody_sitting_down_at_once(alice, bob, charlie, rounds):
    for _round in range(max(rounds // 3, 10)):
        match = lobby.create(alice, Proposal("red", 3, 0, listed=True))
        lobby.sit(match.pk, bob)
        sits, left = at_once(
            [
                outcome(lambda m=match: lobby.sit(m.pk, charlie).status),
                outcome(lambda m=match: lobby.leave(m.pk, bob)),
            ]
        )
        assert (sits, left) in (("playing", "not_running"), ("open", None))
        assert sound(match).seats.filter(user=charlie).count() == 1
        assert match.seats.filter(user=bob).count() == (1 if left else 0)


def test_of_accepting_and_withdrawing_one_happens(alice, bob, rounds):
    for _round in range(max(rounds // 3, 10)):
        match = lobby.create(alice, Proposal("red", 3, 0), [bob])
        asked = match.invitations.get(to=bob)
        accepted, withdrawn = at_once(
            [
                outcome(lambda one=asked: invitations.accept(one).status),
                outcome(lambda one=asked: invitations.withdraw(one)),
            ]
        )
        assert (accepted, withdrawn) in (("open", "not_waiting"), ("not_waiting", None))
        assert sound(match).seats.filter(user=bob).count() == (1 if accepted == "open" else 0)
        assert Invitation.objects.get(pk=asked.pk).fate(now()) == ("accepted" if accepted == "open" else "withdrawn")
        lobby.cancel(match.pk, alice)


def test_a_seat_is_kept_once_for_two_who_are_invited_at_once(alice, bob, charlie, person, rounds):
    dora = person("dora")
    for _round in range(max(rounds // 5, 6)):
        match = lobby.create(alice, Proposal("red", 3, 0, listed=True))
        lobby.sit(match.pk, bob)
        calls = [
            outcome(lambda m=match: invitations.invite(m.pk, alice, [charlie])),
            outcome(lambda m=match: invitations.invite(m.pk, bob, [dora])),
        ]
        assert sorted(map(str, at_once(calls))) == ["None", "cannot_invite"]
        lobby.cancel(match.pk, alice)


def test_two_new_links_at_once_leave_one_that_works(alice, rounds):
    for _round in range(max(rounds // 5, 6)):
        match = lobby.create(alice, Proposal("red", 3, 0))
        at_once([partial(invitations.withdraw_link, match.pk, alice, renew=True)] * 3)
        assert match.invitations.filter(to=None, revoked_at=None).count() == 1


def test_a_rematch_that_several_ask_for_at_once_is_one(alice, bob, charlie, rounds):
    people = [alice, bob, charlie]
    for number in range(max(rounds // 5, 6)):
        first = seated(*people[: 2 + number % 2])
        while first.status == "playing":
            leaver = first.seats.filter(left_version=None).first()
            leaving.resign(first.pk, leaver.number, version=first.version)
            first.refresh_from_db()
        users = [seat.user for seat in first.seats.all()]
        answers = at_once([partial(rematch.again, first, user) for user in [*users, *users]])
        second = Match.objects.get(rematch_of=first)
        assert {match.pk for match in answers} == {second.pk}
        assert sound(second).status == "playing"
