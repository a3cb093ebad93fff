"""Whom a profile is hidden from learns nothing by any door, not even that there is one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import get_resolver

from accounts.models import User
from games.models import Follow, Rating
from games.services import following
from tests.client import Client, client_of
from tests.conftest import seated
from tests.games.ended import ended

T = datetime(2026, 11, 20, 12, tzinfo=UTC)

UNKNOWN = "nobody-has-this"

DOORS = {
    "profile": ("get", "/player/{name}/"),
    "history_of": ("get", "/player/{name}/history/"),
    "head_to_head": ("get", "/player/{name}/with/bob/"),
    "head_to_head, other": ("get", "/player/bob/with/{name}/"),
    "head_to_head, own": ("get", "/player/charlie/with/{name}/"),
    "player_rating": ("get", "/player/{name}/ratings/red/"),
    "player_rating, unknown": ("get", "/player/{name}/ratings/chess/"),
    "player_feed": ("get", "/player/{name}/matches.atom"),
    "follow": ("post", "/player/{name}/follow/"),
    "unfollow": ("post", "/player/{name}/unfollow/"),
    "history_of, forged": ("get", "/player/{name}/history/?before=x&game=chess"),
    "history_of, opponent": ("get", "/player/bob/history/?opponent={name}"),
    "history, opponent": ("get", "/history/?opponent={name}"),
    "export_csv, opponent": ("get", "/history/export.csv?opponent={name}"),
    "export_json, opponent": ("get", "/history/export.json?opponent={name}"),
    "api:profile": ("get", "/api/v1/players/{name}"),
    "api:history": ("get", "/api/v1/players/{name}/history"),
    "api:rating": ("get", "/api/v1/players/{name}/ratings/red"),
    "api:head_to_head": ("get", "/api/v1/players/{name}/with/bob"),
    "api:head_to_head, other": ("get", "/api/v1/players/bob/with/{name}"),
    "api:follow": ("put", "/api/v1/players/{name}/follow"),
}
"""Every address that takes the name of a player, and how it is asked."""


@pytest.fixture
def players(alice, bob, charlie):
    """alice, who is hidden, has played with bob, publicly too; charlie has played with neither of them."""
    User.objects.filter(pk=alice.pk).update(profile="hidden")
    User.objects.update(zone="Europe/Prague")  # without one each page has a form, with a token that differs
    ended([alice, bob], [1, 2], T)
    ended([bob, alice], [1, 1], T, audience="seated")
    seated(alice, bob)
    Rating.objects.create(user=alice, family="red", mu=44, matches=9, last_at=T, sure_until=T)
    return alice


@pytest.fixture
def viewers(charlie):
    """From whom alice is hidden: a person, a guest, nobody."""
    guest = User.objects.create_guest()
    User.objects.filter(pk=guest.pk).update(zone="Europe/Prague")
    return {"charlie": client_of(charlie), "guest": client_of(guest), "nobody": Client()}


def test_every_address_with_a_name_is_a_door_that_is_tried():
    pages, api = get_resolver().url_patterns[0].url_patterns, get_resolver("games.api.urls").url_patterns
    found = {pattern.name for pattern in pages if {"name", "other"} & set(getattr(pattern.pattern, "converters", ()))}
    found |= {f"api:{pattern.name}" for pattern in api if {"name", "other"} & set(pattern.pattern.converters)}
    assert found == {door.split(",")[0] for door in DOORS} - {"history", "export_csv", "export_json"}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("spelling", ["alice", "ALICE"])
def test_a_hidden_name_is_answered_like_one_that_nobody_has(players, viewers, door, spelling):
    method, url = DOORS[door]
    for name, client in viewers.items():
        if "opponent" in door and name == "nobody" and not door.startswith("history_of"):
            continue  # has no history
        answers = []
        for tried in (spelling, UNKNOWN):
            answer = getattr(client, method)(url.format(name=tried))
            text = answer.content.decode().replace(tried, "NAME")
            headers = {key: value for key, value in answer.items() if key not in ("Content-Length", "RateLimit")}
            answers.append((answer.status_code, text, headers))
        assert answers[0] == answers[1], name
        # Who has no account is told so whatever the name.
        refused = {"guest": 403, "nobody": 401}.get(name, 404) if door == "api:follow" else 404
        assert answers[0][0] == (400 if "opponent" in door else refused), name
    assert not Follow.objects.exists()


def test_who_is_hidden_is_in_no_list_of_others(players, viewers, bob):
    for client in viewers.values():
        page = client.get("/player/bob/").content.decode()
        assert "/player/alice/" not in page
        assert "/with/alice/" not in page
        assert "alice" in page  # in matches that everybody may watch names are told
        assert "alice" not in client.get("/following/").content.decode()


def test_who_hides_is_followed_on_but_shows_nothing(alice, bob, charlie):
    following.follow(charlie, alice)
    following.follow(charlie, bob)
    seated(alice, bob)
    client = client_of(charlie)
    assert client.get("/following/").content.count(b"/player/alice/") > 0
    User.objects.filter(pk=alice.pk).update(profile="hidden")
    page = client.get("/following/").content.decode()
    assert "/player/bob/" in page
    assert "/player/alice/" not in page
    assert client.post("/player/alice/unfollow/").status_code == 404
    assert Follow.objects.filter(followed=alice).exists()
    User.objects.filter(pk=alice.pk).update(profile="players")
    assert "/player/alice/" in client.get("/following/").content.decode()


def test_who_is_hidden_sees_their_own_pages_and_in_their_own_history_whom_they_met(players, alice, bob):
    own = client_of(alice)
    for url in ("/player/alice/", "/player/alice/history/", "/player/alice/with/bob/", "/player/bob/with/alice/"):
        assert own.get(url).status_code == 200, url
    assert b"Only you can see this page" in own.get("/player/alice/").content
    met = client_of(bob)
    assert met.get("/player/alice/").status_code == 404
    assert met.get("/player/bob/with/alice/").status_code == 404
    assert met.get("/history/?opponent=alice").content.count(b"main-link") == 2
    assert met.get("/player/bob/history/?opponent=alice").content.count(b"main-link") == 2
    assert met.get("/history/export.csv?opponent=alice").status_code == 200


def test_players_only_means_people_with_an_account(alice, bob):
    User.objects.filter(pk=alice.pk).update(profile="players")
    assert client_of(bob).get("/player/alice/").status_code == 200
    for client in (Client(), client_of(User.objects.create_guest())):
        assert client.get("/player/alice/").status_code == 404


def test_guests_bots_and_names_that_are_free_again_have_no_page(alice, client):
    guest, bot = User.objects.create_guest(), User.objects.bot("Ada")
    for name in (guest.username, bot.username, "Ada", "x", "-", UNKNOWN, "a" * 31, "a" * 500):
        assert client.get(f"/player/{name}/").status_code == 404, name
    assert client_of(guest).get(f"/player/{guest.username}/").status_code == 404
    assert client.get("/player/alice/").status_code == 200
    alice.username = "alicia"
    alice.save(update_fields=["username"])
    assert client.get("/player/alice/").status_code == 404
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.get("/player/alicia/").status_code == 404
