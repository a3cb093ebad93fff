"""How many matches with other people a user may sit at: by every way to a seat, also by several at once."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from config.settings import MATCHES_AT_ONCE
from games.models import Invitation, Match, Seat
from games.services import capacity, lobby, people, rematch, substitutes
from games.services.capacity import TooManyMatches
from games.services.lobby import Proposal
from tests.client import client_of
from tests.conftest import fresh, play_out, seated
from tests.games.doors import FIELDS, Doors
from tests.games.leaving import gives_up, seat_of
from tests.racing import at_once, outcome

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited", "limited")]

FULL = "that is as many as you may at once"


@pytest.fixture
def limited(settings):
    """The limit as it is on the site."""
    settings.MATCHES_AT_ONCE = MATCHES_AT_ONCE


def waits(user, number):
    """So many matches of the user that wait for somebody."""
    return [lobby.create(user, Proposal("red", 2, 0)) for _each in range(number)]


@pytest.fixture
def host(person):
    """Somebody who has played a lot, so that there is room for many tables."""
    host, other = person("host"), person("other")
    for number in range(4):
        play_out(seated(host, other), number)
    return host


def test_every_way_to_one_more_match_is_refused_by_the_pages(alice, bob, host):
    mine = client_of(alice)
    old = play_out(seated(alice, bob))
    tables = waits(alice, 24)
    running = seated(alice, bob)
    doors = Doors(alice, host, bob, old)
    before = Match.objects.count()
    for url, body in doors.posts().items():
        answer = mine.post(url, body)
        assert answer.status_code == 409, url
        text = answer.content.decode()
        for part in ("You sit at 25 matches", FULL, "room for 5 more"):
            assert part in text, url
    assert Match.objects.count() == before
    assert Seat.objects.filter(user=alice, match__status__in=("open", "playing")).count() == 25
    assert doors.invitation.answer == ""
    # What runs goes on, and bots may always be played.
    assert fresh(running).status == "playing"
    assert mine.post("/play-now/").status_code == 302
    assert mine.post("/new/red/", {**FIELDS, "seats": "3", "bots": "2"}).status_code == 302
    # With one less there is room for one.
    lobby.cancel(tables[0].pk, alice)
    assert mine.post(doors.sit).status_code == 302
    assert mine.post(doors.join).status_code == 409


def test_it_grows_with_matches_that_were_played_to_their_end_with_people(alice, bob, charlie):
    assert capacity.allowed(alice) == 20
    play_out(seated(alice, bob))
    assert capacity.allowed(alice) == 25
    play_out(seated(alice, bots=1))
    gives_up(seated(alice, bob), alice)
    assert capacity.allowed(alice) == 25
    gives_up(seated(alice, bob), bob)
    assert capacity.allowed(alice) == 30
    shape = Match.objects.filter(status="finished", seats__user=bob).first()
    for number in range(20):
        match = Match.objects.get(pk=shape.pk)
        match.pk, match.slug = None, f"copy{number}"
        match.save()
        for seat, user in enumerate((alice, charlie)):
            Seat.objects.create(match=match, number=seat, joined=seat, user=user, finished_at=shape.finished_at)
    assert capacity.allowed(alice) == 100
    assert "Nobody may sit at more" in capacity.sentence(alice, 100)


def test_a_guest_has_few_and_takes_them_along(bob, person):
    guest = User.objects.create_guest()
    tables = waits(guest, 5)
    with pytest.raises(TooManyMatches) as refused:
        waits(guest, 1)
    assert "You sit at 5 matches" in refused.value.sentence
    assert "With an account it is 20" in refused.value.sentence
    emil = person("emil")
    waits(emil, 18)
    people.merge(guest.pk, emil.pk)
    # Coming along is not refused, but nothing more is to be had.
    assert capacity.sits_at(emil) == 23
    with pytest.raises(TooManyMatches):
        waits(emil, 1)
    assert fresh(tables[0]).seats.get().user == emil


def test_who_sits_there_already_is_not_refused(alice, bob):
    match = lobby.create(bob, Proposal("red", 3, 0, listed=True))
    lobby.sit(match.pk, alice)
    waits(alice, 19)
    assert client_of(alice).post(f"{match.get_absolute_url()}sit/").status_code == 302
    assert lobby.sit(match.pk, alice).pk == match.pk


def test_of_many_sittings_at_once_only_as_many_as_there_is_room_for_succeed(alice, host, bob, rounds):
    waits(alice, 16)
    old = play_out(seated(host, bob))
    for _round in range(max(rounds // 10, 3)):
        tables = [lobby.create(host, Proposal("red", 3, 0, listed=True)) for _each in range(4)]
        asked = [lobby.create(host, Proposal("red", 3, 0), [alice]) for _each in range(2)]
        free = gives_up(seated(host, bob, leave_policy="substitute"), bob)
        calls = [partial(lobby.sit, table.pk, alice) for table in tables]
        calls += [partial(lobby.join, table.pk, alice, table.invitations.get(to=None).token) for table in asked]
        calls += [partial(lobby.create, alice, Proposal("red", 2, 0)) for _each in range(2)]
        calls.append(partial(substitutes.take_over, free.pk, seat_of(free, bob).number, alice))
        results = at_once([outcome(call) for call in calls])
        assert results.count("too_many_matches") == len(calls) - 4, results
        assert capacity.sits_at(alice) == 20
        waiting = Match.objects.filter(status="open", seats__user=alice).order_by("-pk")
        Match.objects.filter(pk__in=list(waiting.values_list("pk", flat=True)[: waiting.count() - 16])).delete()
        Match.objects.filter(status="playing").delete()
        Match.objects.filter(created_by=host, status="open").delete()
    assert old.status == "finished"


def test_coming_along_and_sitting_down_at_once_wait_for_each_other_in_no_circle(bob, person, rounds):
    for number in range(max(rounds // 5, 6)):
        guest, account = User.objects.create_guest(), person(f"emil-{number}")
        match = lobby.create(bob, Proposal("red", 4, 0, listed=True))
        other = lobby.create(bob, Proposal("red", 4, 0, listed=True))
        lobby.sit(other.pk, guest)
        lobby.sit(other.pk, account)
        at_once([outcome(partial(lobby.sit, match.pk, guest)), partial(people.merge, guest.pk, account.pk)])
        assert other.seats.filter(user=account).count() == 1
        Match.objects.all().delete()


def test_a_rematch_is_refused_before_anything_is_written(alice, bob):
    old = play_out(seated(alice, bob))
    waits(alice, 25)
    with pytest.raises(TooManyMatches):
        rematch.again(old, alice)
    assert not old.rematches.exists()
    assert not Invitation.objects.filter(to=bob).exists()


def test_the_rule_stands_on_the_page_of_rules(client, db):
    text = client.get("/rules/").content.decode()
    assert "20 matches with other people at once" in text
    assert "5 more, up to 100" in text
