"""Winning without playing: by second accounts, by dealing until the hand is good, by guests of one's own."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings

from accounts.models import User
from games import tasks
from games.models import Achievement, Match, Pace, Rating
from games.services import capacity, honours, invitations, leaving, lobby, paces, rematch, seating, standings
from games.services.leaving import CalledOffTooOften
from games.services.seating import RatedTogetherTooOften
from tests.api.calling import Program, problem
from tests.client import client_of
from tests.conftest import seated
from tests.games.leaving import gives_up

pytestmark = pytest.mark.django_db


def lost_at_once(winner: User, loser: User) -> Match:
    """A rated match that the loser gives up as soon as it begins."""
    return gives_up(seated(winner, loser, rated=True), loser)


def test_a_second_account_loses_five_times_a_day_and_no_more(clock, alice, bob, charlie):
    for _each in range(settings.RATED_TOGETHER):
        over = lost_at_once(alice, bob)
    open_one = lobby.create(alice, lobby.Proposal("red", 2, 0, days=2, rated=True))
    join = f"{open_one.get_absolute_url()}join/{open_one.invitations.get().token}/"
    assert client_of(bob).post(join).status_code == 409
    assert open_one.seats.count() == 1
    clock.forward(seconds=1)
    again = rematch.again(over, bob)  # nor by a chain of rematches, from whichever side
    with pytest.raises(RatedTogetherTooOften):
        invitations.accept(again.invitations.get(to=alice))
    assert Match.objects.get(pk=again.pk).status == "open"
    lobby.join(open_one.pk, charlie, open_one.invitations.get(to=None).token)  # with others there is no end to it
    assert gives_up(seated(alice, bob), bob).status == "finished"  # nor to what is not rated
    clock.forward(days=1)
    assert lost_at_once(alice, bob).status == "finished"


def test_who_loses_to_one_player_only_makes_nobody_sure(clock, alice, bob):
    """What a second account gives away leads to no rank: the more it has lost the less its losing tells."""
    for day in range(4):
        for _each in range(settings.RATED_TOGETHER):
            lost_at_once(alice, bob)
        clock.forward(days=day + 1)
    standings.rate_due()
    assert Rating.objects.get(user=alice, family="red").skill.provisional


def test_a_bad_hand_is_dealt_again_three_times_a_month_and_no_more(clock, alice, bob):
    def begun() -> Match:
        clock.forward(days=1)
        return seated(alice, bob, rated=True)

    first = clock.moment
    for _each in range(leaving.MOST_CALLED_OFF):
        match = begun()
        assert client_of(alice).post(f"{match.get_absolute_url()}cancel/", {"version": "1"}).status_code == 302
    match = begun()
    for answer in (
        client_of(alice).get(f"{match.get_absolute_url()}cancel/"),
        client_of(alice).post(f"{match.get_absolute_url()}cancel/", {"version": "1"}),
    ):
        assert (answer.status_code, b"called off several rated matches" in answer.content) == (409, True)
    problem(Program(alice).post(f"/matches/{match.slug}/call-off", {"version": 1}), 409, "called_off_too_often")
    match.refresh_from_db()
    assert (match.status, match.version) == ("playing", 1)
    unrated = seated(alice, bob)
    leaving.call_off(unrated.pk, unrated.seats.get(user=alice).number, version=1)
    leaving.call_off(match.pk, match.seats.get(user=bob).number, version=1)  # who has done it seldom may
    clock.moment = first + leaving.LATELY + timedelta(days=1)
    match, other = seated(alice, bob, rated=True), seated(alice, bob, rated=True)
    leaving.call_off(match.pk, match.seats.get(user=alice).number, version=1)
    with pytest.raises(CalledOffTooOften):  # only the oldest is forgotten
        leaving.call_off(other.pk, other.seats.get(user=alice).number, version=1)


def test_guests_of_ones_own_bring_no_honour_no_name_for_finishing_and_no_room(clock, settings, alice, bob):
    settings.MATCHES_AT_ONCE = settings.MATCHES_AT_ONCE | {"first": 3, "more": 5}
    for number in range(10):
        guests = [User.objects.create_guest() for _each in range(3 if not number else 1)]
        assert gives_up(seated(alice, *guests, leave_policy="end"), guests[0]).seats.get(user=alice).place == 1
        clock.forward(minutes=1)
    tasks.tallies()
    honours.update()
    paces.update()
    assert not Achievement.objects.filter(user=alice).exists()
    assert Pace.objects.get(user=alice).finished == 0
    assert capacity.allowed(alice) == 3
    gives_up(seated(alice, bob), bob)  # the same with somebody who has an account
    clock.forward(minutes=1)
    honours.update()
    paces.update()
    assert {"first", "win"} <= set(Achievement.objects.filter(user=alice).values_list("name", flat=True))
    assert Pace.objects.get(user=alice).finished == 1
    assert capacity.allowed(alice) == 8


def test_nobody_is_rated_with_whom_they_have_made_themselves(alice):
    guest = User.objects.create_guest()
    match = lobby.create(alice, lobby.Proposal("red", 2, 0, days=2, rated=True))
    token = match.invitations.get().token
    for attempt in (lambda: lobby.join(match.pk, guest, token), lambda: lobby.sit(match.pk, guest)):
        with pytest.raises((seating.NeedsAccount, lobby.NotListed)):
            attempt()
    for bots in (1,):
        answer = Program(alice).post("/matches", {"game": "red", "seats": 2, "bots": bots, "rated": True})
        assert answer.status_code in (409, 422)
    assert match.seats.count() == Match.objects.count() == 1
