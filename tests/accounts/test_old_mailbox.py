"""Who has lost a mailbox has taken it off the account: codes that went there before open nothing any more."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from accounts.models import User
from tests.accounts.people import PASSWORD, account, code, log_in, whose
from tests.client import Client

pytestmark = pytest.mark.django_db

FRESH = {"password1": "seven grey herons wait", "password2": "seven grey herons wait"}


@pytest.fixture
def ada():
    """A person with an account."""
    return account("ada")


@pytest.fixture
def thief():
    """A browser of whoever reads the old mailbox."""
    return Client()


def move_house() -> None:
    """Ada changes the address of the account."""
    desk = Client()
    log_in(desk, "ada")
    desk.post("/account/again/?next=%2Faccount%2Femail%2F", {"password": PASSWORD})
    desk.post("/account/email/", {"email": "new@example.org"})
    desk.post("/account/verify/", {"action": "verify", "code": code()})
    assert EmailAddress.objects.get(user__username="ada").email == "new@example.org"


def test_a_code_for_logging_in(ada, thief):
    thief.post("/account/login/code/", {"email": ada.email})
    mailed = code()
    move_house()
    mails = len(mail.outbox)
    assert thief.post("/account/login/code/enter/", {"code": mailed})["Location"] == "/account/login/code/"
    assert whose(thief) is None
    assert len(mail.outbox) == mails
    assert EmailAddress.objects.get(user=ada).email == "new@example.org"


def test_a_code_for_a_new_password(ada, thief):
    thief.post("/account/reset/", {"email": ada.email})
    mailed = code()
    move_house()
    assert thief.post("/account/reset/enter/", {"code": mailed})["Location"] == "/account/login/"
    assert thief.post("/account/reset/password/", FRESH)["Location"] == "/account/reset/"
    assert User.objects.get().check_password(PASSWORD)


def test_a_code_that_was_entered_but_not_used(ada, thief):
    thief.post("/account/reset/", {"email": ada.email})
    assert thief.post("/account/reset/enter/", {"code": code()})["Location"] == "/account/reset/password/"
    move_house()
    assert thief.post("/account/reset/password/", FRESH)["Location"] == "/account/reset/"
    assert User.objects.get().check_password(PASSWORD)
    assert whose(thief) is None


def test_who_was_made_by_a_command_has_the_address_in_the_own_row(thief):
    User.objects.create_superuser("root-of-all", "root@example.org", PASSWORD)
    thief.post("/account/reset/", {"email": "root@example.org"})
    thief.post("/account/reset/enter/", {"code": code()})
    thief.post("/account/reset/password/", FRESH)
    assert User.objects.get().check_password(FRESH["password1"])
