"""How people play, from what they have played: shares, answers, hours; who may read it; and where it stands."""

from __future__ import annotations

import itertools
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from games import pace, tasks
from games.models import Match, Pace
from games.services import paces, returning
from games.services.lobby import Proposal, create
from tests.client import client_of
from tests.conftest import move, mover_of, play_out, seated
from tests.games.leaving import gives_up, runs_out

pytestmark = pytest.mark.django_db(transaction=True)


def swept(clock):
    """The sweep has taken up what has ended."""
    clock.forward(seconds=20)
    tasks.tallies()


def played(clock, first, hours, number=0, **others):
    """A match in which ``first`` answers after so many hours, the other one at once."""
    other = others.pop("other")
    match = seated(first, other, **others)
    while match.status == "playing":
        clock.forward(**({"hours": hours} if mover_of(match) == first else {"minutes": 1}))
        match = move(match, number)
    return match


def test_answers_are_measured_and_told(clock, alice, bob):
    User.objects.filter(pk=alice.pk).update(zone="Asia/Kathmandu")
    for number in range(5):
        played(clock, alice, 5, number, other=bob)
    swept(clock)
    row = Pace.objects.get(user=alice)
    assert (row.finished, row.left) == (5, 0)
    assert abs(row.minutes - 5 * 60) <= 2
    assert sum(row.hours) == sum(
        m.moves.filter(kind="play", seat=m.seats.get(user=alice).number).count() - _in_a_row(m, alice)
        for m in Match.objects.all()
    )
    assert "finishes 100 % of matches" in pace.of(alice).text
    assert "usually answers in 5 h" in pace.of(alice).text
    assert "usually answers within an hour" in pace.of(bob).text


def _in_a_row(match, user):
    """Rows of the user behind a row of the same user."""
    own = match.seats.get(user=user).number
    seats = list(match.moves.order_by("number").values_list("seat", flat=True))
    return sum(before == after == own for before, after in itertools.pairwise(seats))


def test_the_hours_are_those_of_the_users_day(clock, alice, bob):
    User.objects.filter(pk=alice.pk).update(zone="Asia/Kathmandu")
    clock.moment = clock.moment.replace(hour=12, minute=30)
    match = seated(alice, bob)
    while match.status == "playing":
        if mover_of(match) == alice:
            clock.moment = clock.moment.replace(hour=12, minute=30) + timedelta(days=1)
        match = move(match)
    swept(clock)
    hours = Pace.objects.get(user=alice).hours
    assert hours[18] == sum(hours) > 0  # 12:30 in UTC is 18:15 there
    assert pace.PARTS[3] == pace._mostly(hours)


def test_who_leaves_is_counted_unless_they_come_back_and_bots_do_not_count(clock, alice, bob, charlie):
    for _each in range(3):
        gives_up(seated(alice, bob), bob)
    gives_up(seated(alice, bots=1), alice)
    gives_up(seated(alice, bob), alice)
    match = seated(alice, bob, charlie)
    while mover_of(match) != alice:
        match = move(match)
    runs_out(clock, match)
    returning.come_back(match.pk, alice)
    match.refresh_from_db()
    play_out(match)
    swept(clock)
    row = Pace.objects.get(user=alice)
    assert (row.finished, row.left) == (4, 1)
    assert "finishes 80 % of matches" in pace.of(alice).text
    row = Pace.objects.get(user=bob)
    assert (row.finished, row.left) == (2, 3)


def test_little_is_nothing_and_each_match_is_taken_once(clock, alice, bob):
    gives_up(seated(alice, bob), bob)
    swept(clock)
    assert pace.of(alice).parts == ()
    assert pace.of(alice).share is None
    assert paces.update() == 0
    gives_up(seated(alice, bob), bob)
    clock.forward(seconds=5)
    assert paces.update() == 0  # too fresh: an earlier one may still be on its way
    clock.forward(seconds=15)
    assert paces.update() == 1
    assert not Pace.objects.filter(user__kind=User.Kind.BOT).exists()


def test_a_rebuild_gives_the_same(clock, alice, bob):
    for number in range(3):
        played(clock, alice, 3, number, other=bob)
        swept(clock)
    before = list(Pace.objects.order_by("user").values("user", "finished", "left", "minutes", "hours"))
    Pace.objects.filter(user=bob).delete()
    Pace.objects.filter(user=alice).update(finished=99)
    call_command("statistics", "rebuild", stdout=StringIO())
    assert list(Pace.objects.order_by("user").values("user", "finished", "left", "minutes", "hours")) == before


def test_it_stands_in_the_lobby_and_with_an_invitation_but_not_of_who_hides(clock, alice, bob, charlie, client):
    for _each in range(5):
        gives_up(seated(alice, bob), bob)
    swept(clock)
    match = create(alice, Proposal("red", 2, 0, listed=True))
    link = f"{match.get_absolute_url()}join/{match.invitations.get().token}/"
    told = "finishes 100 % of matches"
    for url in ("/lobby/", link):
        assert told in client.get(url).content.decode(), url
    User.objects.filter(pk=alice.pk).update(profile=User.Profile.PLAYERS)
    for url in ("/lobby/", link):
        assert told not in client.get(url).content.decode(), url
        assert told in client_of(charlie).get(url).content.decode(), url
    User.objects.filter(pk=alice.pk).update(profile=User.Profile.HIDDEN)
    for url in ("/lobby/", link):
        assert told not in client_of(charlie).get(url).content.decode(), url
