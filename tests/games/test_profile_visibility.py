"""Who sees whose profile, and where that is chosen."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import people
from games.models import Seat
from tests.client import Client, client_of
from tests.conftest import seated
from tests.reading import Page

PREFERENCES = {"theme": "auto", "size": "normal", "order": "colour", "zone": "", "language": ""}


@pytest.fixture
def viewers(alice, charlie):
    """alice herself and who else may come: a stranger, a guest, a person who signs up just now, nobody."""
    return {"alice": alice, "charlie": charlie, "guest": User.objects.create_guest(), "nobody": AnonymousUser()}


@pytest.mark.parametrize(
    ("profile", "may"),
    [("public", {"alice", "charlie", "guest", "nobody"}), ("players", {"alice", "charlie"}), ("hidden", {"alice"})],
)
def test_a_profile_is_seen_by_whom_it_is_for(alice, bob, viewers, profile, may):
    alice.profile = profile
    alice.save()
    seated(alice, bob, bots=1)
    for name, viewer in viewers.items():
        assert (people.find(viewer, "Alice") == alice) is (name in may), name
        assert people.sees(viewer, alice) is (name in may), name
        seats = Seat.objects.filter(people.visible_to(viewer, "user__"))
        assert {seat.user for seat in seats} == ({alice, bob} if name in may else {bob}), name
    assert (people.find(None, "alice") == alice) is ("nobody" in may)


def test_guests_bots_and_closed_accounts_have_none(alice, viewers):
    guest, bot = viewers["guest"], User.objects.bot("Ada")
    for user in (guest, bot):
        assert people.find(user, user.username) is None
        assert not people.sees(user, user)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert people.find(viewers["charlie"], "alice") is None


def test_it_is_chosen_on_the_page_of_settings(alice):
    client = client_of(alice)
    assert Page(client.get("/settings/").content.decode()).form(field="theme").fields["profile"] == "public"
    for chosen, kept in (("hidden", "hidden"), ("players", "players"), ("", "players")):
        assert client.post("/settings/", PREFERENCES | {"profile": chosen}).status_code == 302
        alice.refresh_from_db()
        assert alice.profile == kept
    answer = client.post("/settings/", PREFERENCES | {"profile": "friends", "theme": "dark"})
    assert answer.status_code == 422
    assert b"There is no such choice" in answer.content
    alice.refresh_from_db()
    assert (alice.profile, alice.theme) == ("players", "auto")


def test_who_has_no_profile_is_not_asked(db):
    guest = User.objects.create_guest()
    for client in (client_of(guest), Client()):
        assert b'name="profile"' not in client.get("/settings/").content
    client_of(guest).post("/settings/", PREFERENCES | {"profile": "hidden"})
    guest.refresh_from_db()
    assert guest.profile == "public"
