"""How a match comes to be."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.models import Match
from games.services import lobby
from games.services.errors import BadRequest, NotRunning, Refused
from games.services.invitations import UnknownInvitation
from games.services.lobby import Proposal
from games.services.seating import SeatsTaken


def test_a_match_full_of_bots_starts_at_once(alice):
    match = Match.objects.get(pk=lobby.create(alice, Proposal("red", 4, 3)).pk)
    assert (match.status, match.version, match.seats.count()) == ("playing", 1, 4)
    assert match.seats.exclude(bot_level="").count() == 3
    assert not match.invitations.exists()


def test_a_match_with_friends_waits_for_them(alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 3, 0))
    token = match.invitations.get().token
    assert match.status == "open"
    assert lobby.join(match.pk, bob, token).status == "open"
    assert lobby.join(match.pk, bob, token).seats.count() == 2
    assert lobby.join(match.pk, charlie, token).status == "playing"


def test_a_friend_takes_the_seat_between_person_and_bot(alice, bob):
    match = lobby.create(alice, Proposal("red", 3, 1))
    match = lobby.join(match.pk, bob, match.invitations.get().token)
    assert match.status == "playing"
    assert {seat.user.kind for seat in match.seats.all()} == {"person", "bot"}


def test_the_last_seat_is_had_once(alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 2, 0))
    token = match.invitations.get().token
    lobby.join(match.pk, bob, token)
    with pytest.raises(SeatsTaken):
        lobby.join(match.pk, charlie, token)
    assert match.seats.count() == 2


def test_an_invitation_is_for_its_own_match(alice, bob):
    first, second = (lobby.create(alice, Proposal("red", 2, 0)) for _each in range(2))
    for token in (first.invitations.get().token, "", "x" * 32):
        with pytest.raises(UnknownInvitation):
            lobby.join(second.pk, bob, token)
    assert second.seats.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"seats": 1},
        {"seats": 5},
        {"bots": -1},
        {"bots": 2},
        {"days": 4},
        {"options": {"game": "expert"}},
        {"options": {"icons": "yes"}},
        {"options": {"icons": 1}},
        {"options": {"colour": "red"}},
    ],
)
def test_what_does_not_exist_is_refused(alice, wrong):
    with pytest.raises(BadRequest):
        lobby.create(alice, Proposal(**{"game": "red", "seats": 2, "bots": 0, **wrong}))
    assert not Match.objects.exists()


@pytest.mark.parametrize("proposal", [{"bots": 1, "days": 2}, {"bots": 0, "days": None}])
def test_a_rated_match_needs_people_and_a_clock(alice, proposal):
    with pytest.raises(Refused):
        lobby.create(alice, Proposal("red", 2, rated=True, **proposal))


def test_a_guest_plays_unrated(db, alice):
    guest = User.objects.create_guest()
    with pytest.raises(Refused):
        lobby.create(guest, Proposal("red", 2, 0, days=2, rated=True))
    match = lobby.create(alice, Proposal("red", 2, 0, days=2, rated=True))
    with pytest.raises(Refused):
        lobby.join(match.pk, guest, match.invitations.get().token)


def test_only_the_creator_calls_off_and_only_before_the_start(alice, bob):
    match = lobby.create(alice, Proposal("red", 2, 0))
    with pytest.raises(NotRunning):
        lobby.cancel(match.pk, bob)
    lobby.cancel(match.pk, alice)
    with pytest.raises(SeatsTaken):
        lobby.join(match.pk, bob, match.invitations.get().token)
    running = lobby.create(alice, Proposal("red", 2, 1))
    with pytest.raises(NotRunning):
        lobby.cancel(running.pk, alice)


def test_once_more_is_the_same_game_with_the_same_bots(alice):
    first = lobby.create(alice, Proposal("red", 3, 2, options={"game": "advanced"}, days=3))
    second = Match.objects.get(pk=lobby.again(first, alice).pk)
    assert (second.options, second.allowance, second.seat_count) == (first.options, first.allowance, 3)
    assert second.status == "playing"
    assert second.seed != first.seed
    assert second.slug != first.slug
