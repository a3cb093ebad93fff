"""The bell and the list of notices: what is new, and when it counts as seen."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.models import Match, MatchChoice, Notice
from games.services import leaving, lobby, notices, people
from tests.client import Client, client_of
from tests.conftest import move, seated

pytestmark = pytest.mark.django_db

LIST = "/notices/"


def bell(client):
    """The number that the bell of a page shows; opening that page sees nothing."""
    html = client.get("/lobby/").content.decode().partition('id="my-notices">')[2].partition("</span>")[0]
    return int(html.partition('badge">')[2].partition("<")[0] or 0)


def unseen(user, **which):
    """How many notices the user has not seen."""
    return Notice.objects.filter(user=user, seen_at=None, **which).count()


def told(user, number=1):
    """Notices about the site, as many."""
    keys = [f"test:{Notice.objects.count()}:{count}" for count in range(number)]
    notices.store([notices.tell(user.pk, Notice.Kind.SITE, key, what="parked", why="refused") for key in keys])


@pytest.fixture
def match(alice, bob, charlie):
    """A match of three that bob has left, of which alice and charlie were told."""
    match = seated(alice, bob, charlie)
    leaving.resign(match.pk, match.seats.get(user=bob).number, version=match.version)
    Notice.objects.exclude(kind=Notice.Kind.TABLE).delete()  # whose turn it is depends on chance
    return Match.objects.get(pk=match.pk)


def test_the_bell_counts_what_is_new_but_no_turns(alice, match):
    assert unseen(alice, kind="table") == 1
    Notice.objects.create(user=alice, kind="turn", key="turn:1:1", match=match, version=1, at=match.created_at)
    assert bell(client_of(alice)) == 1


def test_the_list_shows_what_is_new_once_and_the_bell_is_calm_then(alice, match):
    client = client_of(alice)
    first = client.get(LIST)
    assert b"bob gives up the match" in first.content.replace(b'<b class="who">bob</b>', b"bob")
    assert f'href="{match.get_absolute_url()}"'.encode() in first.content
    assert first.content.count(b">new<") == 1
    assert b'id="my-notices"></span>' in first.content  # the page itself knows that they are seen
    assert unseen(alice) == 0
    assert bell(client) == 0
    assert b">new<" not in client.get(LIST).content


def test_an_empty_list_says_what_will_stand_there(alice, client):
    for visitor in (client_of(alice), client):
        answer = visitor.get(LIST)
        assert answer.status_code == 200
        assert b"Nothing yet." in answer.content


def test_what_is_fetched_without_being_looked_at_is_not_seen(alice, match):
    client = client_of(alice)
    for url in (LIST, match.get_absolute_url()):
        client.head(url)
        client.get(url, headers={"Sec-Purpose": "prefetch;prerender"})
        client.get(url, headers={"Purpose": "prefetch"})
    client.get(f"{match.get_absolute_url()}version.json")
    client.get(f"{match.get_absolute_url()}at/1/")
    assert unseen(alice) == 1


def test_opening_a_match_sees_its_notices_and_no_others(alice, bob, charlie, match):
    other = seated(alice, bob)
    leaving.resign(other.pk, other.seats.get(user=bob).number, version=other.version)
    answer = client_of(alice).get(match.get_absolute_url())
    assert b'id="my-notices"><b class="badge">1</b>' in answer.content
    assert unseen(alice, match=match) == 0
    assert unseen(alice, match=other, kind="ended") == 1
    assert unseen(charlie, match=match) == 1


def test_spectators_and_strangers_see_nothing_away(alice, match, person, client):
    for visitor in (client_of(person("dora")), client):
        visitor.get(match.get_absolute_url())
        visitor.get(LIST)
    assert unseen(alice) == 1


def test_only_ones_own(alice, bob, match):
    told(bob)
    assert b"could not be delivered" in client_of(bob).get(LIST).content
    assert b"could not be delivered" not in client_of(alice).get(LIST).content


def test_long_lists_come_in_pages_without_a_gap(alice):
    told(alice, 45)
    client, url, found = client_of(alice), LIST, []
    while url:
        before = unseen(alice)
        html = client.get(url).content.decode()
        number = html.count('class="row ')
        assert before - unseen(alice) == number  # seen is what was shown, not what is on the next page
        found.append(number)
        url = html.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0] if 'rel="next"' in html else ""
    assert found == [20, 20, 5]


@pytest.mark.parametrize("before", ["", "x", "-1", "1.5", "9" * 30, "%00", "²"])
@pytest.mark.parametrize("page", [LIST, LIST + "deliveries/"])
def test_pages_that_no_link_leads_to(alice, page, before):
    assert client_of(alice).get(f"{page}?before={before}").status_code == 400


@pytest.fixture
def hints(monkeypatch):
    """The users whose pages were told to look again."""
    found: list[int] = []
    monkeypatch.setattr("games.live.tell", lambda users: found.extend(users))
    return found


@pytest.mark.django_db(transaction=True)
def test_open_pages_learn_of_it(clock, alice, bob, hints):
    told(alice)
    client_of(alice).get(LIST)
    assert hints == [alice.pk, alice.pk]  # it came, and it was seen, perhaps in another tab
    client_of(alice).get(LIST)
    assert len(hints) == 2
    match = seated(alice, bob)
    clock.moment = match.remind_at
    notices.remind(match.pk)
    assert hints[2:] == [match.seats.get(number=match.active_seat).user_id]


@pytest.mark.django_db(transaction=True)
def test_a_move_is_announced_once(alice, bob, hints):
    match = seated(alice, bob)
    hints.clear()
    move(match)
    assert hints == []  # the announcement of the row reaches them


def choice(user):
    """How the user wants the notices of the only match of which they have chosen it."""
    return list(MatchChoice.objects.filter(user=user).values_list("mode", flat=True))


def test_a_match_can_be_muted_and_unmuted_on_its_page(alice, match):
    client, url = client_of(alice), match.get_absolute_url()
    assert b"Notices of this match" in client.get(url).content
    for mode in ("mute", "instant", "digest"):
        assert client.post(f"{url}notices/", {"mode": mode}).status_code == 302
        assert choice(alice) == [mode]
        assert f'<option value="{mode}" selected>'.encode() in client.get(url).content
    assert client.post(f"{url}notices/", {"mode": ""}).status_code == 302
    assert choice(alice) == []


@pytest.mark.parametrize("mode", ["off", "MUTE", "x" * 500, "mute;"])
def test_no_other_mode_is_taken(alice, match, mode):
    assert client_of(alice).post(f"{match.get_absolute_url()}notices/", {"mode": mode}).status_code == 400
    assert choice(alice) == []


def test_only_who_plays_chooses(alice, bob, match, person, client):
    url = f"{match.get_absolute_url()}notices/"
    stranger = person("dora")
    for visitor in (client, client_of(stranger), client_of(bob)):
        assert visitor.post(url, {"mode": "mute"}).status_code == 404
        assert b"Notices of this match" not in visitor.get(match.get_absolute_url()).content
    assert not MatchChoice.objects.exists()
    assert client_of(alice).get(url).status_code == 405


def test_a_guest_takes_the_choice_for_a_match_along(alice, bob):
    guest = User.objects.create_guest()
    match = seated(bob, guest)
    client_of(guest).post(f"{match.get_absolute_url()}notices/", {"mode": "mute"})
    people.merge(guest.pk, alice.pk)
    assert choice(alice) == ["mute"]


def test_an_open_match_is_opened_as_well(alice, bob):
    match = lobby.create(alice, lobby.Proposal("red", 3, 0))
    notices.store([notices.tell(alice.pk, Notice.Kind.TABLE, "table:1", match)])
    assert Client().get(match.get_absolute_url()).status_code == 200
    assert unseen(alice) == 1
    client_of(alice).get(match.get_absolute_url())
    assert unseen(alice) == 0
