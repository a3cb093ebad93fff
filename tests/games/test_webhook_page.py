"""The page of the webhooks: adding, the secret that is shown once, the buttons, and whose are whose."""

from __future__ import annotations

import re
from functools import partial

import pytest

from accounts import tokens
from accounts.models import User
from games.models import Webhook
from games.services import api_bots, webhooks
from tests.accounts.people import PASSWORD, account, code, log_in
from tests.client import Client, client_of
from tests.pushing import push_service
from tests.racing import at_once, outcome

pytestmark = pytest.mark.django_db

PAGE = "/settings/webhooks/"
URL = "https://hooks.example.org/secret-path/"


def form(number: int = 1, **change: str) -> dict[str, str]:
    """What the form sends."""
    return {"kind": "json", "url": f"{URL}{number}", **change}


def facts() -> list[dict]:
    """All rows, whole."""
    return list(Webhook.objects.order_by("pk").values())


def test_one_is_added_its_secret_shown_once_and_its_address_never(alice):
    client = client_of(alice)
    assert client.post(PAGE, form()).status_code == 302
    kept = Webhook.objects.get()
    assert (kept.user, kept.kind, kept.url) == (alice, "json", f"{URL}1")
    shown = client.get(PAGE)
    html = shown.content.decode()
    assert kept.secret in html
    assert "no-store" in shown["Cache-Control"]  # nor is it kept by the browser
    assert "hooks.example.org …th/1" in html
    assert "nothing posted yet" in html
    again = client.get(PAGE).content.decode()
    for page in (html, again):
        assert "secret-path" not in page
        assert kept.nonce not in page
    assert kept.secret not in again
    assert client.post(f"{PAGE}{kept.pk}/remove/").status_code == 302
    assert facts() == []
    assert client.post(f"{PAGE}{kept.pk}/remove/").status_code == 404


def test_chat_rooms_check_no_signature_and_are_shown_no_secret(alice):
    client = client_of(alice)
    client.post(PAGE, form(kind="discord"))
    assert "whsec_" not in client.get(PAGE).content.decode()


def test_it_is_switched_off_and_on(alice):
    client = client_of(alice)
    client.post(PAGE, form())
    kept = Webhook.objects.get()
    assert client.post(f"{PAGE}{kept.pk}/off/").status_code == 302
    html = client.get(PAGE).content.decode()
    assert "switched off" in html
    assert f"{PAGE}{kept.pk}/test/" not in html
    Webhook.objects.update(off_why="failing", error="503", failing_since="2026-01-01T00:00Z")
    html = client.get(PAGE).content.decode()
    assert "it had taken nothing for a day" in html
    assert "The last time it answered 503." in html
    client.post(f"{PAGE}{kept.pk}/on/")
    kept.refresh_from_db()
    assert (kept.off_at, kept.off_why, kept.failing_since, kept.error) == (None, "", None, "")


WRONG = [
    ({"url": ""}, "required"),
    ({"url": "hooks.example.org/x"}, "public https addresses"),
    ({"url": "http://hooks.example.org/x"}, "public https addresses"),
    ({"url": "https://hooks.example.org:8443/x"}, "public https addresses"),
    ({"url": "https://me@hooks.example.org/x"}, "public https addresses"),
    ({"url": "https://hooks.example.org/a b"}, "public https addresses"),
    ({"url": "javascript:alert(1)"}, "public https addresses"),
    ({"url": "file:///etc/passwd"}, "public https addresses"),
    ({"url": URL + "x" * 1000}, "at most 1000 characters"),
    ({"kind": "teams"}, "There is no such kind."),
    ({"kind": ""}, "required"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_what_is_wrong_is_said_and_nothing_kept(alice, change, sentence):
    answer = client_of(alice).post(PAGE, form(**change))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert facts() == []


def test_five_at_most_and_each_address_once(alice, bob):
    client = client_of(alice)
    assert [client.post(PAGE, form(number)).status_code for number in range(webhooks.MOST)] == [302] * webhooks.MOST
    before = facts()
    assert client.post(PAGE, form(9)).status_code == 409
    html = client.get(PAGE).content.decode()
    assert "as many as one can have" in html
    assert 'name="url"' not in html
    client.post(f"{PAGE}{Webhook.objects.first().pk}/remove/")
    assert client.post(PAGE, form(1)).status_code == 409
    assert facts() == before[1:]
    assert client_of(bob).post(PAGE, form(1)).status_code == 302


def changed(client, how: str) -> None:
    """She has another password or address from now on."""
    if how == "password":
        new = "another kettle over moss"
        fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
        assert client.post("/account/password/", fields).status_code == 302
    else:
        client.post(f"/account/again/?next={PAGE}", {"password": PASSWORD})
        client.post("/account/email/", {"email": "ada@new.example.org", "action_add": ""})
        client.post("/account/verify/", {"action": "verify", "code": code()})


@pytest.mark.parametrize("how", ["password", "address"])
def test_who_added_one_with_a_stolen_session_does_not_outlive_a_new_password_or_address(how, alice):
    ada, client = account("ada"), Client()
    log_in(client, "ada")
    theirs = webhooks.add(ada, kind="json", url=f"{URL}1")
    others = webhooks.add(alice, kind="json", url=f"{URL}1")
    bot, text = api_bots.make(ada, "Roby", api_bots.Facts(about="", games=["red"], everybody=True))
    assert tokens.find(text).user == bot.user
    changed(client, how)
    theirs.refresh_from_db()
    others.refresh_from_db()
    assert (theirs.off_at is None, theirs.off_why, others.off_at) == (False, "changed", None)
    assert tokens.find(text) is None
    html = client.get("/notices/").content.decode()
    assert f"We have switched off your webhook {theirs.place}: you have a new password or a new e-mail" in html
    assert "you have a new password or a new e-mail" in client.get(PAGE).content.decode()
    client.post(f"{PAGE}{theirs.pk}/on/")
    theirs.refresh_from_db()
    assert theirs.off_at is None


def test_strangers_find_nothing(alice, charlie, client):
    client_of(alice).post(PAGE, form())
    before = facts()
    pk = before[0]["id"]
    guest = User.objects.create_guest()
    for visitor in (client_of(charlie), client_of(guest), client):
        for what in ("remove", "test", "on", "off"):
            assert visitor.post(f"{PAGE}{pk}/{what}/").status_code == 404
            assert visitor.get(f"{PAGE}{pk}/{what}/").status_code == 405
        assert "hooks.example.org" not in visitor.get(PAGE).content.decode()
    assert facts() == before


def test_guests_and_nobody_have_none(client):
    guest = User.objects.create_guest()
    for visitor in (client_of(guest), client):
        assert "Webhooks need an account." in visitor.get(PAGE).content.decode()
        assert visitor.post(PAGE, form()).status_code == 404
    assert facts() == []
    assert User.objects.get() == guest
    assert PAGE not in client_of(guest).get("/settings/notices/").content.decode()


def test_forms_of_other_sites_change_nothing(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(PAGE, form()).status_code == 403
    assert facts() == []


def test_too_many_are_told_to_wait(alice, settings):
    settings.LIMITS = settings.LIMITS | {"webhook": (1, 3600), "webhook_test": (1, 3600)}
    settings.PUSH_ALLOW_LOOPBACK = True
    client = client_of(alice)
    assert [client.post(PAGE, form(number)).status_code for number in range(2)] == [302, 429]
    with push_service() as service:
        kept = webhooks.add(alice, kind="json", url=service.endpoint())
        assert [client.post(f"{PAGE}{kept.pk}/test/").status_code for _time in range(2)] == [302, 429]
        assert len(service.received) == 1


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (204, "The test was taken."),
        (410, "gone for good"),
        (503, "The last time it answered 503."),
        (302, "it answered 302, and we follow no redirections"),
        (400, "The test was refused."),
    ],
)
def test_a_test_says_what_came_of_it(alice, settings, status, sentence):
    settings.PUSH_ALLOW_LOOPBACK = True
    client = client_of(alice)
    with push_service() as service:
        service.answers["/one"] = status
        client.post(PAGE, form(url=service.endpoint()))
        client.get(PAGE)
        assert client.post(f"{PAGE}{Webhook.objects.get().pk}/test/").status_code == 302
        assert b'"type": "test"' in service.received[0].body
    html = client.get(PAGE).content.decode()
    assert sentence in html
    note = re.search(r'<p class="note (good|bad)" role="(status|alert)">', html)
    assert note
    assert note[1] == ("good" if status == 204 else "bad")


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_than_five_are_kept(alice):
    for number in range(webhooks.MOST - 1):
        webhooks.add(alice, **form(number))
    results = at_once([outcome(partial(webhooks.add, alice, **form(100 + number))) for number in range(4)])
    assert results.count("too_many_webhooks") == 3
    assert Webhook.objects.count() == webhooks.MOST
