"""Finding an opponent: the table that fits best, or one that the next who looks finds; of two at once there is one."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from games import registry
from games.models import Match
from games.services import capacity, lobby, matching
from games.services.errors import BadRequest
from games.services.lobby import Proposal
from games.services.matching import Search
from games.services.seating import NeedsAccount
from tests.client import client_of
from tests.games.test_wanted import rated, table
from tests.racing import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

RED = Search("red", "red", days=2)
FORM = {"kind": "red:red", "days": "2"}


def test_who_waits_is_found_and_asked_again_it_is_the_same(alice, bob):
    mine, other = client_of(alice), client_of(bob)
    answer = mine.post("/find/", FORM)
    waiting = Match.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == waiting.get_absolute_url()
    assert (waiting.status, waiting.listed, waiting.audience, waiting.rated) == ("open", True, "public", False)
    assert mine.post("/find/", FORM)["Location"] == waiting.get_absolute_url()
    assert waiting.get_absolute_url() in other.get("/lobby/").content.decode()
    assert other.post("/find/", FORM)["Location"] == waiting.get_absolute_url()
    waiting.refresh_from_db()
    assert waiting.status == "playing"
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("proposal", "search"),
    [
        (Proposal("red", 2, 0, {"game": "advanced"}, days=2, listed=True), RED),
        (Proposal("red", 2, 0, days=3, listed=True), RED),
        (Proposal("red", 2, 0, bank=(72, 12, 120), listed=True), RED),
        (Proposal("red", 2, 0, days=2, rated=True, listed=True), RED),
        (Proposal("red", 2, 0, days=2), RED),
        (Proposal("red", 3, 0, days=2, listed=True), RED),
        (Proposal("red", 2, 0, days=2, listed=True, rating_from=1501), RED),
        (Proposal("barvosauri", 2, 0, days=2, listed=True), RED),
        (Proposal("red", 2, 0, days=2, listed=True), Search("red", "red")),
    ],
)
def test_what_is_something_else_is_not_taken(alice, bob, proposal, search):
    other = lobby.create(alice, proposal)
    found = matching.find(bob, search)
    assert found.pk != other.pk
    assert found.created_by == bob
    assert other.seats.count() == 1


@pytest.mark.parametrize(
    "search",
    [Search("red", "red-advanced", bank=(72, 12, 120), rated=True), Search("power_cards", "power_cards"), RED],
)
def test_what_is_made_for_one_is_found_by_the_other(alice, bob, search):
    made = matching.find(alice, search)
    assert made.title.family(made.options) == search.family
    assert matching.find(bob, search) == made
    made.refresh_from_db()
    assert (made.status, made.rated) == ("playing", search.rated)


def test_near_ratings_come_first_and_of_those_who_has_waited_longest(alice, person):
    rated(alice, 1500)
    tables = []
    for name, points in (("far", 1950), ("near", 1620), ("nearest", 1505), ("below", 1000)):
        user = person(name)
        rated(user, points)
        tables.append(table(user))
    far, near, nearest, below = tables
    found = [matching.find(alice, RED).pk for _each in range(4)]
    assert found == [near.pk, nearest.pk, far.pk, below.pk]


def test_guests_play_unrated_and_nobody_without_a_clock_for_points(client, alice):
    assert client.post("/find/", {**FORM, "rated": "on"}).status_code == 302
    match = Match.objects.get()
    assert match.created_by.is_guest
    assert not match.rated
    with pytest.raises(NeedsAccount):
        matching.find(match.created_by, Search("red", "red", days=2, rated=True))
    with pytest.raises(NeedsAccount):
        matching.find(alice, Search("red", "red", rated=True))


def test_nonsense_is_refused_and_makes_nothing(client, alice):
    for fields in (
        {},
        {"kind": "red:red"},
        {**FORM, "kind": "chess:chess"},
        {**FORM, "days": "9"},
        {**FORM, "kind": "red"},
    ):
        assert client.post("/find/", fields).status_code == 422, fields
    for search in (Search("chess", "chess"), Search("red", "overall", days=2), Search("red", "red", days=99)):
        with pytest.raises(BadRequest):
            matching.find(alice, search)
    assert client.get("/find/?game=<script>").status_code == 200
    assert not Match.objects.exists()
    assert not User.objects.exclude(pk=alice.pk).exists()


def test_the_limit_holds_here_too(alice, bob, settings):
    settings.MATCHES_AT_ONCE = {"guest": 5, "first": 2, "more": 1, "most": 3}
    waiting = table(bob)
    for _each in range(2):
        lobby.create(alice, Proposal("red", 2, 0))
    answer = client_of(alice).post("/find/", FORM)
    assert answer.status_code == 409
    assert "as many as you may at once" in answer.content.decode()
    assert waiting.seats.count() == 1
    assert capacity.sits_at(alice) == 2


def test_two_who_look_at_once_end_at_one_table(person, rounds):
    for number in range(max(rounds // 3, 10)):
        people = [person(f"seeker-{number}-{which}") for which in range(4)]
        found = at_once([partial(matching.find, user, RED) for user in people])
        matches = Match.objects.filter(pk__in={match.pk for match in found})
        assert [match.status for match in matches] == ["playing"] * 2, found
        assert sum(match.seats.count() for match in matches) == 4
        assert not Match.objects.filter(status="open").exists()
        Match.objects.all().delete()


def test_who_asks_several_times_at_once_opens_one_table(alice, rounds):
    for _round in range(max(rounds // 5, 6)):
        found = at_once([partial(matching.find, alice, RED)] * 3)
        assert {match.pk for match in found} == {Match.objects.get().pk}
        Match.objects.all().delete()


def test_every_family_has_options():
    for title in registry.all_titles().values():
        for family in title.families:
            assert title.family(matching.options_of(title, family)) == family


def test_ones_own_table_is_found_however_many_wait_longer(alice, bob, monkeypatch):
    monkeypatch.setattr(matching, "CANDIDATES", 2)
    for _each in range(3):
        lobby.create(bob, Proposal("red", 2, 0, {"game": "advanced"}, days=2, listed=True))
    mine = client_of(alice)
    first = mine.post("/find/", FORM)["Location"]
    assert mine.post("/find/", FORM)["Location"] == first
    assert Match.objects.filter(created_by=alice).count() == 1
