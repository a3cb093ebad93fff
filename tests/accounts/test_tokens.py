"""Tokens: made on a page after the password was asked for again, shown once, stored hashed, and ended."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User
from tests.accounts.people import PASSWORD, account, code, log_in
from tests.client import Client, client_of

pytestmark = pytest.mark.django_db

PAGE = "/settings/tokens/"
FIELDS = {"name": "my bot", "scopes": "read", "days": "90"}
TEXT = re.compile(r'value="(nt_[\w-]{43})"')


@pytest.fixture
def ada():
    """A person with an account."""
    return account("ada")


@pytest.fixture
def browser(ada):
    """Her browser, a moment after she gave her password."""
    client = Client()
    log_in(client, "ada")
    client.post(f"/account/again/?next={PAGE}", {"password": PASSWORD})
    return client


def made(browser, **fields) -> str:
    """Makes a token by the form; its text."""
    answer = browser.post(PAGE, FIELDS | fields)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return TEXT.search(answer.content.decode())[1]


def test_a_token_is_shown_once_and_stored_hashed(browser, ada):
    text = made(browser)
    token = Token.objects.get()
    assert token.hash == hashlib.sha256(text.encode()).hexdigest()
    assert text not in str(Token.objects.values().get())
    assert (token.user, token.name, token.scopes) == (ada, "my bot", "read")
    page = browser.get(PAGE).content.decode()
    assert "my bot" in page
    assert "never used" in page
    assert "nt_" not in page
    assert tokens.find(text) == token


def test_the_password_is_asked_for_before(ada):
    client = Client()
    log_in(client, "ada")
    assert client.post(PAGE, FIELDS)["Location"].startswith("/account/again/")
    assert not Token.objects.exists()


def test_a_guest_has_no_tokens():
    client = Client()
    client.post("/play-now/")
    assert client.post(PAGE, FIELDS)["Location"].startswith("/account/login/")
    assert not Token.objects.exists()


@pytest.mark.parametrize("wrong", [{"name": ""}, {"name": "x" * 41}, {"scopes": "all"}, {"days": "91"}, {"days": ""}])
def test_a_form_with_faults_makes_none(browser, wrong):
    assert browser.post(PAGE, FIELDS | wrong).status_code == 422
    assert not Token.objects.exists()


def test_nobody_has_more_than_the_most(browser, ada):
    for _number in range(tokens.MOST):
        tokens.make(ada, "one", ["read"], 30)
    answer = browser.post(PAGE, FIELDS)
    assert answer.status_code == 422
    assert b"End one of them first" in answer.content
    Token.objects.filter(pk=Token.objects.first().pk).update(expires_at=timezone.now())
    made(browser)  # what has ended makes room, and is forgotten
    assert Token.objects.count() == tokens.MOST


def test_ending_a_token(browser, ada):
    text = made(browser)
    other = account("eve")
    _token, others = tokens.make(other, "hers", ["read"], 30)
    browser.post(f"{PAGE}{Token.objects.get(user=other).pk}/end/")
    assert tokens.find(others) is not None, "ended by somebody else"
    answer = browser.post(f"{PAGE}{Token.objects.get(user=ada).pk}/end/")
    assert answer["Location"] == PAGE
    assert tokens.find(text) is None
    assert "worth nothing any more" in browser.get(PAGE).content.decode()


def test_a_token_ends_at_its_time(ada):
    token, text = tokens.make(ada, "one", ["read"], 30)
    Token.objects.filter(pk=token.pk).update(expires_at=timezone.now() + timedelta(minutes=1))
    assert tokens.find(text) is not None
    Token.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert tokens.find(text) is None
    assert tokens.of(ada) == []


def test_a_new_password_ends_all_tokens(browser, ada):
    text = made(browser)
    new = "another kettle over moss"
    fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert browser.post("/account/password/", fields).status_code == 302
    assert tokens.find(text) is None
    assert b"You have no token" in browser.get(PAGE).content


def test_a_new_address_ends_all_tokens(browser, ada):
    text = made(browser)
    browser.post("/account/email/", {"email": "ada@new.example.org", "action_add": ""})
    assert tokens.find(text) is not None, "before the address is verified"
    browser.post("/account/verify/", {"action": "verify", "code": code()})
    ada.refresh_from_db()
    assert ada.email == "ada@new.example.org"
    assert tokens.find(text) is None


def test_who_may_not_log_in_any_more_has_no_token(ada):
    _token, text = tokens.make(ada, "one", ["read"], 30)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert tokens.find(text) is None


@pytest.mark.parametrize("text", ["", "nt_", "nt_" + "a" * 43, "nt_" + "ä" * 43, "nt_" + "a" * 43 + "\0", "x" * 9999])
def test_what_is_no_token_is_none(db, text):
    assert tokens.find(text) is None


def test_the_last_use_is_noted_once_a_minute(ada):
    token, text = tokens.make(ada, "one", ["read"], 30)
    tokens.used(tokens.find(text))
    first = Token.objects.get().used_at
    assert first is not None
    with CaptureQueriesContext(connection) as queries:
        tokens.used(tokens.find(text))
    assert len(queries) == 1
    Token.objects.filter(pk=token.pk).update(used_at=first - timedelta(minutes=2))
    tokens.used(tokens.find(text))
    assert Token.objects.get().used_at >= first


def test_a_user_who_goes_takes_the_tokens_along(ada):
    tokens.make(ada, "one", ["read"], 30)
    User.objects.filter(pk=ada.pk).delete()
    assert not Token.objects.exists()


def test_the_page_costs_the_same_with_many_tokens(browser, ada):
    counts = []
    for number in (1, 15):
        for _one in range(number):
            tokens.make(ada, "one", ["read"], 30)
        browser.get(PAGE)
        with CaptureQueriesContext(connection) as found:
            browser.get(PAGE)
        counts.append(len(found))
    assert counts[0] == counts[1] <= 6


def test_an_account_without_password_and_address_is_told_what_is_missing_and_not_sent_in_a_circle():
    bare = User.objects.create(username="bare", password="!")
    answer = client_of(bare).get("/settings/tokens/")
    assert answer.status_code == 403
    assert "has neither" in answer.content.decode()
