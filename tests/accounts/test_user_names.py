"""O26: user names that pass for another's are refused by every door, in the same words."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import names
from accounts.models import User
from tests.accounts import provider as providers
from tests.accounts.people import account, sign_up
from tests.accounts.test_names import FOREIGN
from tests.client import Client

pytestmark = pytest.mark.django_db

OTHER_LETTERS = [
    *FOREIGN,
    "\u0430dmin",  # Cyrillic a
    "adm\u0456n",  # Cyrillic i
    "r\u043e\u043et",  # Cyrillic o
    "\u0391lice",  # Greek capital alpha
    "alic\u0435",  # Cyrillic e
    "\uff21\uff2c\uff29\uff23\uff25",  # full width
    "al\u0131ce",  # dotless i
    "alice\u0000",
    "alice\ufeff",
    "ali\u00adce",  # a soft hyphen
    "\u2066alice\u2069",  # isolates
    "al\u200dice",
    "\U0001d41alice",  # mathematical bold
    "a\u0332lice",
    "ålice",
    "alice😀",
    "alice!",
    "alice@example.org",
    "ali/ce",
    "<b>alice</b>",
]

TOO_LIKE = [
    "alice", "ALICE", "Alice", "aLiCe", "a1ice", "al1ce", "aIice", "aliçe"[:3] + "-ce", "a_lice", "al-ice", "a-l-i-c-e",
    "admin", "Admin", "ADMIN", "adm1n", "AdmIn", "ad-min", "administrator", "root", "r00t", "R0OT", "staff", "sta-ff",
    "system", "moderator", "rnoderator", "support", "deleted", "null", "me", "NaTahu", "na-tahu", "natahu", "n4tahu"[:1]
    + "atahu", "guest", "Guest-1", "guest7k2m", "Bot", "bot-ada", "BotAda", "webmaster", "postmaster", "security",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _alice(settings):
    settings.ACCOUNT_RATE_LIMITS = False
    account("alice")


def test_o26_there_are_enough_of_them():
    assert len({*OTHER_LETTERS, *TOO_LIKE}) >= 50


@pytest.mark.parametrize("name", OTHER_LETTERS, ids=ascii)
def test_o26_other_letters_are_refused_by_the_form(client, name):
    if name.strip() == "alice":  # what a form strips is a name that is taken
        return test_o26_what_is_too_like_is_refused_by_the_form(client, name.strip())
    answer = sign_up(client, name, "new@example.org")
    assert answer.status_code in (400, 422)
    assert answer.status_code == 400 or "Only letters (a to z), digits, - and _ are allowed." in answer.content.decode()
    assert not User.objects.exclude(username="alice").exists()


@pytest.mark.parametrize("name", TOO_LIKE)
def test_o26_what_is_too_like_is_refused_by_the_form(client, name):
    answer = sign_up(client, name, "new@example.org")
    assert answer.status_code == 422
    assert answer.content.decode().count(str(names.TAKEN)) == 1
    assert not User.objects.exclude(username="alice").exists()


def stored(name: str) -> None:
    """Stores a user of this name; raises what the model or, for one too much like another, the database raises."""
    new = User(username=name, email="new@example.org")
    new.set_unusable_password()
    new.full_clean()
    with transaction.atomic():
        new.save()


@pytest.mark.parametrize("name", [*OTHER_LETTERS, *TOO_LIKE], ids=ascii)
def test_o26_the_model_refuses_them(name):
    with pytest.raises((ValidationError, IntegrityError)):
        stored(name)


def test_o26_signing_up_by_a_provider_refuses_them_too(settings):
    with providers.running() as club:
        settings.SOCIALACCOUNT_PROVIDERS = providers.configured(club)
        settings.ROOT_URLCONF = "tests.accounts.with_provider"
        client = Client()
        begun = client.post("/account/with/club/")
        client.get(f"/account/with/club/back/?{club.authorize(begun['Location'])}")
        for name in TOO_LIKE:
            answer = client.post("/account/with/", {"username": name, "email": "zdenka@example.org"})
            assert answer.status_code == 422
            assert answer.content.decode().count(str(names.TAKEN)) == 1
        for name in OTHER_LETTERS:
            answer = client.post("/account/with/", {"username": name, "email": "zdenka@example.org"})
            assert answer.status_code in (400, 422), ascii(name)
        assert not User.objects.exclude(username="alice").exists()


def test_o26_a_reserved_name_that_the_provider_tells_is_only_a_suggestion(settings):
    with providers.running() as club:
        club.claims["preferred_username"] = "admin"
        settings.SOCIALACCOUNT_PROVIDERS = providers.configured(club)
        settings.ROOT_URLCONF = "tests.accounts.with_provider"
        client = Client()
        begun = client.post("/account/with/club/")
        client.get(f"/account/with/club/back/?{club.authorize(begun['Location'])}")
        assert 'value="admin"' in client.get("/account/with/").content.decode()
        assert not User.objects.filter(username="admin").exists()
