"""Which passwords are taken, and how they are kept."""

from __future__ import annotations

import runpy

import pytest
from django.contrib.auth.hashers import check_password, identify_hasher, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.adapter import AccountAdapter
from accounts.models import User
from tests.accounts.people import PASSWORD, account, log_in, sign_up, verify
from tests.client import Client
from tests.serving import ROOT

ZDENKA = User(username="Zdenka-Novotna", email="zdenka.dlouha@example.org")

WEAK = [
    "short but good",
    "natahunatahu123",
    "Na tahu, na tahu, na tahu!",
    "aaaaaaaaaaaaaaa",
    "abcabcabcabcabcabc",
    "123456789012345",
    "98765432109876543210",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjkl",
    "red-barvosauri-powercards-1",
    "passwordpassword123",
    "zdenkanovotna2026",
    "novotna zdenka 1 1 1",
    "zdenka.dlouha@example",
    "heslo heslo heslo 12",
    "!!!!!!!!!!!!!!!!!!!!!!",
    "                    ",
]
STRONG = [
    "violet kettle under moss",
    "correct horse battery staple",
    "Příliš žluťoučký kůň",
    "雪の降る夜に静かに歩く人の影がある",
    "🦕🌋🦖🌴🥚🌈🪨🌊🔥🦴🌿🐢🪶🎲🃏",
    "kj3 92ls ldk 20dk wo2",
    "x7#" + "y9!q" * 3 + "zebra crossing at noon",
    "a long sentence of more than sixty-four characters, which nobody will ever guess, " * 3,
]


@pytest.mark.parametrize("password", WEAK)
def test_what_is_easily_guessed_is_refused(password):
    with pytest.raises(ValidationError):
        validate_password(password, ZDENKA)


@pytest.mark.parametrize("password", STRONG)
def test_what_is_long_is_taken_whatever_it_is_made_of(password):
    validate_password(password, ZDENKA)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "password", ["  two spaces before and after  ", "Příliš žluťoučký kůň", "end " * 15 + "beginning"]
)
def test_nothing_of_a_password_is_cut_off_or_changed(client, password):
    sign_up(client, "Zdenka", password=password)
    verify(client)
    assert log_in(Client(), "Zdenka", password).status_code == 302
    for other in (password.strip() + "?", password[:-1], password + " "):
        assert log_in(Client(), "Zdenka", other).status_code == 422


@pytest.mark.django_db
def test_a_weak_password_is_told_at_its_field(client):
    answer = sign_up(client, "Zdenka", password="natahunatahu123")
    assert answer.status_code == 422
    assert "This password is easily guessed" in answer.content.decode()
    assert not User.objects.exists()


def test_passwords_are_kept_by_argon2id(settings):
    settings.PASSWORD_HASHERS = runpy.run_path(str(ROOT / "config" / "settings.py"))["PASSWORD_HASHERS"]
    kept = make_password("violet kettle under moss")
    assert kept.startswith("argon2$argon2id$")
    assert identify_hasher(kept).algorithm == "argon2"
    assert check_password("violet kettle under moss", kept)


@pytest.mark.django_db
def test_a_new_password_changes_nothing_else_of_the_row(client):
    ada = account("ada")
    log_in(client, "ada")
    given = User.set_password

    def meanwhile(user, password):
        given(user, password)
        User.objects.filter(pk=user.pk).update(zone="Europe/Prague")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(User, "set_password", meanwhile)
        fresh = "seven grey herons wait"
        client.post("/account/password/", {"oldpassword": PASSWORD, "password1": fresh, "password2": fresh})
    ada.refresh_from_db()
    assert ada.check_password(fresh)
    assert ada.zone == "Europe/Prague"


@pytest.mark.django_db
def test_who_had_a_name_before_names_were_compared_can_change_the_password():
    account("alice")
    User.objects.bulk_create([User(username="al1ce", skeleton=None)])
    older = User.objects.get(username="al1ce")
    fresh = "seven grey herons wait"
    AccountAdapter().set_password(older, fresh)
    assert User.objects.get(username="al1ce").check_password(fresh)
