"""Who keeps running out of time sits at few matches at once: new ones are refused, running ones go on."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from accounts.models import User
from games.models import Departure, Match
from games.services import invitations, lobby, people, reliability, rematch, returning, substitutes
from games.services.lobby import Proposal
from games.services.reliability import TooManyTimeOuts
from tests.client import client_of
from tests.conftest import fresh, move, mover_of, seated
from tests.games.doors import FIELDS, Doors
from tests.games.leaving import gives_up, runs_out, seat_of
from tests.racing import at_once, outcome

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

TOLD = "Your time ran out in 3 matches within 30 days"


def times_out(clock, user, *others, bots=0):
    """A match that the user leaves by running out of time."""
    match = seated(user, *others, bots=bots)
    while mover_of(match) != user:
        match = move(match)
    assert runs_out(clock, match) == user
    return match


@pytest.fixture
def late(clock, alice, bob):
    """Alice, who ran out of time three times within a day or two each."""
    for _each in range(3):
        times_out(clock, alice, bob)
    return alice


def test_three_time_outs_limit_for_thirty_days_from_the_first(clock, alice, bob):
    for number in range(3):
        assert reliability.limited_until(alice) is None, number
        times_out(clock, alice, bob)
    first = Departure.objects.earliest("at").at
    assert reliability.limited_until(alice) == first + timedelta(days=30)
    assert reliability.limited_until(bob) is None
    clock.moment = first + timedelta(days=30, seconds=-1)
    assert reliability.limited_until(alice) is not None
    clock.forward(seconds=1)
    assert reliability.limited_until(alice) is None


def test_giving_up_bots_and_what_one_came_back_to_do_not_count(clock, alice, bob, charlie):
    for _each in range(2):
        times_out(clock, alice, bob)
    times_out(clock, alice, bots=1)
    gives_up(seated(alice, bob), alice)
    match = times_out(clock, alice, bob, charlie)
    assert reliability.limited_until(alice) is not None
    returning.come_back(match.pk, alice)
    assert reliability.limited_until(alice) is None


def test_every_way_to_a_third_match_is_refused_by_the_pages(clock, late, bob, charlie, person):
    mine = client_of(late)
    old = Match.objects.filter(seats__user=late).first()
    running = [seated(late, bob), seated(late, charlie)]
    doors = Doors(late, bob, charlie, old)
    before = Match.objects.count()
    for url, body in doors.posts().items():
        answer = mine.post(url, body)
        assert answer.status_code == 409, url
        assert TOLD in answer.content.decode(), url
    assert Match.objects.count() == before
    assert late.seats.filter(match__status__in=("open", "playing")).count() == 2
    assert doors.invitation.answer == ""
    # What runs goes on, bots may always be played, and others are free.
    for match in running:
        assert fresh(match).status == "playing"
    assert mine.post("/play-now/").status_code == 302
    assert mine.post("/new/red/", {**FIELDS, "seats": "3", "bots": "2"}).status_code == 302
    assert TOLD in mine.get("/turns/").content.decode()
    assert TOLD not in client_of(bob).get("/turns/").content.decode()
    # With one less there is room again.
    gives_up(running[0], late)
    assert mine.post(doors.sit).status_code == 302
    with pytest.raises(TooManyTimeOuts):
        lobby.join(doors.linked.pk, late, doors.linked.invitations.get().token)


def test_who_sits_there_already_is_not_refused(clock, late, bob):
    match = lobby.create(late, Proposal("red", 3, 0, listed=True))
    lobby.create(late, Proposal("red", 3, 0))
    assert client_of(late).post(f"{match.get_absolute_url()}sit/").status_code == 302
    with pytest.raises(TooManyTimeOuts):
        lobby.create(late, Proposal("red", 2, 0))


def test_of_several_sittings_at_once_only_what_is_left_succeeds(clock, late, bob, charlie, rounds):
    for _round in range(max(rounds // 6, 4)):
        seated(late, bob)
        tables = [lobby.create(charlie, Proposal("red", 3, 0, listed=True)) for _each in range(3)]
        free = gives_up(seated(bob, charlie, leave_policy="substitute"), charlie)
        calls = [outcome(partial(lobby.sit, table.pk, late)) for table in tables]
        calls.append(outcome(partial(substitutes.take_over, free.pk, seat_of(free, charlie).number, late)))
        results = at_once(calls)
        assert results.count("too_many_time_outs") == 3, results
        Match.objects.filter(status__in=("open", "playing")).delete()


def test_a_guest_who_is_limited_is_so_as_an_account_too(clock, bob, person):
    guest, account = User.objects.create_guest(), person("emil")
    for _each in range(3):
        times_out(clock, guest, bob)
    people.merge(guest.pk, account.pk)
    assert reliability.limited_until(account) is not None


def test_the_time_is_told_in_the_zone_of_its_reader(clock, late):
    User.objects.filter(pk=late.pk).update(zone="Asia/Kathmandu")
    late.refresh_from_db()
    until = reliability.limited_until(late)
    assert f"{until + timedelta(hours=5, minutes=45):%H:%M}" in reliability.sentence(late, until)


def test_a_rematch_and_an_invitation_are_refused_before_anything_is_written(clock, late, bob):
    lobby.create(late, Proposal("red", 3, 0))
    lobby.create(late, Proposal("red", 3, 0))
    asked = lobby.create(bob, Proposal("red", 2, 0), [late])
    one = asked.invitations.get(to=late)
    old = Match.objects.filter(status="finished").first()
    for call in (partial(invitations.accept, one), partial(rematch.again, old, late)):
        with pytest.raises(TooManyTimeOuts):
            call()
    one.refresh_from_db()
    assert (one.answer, old.rematches.count()) == ("", 0)
