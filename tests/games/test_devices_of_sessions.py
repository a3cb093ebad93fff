"""Who is logged out in a browser is no longer told of anything by it."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession

from games.models import Device
from tests.accounts.people import PASSWORD, account, log_in, sign_up, verify, whose
from tests.client import Client
from tests.pushing import KEY, Browser

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NEW = "a quite different kettle"


@pytest.fixture
def browsers(settings):
    """A phone and a desk on which ada is logged in, each with pushes enabled."""
    settings.VAPID_PRIVATE_KEY = KEY
    account("ada")
    found = {}
    for name in ("phone", "desk"):
        found[name] = client = Client(HTTP_USER_AGENT=name)
        log_in(client, "ada")
        told = {"endpoint": f"https://push.example.org/{name}", **Browser().keys}
        assert client.post("/settings/notices/devices/add.json", told).status_code == 201
    assert kept() == ["desk", "phone"]
    return found


def kept() -> list[str]:
    """The browsers that take pushes."""
    return sorted(endpoint.rpartition("/")[2] for endpoint in Device.objects.values_list("endpoint", flat=True))


def test_logging_out_here_ends_the_pushes_here(browsers):
    browsers["phone"].post("/account/logout/")
    assert kept() == ["desk"]


def test_a_browser_that_is_logged_out_from_another_one(browsers):
    row = UserSession.objects.get(user_agent="phone")
    browsers["desk"].post("/account/sessions/", {"end": row.pk})
    assert kept() == ["desk"]


def test_logging_out_everywhere(browsers):
    browsers["desk"].post("/account/sessions/", {"everywhere": "1"})
    assert kept() == []


def test_a_new_password_ends_the_pushes_of_all_others(browsers):
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert browsers["desk"].post("/account/password/", form).status_code == 302
    assert kept() == ["desk"]


@pytest.mark.parametrize("new", [False, True])
def test_what_a_guest_enabled_goes_along_into_the_account_and_ends_with_the_logout(settings, new):
    settings.VAPID_PRIVATE_KEY = KEY
    client = Client(HTTP_USER_AGENT="phone")
    client.post("/play-now/")
    told = {"endpoint": "https://push.example.org/phone", **Browser().keys}
    assert client.post("/settings/notices/devices/add.json", told).status_code == 201
    if new:
        sign_up(client, "ada", password=PASSWORD)
        verify(client)
    else:
        account("ada")
        log_in(client, "ada")
    assert whose(client).username == "ada"
    assert Device.objects.get().user.username == "ada"
    client.post("/account/logout/")
    assert kept() == []
