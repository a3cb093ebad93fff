"""The list of browsers, and ending sessions: one, the others, all."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import sessions
from games import tasks
from tests.accounts.people import PASSWORD, account, code, log_in, sign_up, verify, whose
from tests.client import Client

pytestmark = pytest.mark.django_db

PHONE = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36"
)
DESK = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def ada():
    """A person with an account."""
    return account("ada")


@pytest.fixture
def phone(ada):
    """Ada's phone."""
    client = Client(HTTP_USER_AGENT=PHONE, REMOTE_ADDR="10.0.0.7")
    log_in(client, "ada")
    return client


@pytest.fixture
def desk(ada):
    """Ada's desk."""
    client = Client(HTTP_USER_AGENT=DESK)
    log_in(client, "ada")
    return client


def listed(client) -> str:
    """The page of browsers."""
    answer = client.get("/account/sessions/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_list_says_where_and_when(ada, phone, desk):
    page = listed(desk)
    assert page.index("Firefox, Linux") < page.index("this one") < page.index("Chrome, Android")
    assert "10.0.0.7" in page
    assert page.count('name="end"') == 2


def test_one_browser_is_logged_out(ada, phone, desk):
    row = UserSession.objects.get(user_agent=PHONE)
    assert desk.post("/account/sessions/", {"end": row.pk})["Location"] == "/account/sessions/"
    assert whose(phone) is None
    assert whose(desk) == ada
    page = listed(desk)
    assert "That browser is logged out." in page
    assert "Android" not in page
    desk.post("/account/sessions/", {"end": row.pk})
    assert "logged out already" in listed(desk)


def test_this_browser_is_logged_out_from_the_list(ada, phone, desk):
    desk.post("/account/sessions/", {"end": UserSession.objects.get(user_agent=DESK).pk})
    assert (whose(desk), whose(phone)) == (None, ada)


def test_all_are_logged_out(ada, phone, desk):
    assert desk.post("/account/sessions/", {"everywhere": "1"})["Location"] == "/"
    assert (whose(desk), whose(phone)) == (None, None)
    assert not UserSession.objects.exists()


@pytest.mark.parametrize("asked", ["{foreign}", "0", "-1", "x", "9" * 40, ""])
def test_the_sessions_of_others_are_out_of_reach(ada, desk, asked):
    other = Client()
    log_in(other, account("eva").username)
    foreign = UserSession.objects.get(user__username="eva").pk
    assert desk.post("/account/sessions/", {"end": asked.format(foreign=foreign)}).status_code == 302
    assert whose(other).username == "eva"


def test_a_new_password_ends_the_others_and_keeps_this_one(ada, phone, desk):
    fresh = "seven grey herons wait"
    desk.post("/account/password/", {"oldpassword": PASSWORD, "password1": fresh, "password2": fresh})
    assert "Log in" in phone.get("/turns/").content.decode()
    page = listed(desk)
    assert "Android" not in page
    assert page.count('name="end"') == 1


def test_a_new_address_ends_the_others_and_keeps_this_one(ada, phone, desk):
    desk.post("/account/again/?next=%2Faccount%2Femail%2F", {"password": PASSWORD})
    desk.post("/account/email/", {"email": "new@example.org"})
    desk.post("/account/verify/", {"action": "verify", "code": code()})
    assert (whose(desk), whose(phone)) == (ada, None)


def test_a_guest_who_becomes_a_person_is_listed(client):
    sign_up(client, "Zdenka")
    verify(client)
    assert listed(client).count('name="end"') == 1
    assert client.get("/turns/").wsgi_request.session.get_expiry_age() == 90 * 24 * 3600


def test_when_a_session_was_used_is_kept_to_the_hour_and_makes_it_last(ada, desk):
    long_ago = timezone.now() - timedelta(days=10)
    UserSession.objects.update(last_seen_at=long_ago)
    assert "sessionid" not in desk.get("/turns/").cookies
    assert UserSession.objects.get().last_seen_at == long_ago
    session = desk.session
    session["seen"] -= 3601
    session.save()
    assert desk.get("/turns/").cookies["sessionid"]["max-age"] == 90 * 24 * 3600
    assert UserSession.objects.get().last_seen_at > long_ago + timedelta(days=9)


def test_the_list_costs_the_same_for_few_and_for_many(ada, desk):
    counts = []
    for number in (1, 6):
        for _each in range(number):
            log_in(Client(), "ada")
        desk.get("/account/sessions/")
        with CaptureQueriesContext(connection) as found:
            listed(desk)
        counts.append(len(found))
    assert counts[0] == counts[1] <= 7, counts


def test_what_is_listed_of_sessions_that_are_no_more_is_deleted(ada, phone, desk):
    Session.objects.filter(session_key=phone.session.session_key).delete()
    assert listed(desk).count('name="end"') == 1
    tasks.guests()
    assert UserSession.objects.get().session_key == desk.session.session_key


@pytest.mark.parametrize(
    ("agent", "named"), [("", ""), (PHONE, "Chrome, Android"), ("curl/8", ""), (DESK, "Firefox, Linux")]
)
def test_browsers_have_names(agent, named):
    assert sessions.device(agent) == named
    assert mail.outbox == []
