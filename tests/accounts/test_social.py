"""Accounts elsewhere: signing up and logging in by OpenID Connect, and answers that are not believed."""

from __future__ import annotations

import json
import runpy

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured

from accounts.models import User
from games.models import Match
from tests.accounts import provider as providers
from tests.accounts.people import PASSWORD, account, code, log_in, verify, whose
from tests.client import Client
from tests.serving import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _server():
    with providers.running() as server:
        yield server


@pytest.fixture
def club(_server, settings):
    """A provider that the site knows, in order."""
    settings.SOCIALACCOUNT_PROVIDERS = providers.configured(_server)
    settings.ROOT_URLCONF = "tests.accounts.with_provider"
    fresh = vars(providers.Provider())
    for name in ("claims", "wrong", "info", "signed_by", "algorithm", "without_token"):
        setattr(_server, name, fresh[name])
    fresh["socket"].close()
    return _server


def go(client, club, query=""):
    """Begins at the site, agrees at the provider, comes back; the last answer."""
    begun = client.post("/account/with/club/" + query)
    assert begun.status_code == 302, begun.content
    assert begun["Location"].startswith(f"{club.url}/authorize?")
    return client.get(f"/account/with/club/back/?{club.authorize(begun['Location'])}")


def choose(client, name, email="zdenka@example.org"):
    """Chooses a name."""
    return client.post("/account/with/", {"username": name, "email": email})


def test_a_guest_signs_up_and_later_logs_in_without_a_password(client, club):
    client.post("/play-now/")
    guest = whose(client)
    assert go(client, club, "?next=/new/red/")["Location"] == "/account/with/"
    page = client.get("/account/with/").content.decode()
    assert "You come from The Club for the first time." in page
    assert 'value="zdenka@example.org"' in page
    assert choose(client, "Zdenka")["Location"] == "/new/red/"
    guest.refresh_from_db()
    assert (guest.kind, guest.username, guest.email) == ("person", "Zdenka", "zdenka@example.org")
    assert whose(client) == guest
    assert Match.objects.get().seats.filter(user=guest).exists()
    assert SocialAccount.objects.get().user == guest
    other = Client()
    other.post("/play-now/")
    assert go(other, club)["Location"] == "/turns/"
    assert whose(other) == guest
    assert Match.objects.filter(seats__user=guest).count() == 2
    assert not User.objects.filter(kind="guest").exists()


def test_an_address_that_the_provider_has_not_verified_needs_a_code(client, club):
    club.claims["email_verified"] = False
    go(client, club)
    assert choose(client, "Zdenka")["Location"] == "/account/verify/"
    assert whose(client).is_guest
    assert not SocialAccount.objects.exists()
    verify(client)
    assert SocialAccount.objects.get().user == whose(client)
    assert not whose(client).is_guest


def test_another_address_than_the_verified_one_needs_a_code(client, club):
    go(client, club)
    assert choose(client, "Zdenka", "other@example.org")["Location"] == "/account/verify/"
    verify(client, code())
    assert [row.email for row in EmailAddress.objects.all()] == ["other@example.org"]


def test_an_account_with_the_same_address_is_not_taken_over(client, club):
    ada = account("zdenka")
    assert go(client, club)["Location"] == "/account/with/"
    assert choose(client, "Somebody-else")["Location"] == "/account/verify/"
    assert whose(client) != ada
    assert not SocialAccount.objects.exists()
    assert EmailAddress.objects.get().user == ada


def test_it_is_connected_and_disconnected_by_the_owner(client, club):
    ada = account("ada")
    log_in(client, "ada")
    client.post("/account/again/?next=/account/connections/", {"password": PASSWORD})
    assert "Connect The Club" in client.get("/account/connections/").content.decode()
    assert go(client, club, "?process=connect")["Location"] == "/account/connections/"
    row = SocialAccount.objects.get()
    assert row.user == ada
    other = Client()
    go(other, club)
    assert whose(other) == ada
    client.post("/account/connections/", {"account": row.pk})
    assert not SocialAccount.objects.exists()


def test_the_last_way_in_is_kept(client, club):
    go(client, club)
    choose(client, "Zdenka")
    client.get("/account/connections/")
    client.post("/account/again/code/?next=/account/connections/", {"recipient": "zdenka@example.org"})
    client.post("/account/again/code/enter/", {"code": code()})
    answer = client.post("/account/connections/", {"account": SocialAccount.objects.get().pk})
    assert answer.status_code == 422
    assert SocialAccount.objects.exists()


def test_it_begins_with_a_form(client, club):
    answer = client.get("/account/with/club/")
    assert answer.status_code == 200
    assert "The Club" in answer.content.decode()
    for page in ("/account/login/", "/account/signup/"):
        assert "Go on with The Club" in client.get(page).content.decode()


def test_what_is_asked_for_is_ours_to_say(client, club):
    begun = client.post("/account/with/club/?scope=admin&auth_params=nonce%3Dx%26prompt%3Dnone&process=login")
    assert "admin" not in begun["Location"]
    assert "prompt" not in begun["Location"]
    assert "nonce=x" not in begun["Location"]


def refused(client, answer):
    """The page says that it did not work, and nobody was logged in or made."""
    assert answer.status_code in (200, 401), answer
    assert "That did not work" in answer.content.decode()
    assert whose(client) is None
    assert not User.objects.exists()
    assert client.get("/account/with/")["Location"] == "/account/login/"


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "somebody-else"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"exp": 1_000_000},
        {"sub": "43"},
        {"sub": None},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_attempt_is_refused(client, club, wrong):
    club.wrong = wrong
    club.info = {"sub": "42"}
    refused(client, go(client, club))


def test_a_token_signed_by_another_key_is_refused(client, club):
    club.signed_by = providers.OTHER_KEY
    refused(client, go(client, club))


def test_a_token_signed_by_the_public_key_as_a_secret_is_refused(client, club, monkeypatch):
    monkeypatch.setattr(jwt.algorithms.HMACAlgorithm, "prepare_key", lambda self, key: b"k" * 64)
    club.algorithm, club.signed_by = "HS256", "k" * 64
    refused(client, go(client, club))


def test_a_token_without_a_signature_is_refused(client, club):
    club.algorithm, club.signed_by = "none", None
    refused(client, go(client, club))


def test_no_token_is_refused(client, club):
    club.without_token = True
    refused(client, go(client, club))


def test_somebody_elses_state_or_none_is_refused(client, club):
    begun = Client().post("/account/with/club/")
    foreign = club.authorize(begun["Location"])
    for query in (foreign, "code=x&state=made-up", "code=x", "", "error=server_error&state=x"):
        refused(client, client.get(f"/account/with/club/back/?{query}"))


def test_an_answer_counts_once(client, club):
    begun = client.post("/account/with/club/")
    query = club.authorize(begun["Location"])
    assert client.get(f"/account/with/club/back/?{query}")["Location"] == "/account/with/"
    again = client.get(f"/account/with/club/back/?{query}")
    assert "That did not work" in again.content.decode()


def test_a_code_that_the_provider_does_not_know_is_refused(client, club):
    begun = client.post("/account/with/club/")
    state = club.authorize(begun["Location"]).rpartition("state=")[2]
    refused(client, client.get(f"/account/with/club/back/?code=made-up&state={state}"))


def test_calling_it_off_is_said(client, club):
    begun = client.post("/account/with/club/")
    state = club.authorize(begun["Location"]).rpartition("state=")[2]
    answer = client.get(f"/account/with/club/back/?error=access_denied&state={state}")
    assert answer["Location"] == "/account/cancelled/"
    assert "You have not logged in" in client.get("/account/cancelled/").content.decode()


def test_a_provider_that_is_away_is_a_sentence(client, club, settings):
    configured = providers.configured(club)
    configured["openid_connect"]["APPS"][0]["settings"]["server_url"] = "http://127.0.0.1:9"
    settings.SOCIALACCOUNT_PROVIDERS = configured
    answer = client.post("/account/with/club/")
    assert answer.status_code in (200, 401, 502)
    assert "That did not work" in answer.content.decode()


@pytest.mark.parametrize("path", ["/account/with/other/", "/account/with/other/back/"])
def test_a_provider_that_is_not_configured_is_not_there(client, club, path):
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404


def test_by_default_there_are_no_such_addresses(client):
    for path in ("with/club/", "with/club/back/", "with/", "connections/", "cancelled/", "failed/"):
        assert client.get(f"/account/{path}").status_code == 404


def test_configuration_alone_brings_it(monkeypatch):
    entry = {"id": "club", "name": "C", "server_url": "https://id.example.org/x", "client_id": "a", "secret": "b"}
    monkeypatch.setenv("OIDC_PROVIDERS", json.dumps([entry]))
    found = runpy.run_path(str(ROOT / "config" / "settings.py"))
    assert found["SOCIALACCOUNT_PROVIDERS"]["openid_connect"]["APPS"][0]["provider_id"] == "club"
    assert "https://id.example.org" in found["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["form-action"]
    monkeypatch.setenv("OIDC_PROVIDERS", json.dumps([{**entry, "secret": ""}, {"id": "x"}]))
    with pytest.raises(ImproperlyConfigured, match="lacks client_id, name, secret, server_url"):
        runpy.run_path(str(ROOT / "config" / "settings.py"))
