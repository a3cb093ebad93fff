"""Every address of accounts, by method and role: what it answers, as a table. And no form without its token."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import clear_url_caches, get_resolver

from accounts.models import User
from accounts.urls import social_patterns
from tests.accounts import provider as providers
from tests.accounts.people import account, log_in, sign_up, whose
from tests.client import Client

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "guest", "pending", "person")

LOGIN = "/account/login/?next="
AGAIN = "/account/again/?next="

GET = {
    # A number is a status; a text is where the visitor is led.
    "account": (200, 200, 200, 200),
    "account_signup": (200, 200, 200, "/turns/"),
    "account_email_verification_sent": ("/account/", "/account/", 200, "/account/"),
    "account_login": (200, 200, 200, "/turns/"),
    "account_request_login_code": (200, 200, 200, "/turns/"),
    "account_confirm_login_code": (*["/account/login/code/"] * 3, "/turns/"),
    "account_logout": ("/", "/", "/", 200),
    "account_inactive": (200, 200, 200, 200),
    "account_email": (*[LOGIN + "/account/email/"] * 3, AGAIN + "%2Faccount%2Femail%2F"),
    "account_change_password": (*[LOGIN + "/account/password/"] * 3, 200),
    "account_set_password": (*[LOGIN + "/account/password/set/"] * 3, AGAIN + "%2Faccount%2Fpassword%2Fset%2F"),
    "account_reset_password": (200, 200, 200, 200),
    "account_confirm_password_reset_code": ("/account/login/",) * 4,
    "account_complete_password_reset": ("/account/reset/",) * 4,
    "account_password_reset_completed": ("/account/",) * 4,
    "account_reauthenticate": (*[LOGIN + "/account/again/"] * 3, 200),
    "account_request_reauthentication_code": (*[LOGIN + "/account/again/code/"] * 3, 200),
    "account_confirm_reauthentication_code": (
        *[LOGIN + "/account/again/code/enter/"] * 3,
        "/account/again/code/",
    ),
    "usersessions_list": (*[LOGIN + "/account/sessions/"] * 3, 200),
    "tokens": (*[LOGIN + "/settings/tokens/"] * 3, AGAIN + "%2Fsettings%2Ftokens%2F"),
    "end_token": (405, 405, 405, 405),
    "dev_mail": (404, 404, 404, 404),
    "dev_mail_html": (404, 404, 404, 404),
    "openid_connect_login": (200, 200, 200, 200),
    "openid_connect_callback": (401, 401, 401, 401),
    "socialaccount_signup": ("/account/login/",) * 4,
    "socialaccount_connections": (*[LOGIN + "/account/connections/"] * 3, AGAIN + "%2Faccount%2Fconnections%2F"),
    "socialaccount_login_cancelled": (200, 200, 200, 200),
    "socialaccount_login_error": (401, 401, 401, 401),
}

POST = {
    # An empty form; 422 is that form again with its faults. What is not here answers like GET.
    "account": (200, 200, 200, 200),
    "account_signup": (422, 422, 422, "/turns/"),
    "account_email_verification_sent": ("/account/", "/account/", 422, "/account/"),
    "account_login": (422, 422, 422, "/turns/"),
    "account_request_login_code": (422, 422, 422, "/turns/"),
    "account_logout": ("/", "/", "/", "/"),
    "account_inactive": (405, 405, 405, 405),
    "account_change_password": (*[LOGIN + "/account/password/"] * 3, 422),
    "account_reset_password": (422, 422, 422, 422),
    "account_reauthenticate": (*[LOGIN + "/account/again/"] * 3, 422),
    "account_request_reauthentication_code": (*[LOGIN + "/account/again/code/"] * 3, 422),
    "usersessions_list": (*[LOGIN + "/account/sessions/"] * 3, "/account/sessions/"),
    "end_token": (*[LOGIN + "/settings/tokens/1/end/"] * 3, "/settings/tokens/"),
    "dev_mail": (405, 405, 405, 405),
    "dev_mail_html": (405, 405, 405, 405),
    "openid_connect_login": ("{provider}",) * 4,
    "socialaccount_login_cancelled": (405, 405, 405, 405),
    "socialaccount_login_error": (405, 405, 405, 405),
}


@pytest.fixture(scope="module")
def _server():
    with providers.running() as server:
        yield server


@pytest.fixture
def club(_server, settings):
    """A provider that the site knows."""
    settings.SOCIALACCOUNT_PROVIDERS = providers.configured(_server)
    settings.ROOT_URLCONF = "tests.accounts.with_provider"
    return _server


@pytest.fixture
def cast():
    """A client for every role."""
    clients = {role: Client() for role in ROLES}
    clients["guest"].post("/play-now/")
    sign_up(clients["pending"], "pending-person")
    account("person-one")
    log_in(clients["person"], "person-one")
    return clients


def addresses() -> dict[str, str]:
    """Every address of accounts by its name."""
    patterns = [*get_resolver("config.urls").url_patterns[1].url_patterns, *social_patterns]
    return {
        pattern.name: "/" + str(pattern.pattern).replace("<slug:provider_id>", "club").replace("<int:pk>", "1")
        for pattern in patterns
    }


def test_every_address_stands_in_the_table():
    clear_url_caches()
    assert set(addresses()) == set(GET)
    assert set(POST) <= set(GET)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", GET)
def test_who_sees_and_sends_what(cast, club, name, role):
    client, path, column = cast[role], addresses()[name], ROLES.index(role)
    before = whose(client)
    for method, table in (("get", GET), ("head", GET), ("post", {**GET, **POST})):
        expected = table[name][column]
        answer = getattr(client, method)(path)
        if isinstance(expected, str):
            where = expected.format(provider=f"{club.url}/authorize")
            assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, where.partition("?")[0])
            assert "?" not in where or answer["Location"] == where
        else:
            assert answer.status_code == expected, (method, answer.status_code)
            page = answer.content.decode()
            assert method == "head" or 'class="top"' in page, "not a page of ours"
            assert "<style" not in page
            assert "style=" not in page
        if answer.status_code == 200:
            assert "no-store" in answer["Cache-Control"]
    assert whose(client) == (None if (role, name) == ("person", "account_logout") else before)


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
@pytest.mark.parametrize("role", ROLES)
def test_other_methods_change_nothing(cast, club, role, method):
    before = whose(cast[role])
    for path in addresses().values():
        answer = getattr(cast[role], method)(path)
        assert answer.status_code in (405, 415), (path, answer.status_code)
    assert whose(cast[role]) == before


FORM = re.compile(r'<form method="post"[^>]*>.*?</form>', re.DOTALL)


@pytest.mark.parametrize("role", ROLES)
def test_every_form_needs_its_token(cast, club, role):
    """Each address refuses a form without the token, and each form of a page has one."""
    client = Client(enforce_csrf_checks=True)
    client.cookies = cast[role].cookies
    forms = 0
    for path in addresses().values():
        answer = client.post(path, {"everywhere": "1", "end": "1"})
        assert answer.status_code == 403, path
        for form in FORM.findall(client.get(path).content.decode()):
            forms += 1
            assert 'name="csrfmiddlewaretoken"' in form
    assert forms >= 5
    assert role == "anonymous" or whose(client) is not None


@pytest.mark.parametrize("role", ROLES)
def test_what_the_pages_cost(cast, role):
    most = {"account": 5, "account_signup": 4, "account_login": 4, "usersessions_list": 7, "account_change_password": 4}
    for name, queries in most.items():
        path = addresses()[name]
        cast[role].get(path)
        with CaptureQueriesContext(connection) as found:
            cast[role].get(path)
        assert len(found) <= queries, (name, [query["sql"] for query in found])


def test_a_bot_has_no_session_to_be_had():
    bot = User.objects.bot("Ada")
    assert not bot.has_usable_password()
    assert log_in(Client(), bot.username, "!").status_code == 422
