"""Whom a match of the lobby is for, and which tables somebody looks for: told, filtered, and held to at the door."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from games.models import Match, Pace, Rating
from games.now import now
from games.services import invitations, lobby
from games.services.errors import BadRequest
from games.services.lobby import Proposal
from games.services.wanted import NotWanted
from tests.client import client_of
from tests.conftest import seated
from tests.games.leaving import gives_up, seat_of, take_url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unlimited")]

FIELDS = {"seats": "2", "bots": "0", "days": "2", "audience": "public", "listed": "anybody", "option_game": "basic"}


def rated(user, points, family="red"):
    """Gives the user a rating."""
    mu = 25 + (points - 1500) / 40
    Rating.objects.create(user=user, family=family, mu=mu, sigma=2, matches=9, last_at=now(), sure_until=now())


def paced(user, finished, left):
    """Gives the user a record."""
    Pace.objects.create(user=user, finished=finished, left=left, at=now())


def table(user, **wanted):
    return lobby.create(user, Proposal("red", 2, 0, days=2, listed=True, **wanted))


@pytest.mark.parametrize(("points", "fits"), [(1399, False), (1400, True), (1600, True), (1601, False)])
def test_a_range_of_ratings_holds_at_the_door(alice, bob, points, fits):
    rated(bob, points)
    rated(bob, 1500, "red-advanced")
    match = table(alice, rating_from=1400, rating_to=1600)
    mine = client_of(bob)
    text = mine.get("/lobby/").content.decode()
    assert "for ratings from 1400 to 1600" in text
    assert (f"yours is {points}" in text) != fits
    assert (f"{match.get_absolute_url()}sit/" in text) == fits
    answer = mine.post(f"{match.get_absolute_url()}sit/")
    assert answer.status_code == (302 if fits else 409)
    assert (f"yours is {points}" in answer.content.decode()) != fits
    assert match.seats.filter(user=bob).exists() == fits


def test_it_is_the_rating_of_its_own_family(alice, bob):
    rated(bob, 1700, "red-advanced")
    basic = table(alice, rating_from=1600)
    advanced = table(alice, rating_from=1600, options={"game": "advanced"})
    with pytest.raises(NotWanted):
        lobby.sit(basic.pk, bob)
    assert lobby.sit(advanced.pk, bob).status == "playing"


def test_who_has_no_rating_counts_as_1500_guests_too(alice, bob, client):
    low, high = table(alice, rating_to=1499), table(alice, rating_from=1500)
    for user in (bob, User.objects.create_guest()):
        with pytest.raises(NotWanted):
            lobby.sit(low.pk, user)
    assert client.post(f"{low.get_absolute_url()}sit/").status_code == 409
    assert client.post(f"{high.get_absolute_url()}sit/").status_code == 302


@pytest.mark.parametrize(("finished", "left", "fits"), [(9, 1, True), (89, 11, False), (90, 10, True), (0, 0, True)])
def test_a_share_of_matches_finished_holds_at_the_door(alice, bob, finished, left, fits):
    paced(bob, finished, left)
    match = table(alice, finish_share=90)
    answer = client_of(bob).post(f"{match.get_absolute_url()}sit/")
    assert answer.status_code == (302 if fits else 409)
    assert ("at least 90 % of theirs" in answer.content.decode()) != fits


def test_whom_one_invites_is_welcome_whatever_the_lobby_asks(alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 3, 0, days=2, listed=True, rating_from=2000), [bob])
    invitations.accept(match.invitations.get(to=bob))
    assert lobby.sit(match.pk, bob).pk == match.pk  # sits there already
    assert lobby.join(match.pk, charlie, match.invitations.get(to=None).token).status == "playing"


@pytest.mark.parametrize(("points", "fits"), [(1599, False), (1600, True)])
def test_a_seat_that_was_left_is_for_the_same_people(alice, charlie, dora, person, points, fits):
    match = lobby.create(alice, Proposal("red", 3, 0, days=2, listed=True, leave_policy="substitute", rating_from=1600))
    for user in (charlie, dora):
        lobby.join(match.pk, user, match.invitations.get(to=None).token)
    match = gives_up(match, dora)
    emil = person("emil")
    rated(emil, points)
    mine, url = client_of(emil), take_url(match, seat_of(match, dora).number)
    text = mine.get("/lobby/").content.decode()
    assert "Seats to take over" in text
    assert ("yours is 1599" in text, url in text) == (not fits, fits)
    assert mine.get(url).status_code == (200 if fits else 409)
    assert mine.post(url).status_code == (302 if fits else 409)
    assert match.seats.filter(user=emil).exists() == fits
    assert match.moves.filter(kind="takeover").exists() == fits


def test_nobody_becomes_a_guest_for_a_seat_that_is_for_others(alice, bob, charlie, client):
    match = lobby.create(alice, Proposal("red", 3, 0, days=2, listed=True, leave_policy="substitute", rating_from=1600))
    for user in (bob, charlie):
        lobby.join(match.pk, user, match.invitations.get(to=None).token)
    match = gives_up(match, bob)
    assert client.post(take_url(match, seat_of(match, bob).number)).status_code == 409
    assert not User.objects.filter(kind=User.Kind.GUEST).exists()


def test_the_form_makes_such_a_match_and_refuses_nonsense(alice):
    mine = client_of(alice)
    answer = mine.post("/new/red/", {**FIELDS, "rating_from": "1400", "rating_to": "1600", "finish_share": "90"})
    assert answer.status_code == 302
    match = Match.objects.get()
    assert (match.rating_from, match.rating_to, match.finish_share) == (1400, 1600, 90)
    assert "for ratings from 1400 to 1600" in mine.get(match.get_absolute_url()).content.decode()
    wrong = [
        {"rating_from": "1600", "rating_to": "1400"},
        {"rating_from": "-1"},
        {"rating_to": "99999"},
        {"rating_from": "many"},
        {"finish_share": "91"},
    ]
    for fields in wrong:
        assert mine.post("/new/red/", {**FIELDS, **fields}).status_code == 422, fields
    assert Match.objects.count() == 1
    with pytest.raises(BadRequest):
        table(alice, rating_from=1600, rating_to=1400)
    # What is not shown in the lobby asks nothing.
    assert mine.post("/new/red/", {**FIELDS, "listed": "invited", "rating_from": "1400"}).status_code == 302
    assert Match.objects.latest("pk").rating_from is None


def slugs(client, query):
    """The tables of the lobby that are shown."""
    text = client.get(f"/lobby/?{query}").content.decode()
    return {match.slug for match in Match.objects.filter(status="open") if match.slug in text}


def test_only_tables_where_one_may_sit_down(alice, bob, client):
    rated(bob, 1450)
    mine, other = table(bob), table(alice)
    strong, real = table(alice, rating_from=1600), table(alice, rated=True)
    everything = {mine.slug, other.slug, real.slug}
    assert slugs(client_of(bob), "") == everything  # the strong one is told, but leads nowhere
    assert "for ratings from 1600 on" in client_of(bob).get("/lobby/").content.decode()
    assert slugs(client_of(bob), "fits=yes") == {other.slug, real.slug}
    assert slugs(client, "fits=yes") == {mine.slug, other.slug}
    assert strong.slug not in slugs(client, "fits=nonsense")


def test_pages_of_what_fits_leave_none_out(alice, bob, monkeypatch):
    monkeypatch.setattr("games.lists.PAGE", 2)
    monkeypatch.setattr("games.views.lobby.LOOKED_AT", 2)
    fitting = {table(alice, **({"rating_from": 1600} if number % 3 else {})).slug: number for number in range(13)}
    wanted = {slug for slug, number in fitting.items() if not number % 3}
    mine, url, found = client_of(bob), "/lobby/?fits=yes", []
    while url:
        answer = mine.get(url)
        found += [one["match"].slug for one in answer.context["tables"]]
        url = answer.context["next_url"]
    assert sorted(found) == sorted(wanted)


def test_only_tables_of_people_who_finish_and_whose_record_one_may_see(alice, bob, charlie, dora, client):
    paced(alice, 9, 1)
    paced(bob, 8, 2)
    tables = {user: table(user) for user in (alice, bob, charlie)}
    guests = table(User.objects.create_guest())
    assert slugs(client, "finishes=90") == {tables[alice].slug, tables[charlie].slug}
    assert slugs(client, "finishes=75") == {tables[user].slug for user in tables}
    assert guests.slug in slugs(client, "")
    User.objects.filter(pk=alice.pk).update(profile=User.Profile.HIDDEN)
    assert slugs(client_of(dora), "finishes=90") == {tables[charlie].slug}
    assert slugs(client_of(dora), "finishes=50") == {tables[bob].slug, tables[charlie].slug}


def test_another_try_asks_the_same(alice):
    match = table(alice, rating_from=1600, finish_share=75)
    lobby.cancel(match.pk, alice)
    assert client_of(alice).post(f"{match.get_absolute_url()}again/").status_code == 302
    again = Match.objects.latest("pk")
    assert (again.rating_from, again.finish_share, again.listed) == (1600, 75, True)
    assert seated(alice, bots=1).rating_from is None
    assert again.created_at > now() - timedelta(minutes=1)
