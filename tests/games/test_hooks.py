"""What machines post: unsubscribing by one click, and reports of mails that came back."""

from __future__ import annotations

import hmac
import json
import time
from hashlib import sha256
from urllib.parse import urlsplit

import pytest
from allauth.account.signals import email_changed, email_confirmed
from django.test import RequestFactory

from accounts.models import User
from games import links
from games.models import Channel, Choice, Delivery, Notice
from games.services import mailing, notices
from tests.client import Client, client_of

pytestmark = pytest.mark.django_db

SECRET = "a secret of the mail server"


def path_for(user, *kinds):
    return urlsplit(links.to_unsubscribe(user, kinds)).path


def cells():
    return sorted(Choice.objects.values_list("user__username", "kind", "channel", "mode"))


def test_one_click_switches_off_exactly_that_cell(alice, bob):
    path = path_for(alice, "turn")
    client = Client(enforce_csrf_checks=True)
    response = client.post(path, "List-Unsubscribe=One-Click")
    assert response.status_code == 200
    assert not response.cookies
    assert cells() == [("alice", "turn", "mail", "off")]


def test_providers_may_send_it_as_a_form_with_parts(alice):
    body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    client = Client(enforce_csrf_checks=True)
    assert client.post(path_for(alice, "turn"), body, content_type="multipart/form-data; boundary=x").status_code == 200
    assert cells() == [("alice", "turn", "mail", "off")]
    assert client.post(path_for(alice, "turn"), "{}", content_type="application/json").status_code == 415


def test_a_mail_with_several_kinds_switches_off_these(alice):
    Choice.objects.create(user=alice, kind="turn", channel="mail", mode="instant")
    Choice.objects.create(user=alice, kind="turn", channel="push", mode="instant")
    path = path_for(alice, "turn", "nudge")
    for _time in range(3):
        assert Client().post(path).status_code == 200
    off = [("alice", "nudge", "mail", "off"), ("alice", "turn", "mail", "off"), ("alice", "turn", "push", "instant")]
    assert cells() == off


def test_looking_changes_nothing_and_shows_the_button(alice):
    for method in ("get", "head"):
        response = getattr(Client(), method)(path_for(alice, "reminder", "turn"))
        assert response.status_code == 200
        assert response["Referrer-Policy"] == "no-referrer"
    page = Client().get(path_for(alice, "reminder", "turn")).content.decode()
    assert "your turn begins" in page
    assert "your time runs short" in page
    assert "Switch them off" in page
    assert cells() == []


def test_it_is_the_same_for_whoever_is_logged_in(alice, bob):
    assert client_of(bob).post(path_for(alice, "turn")).status_code == 200
    assert cells() == [("alice", "turn", "mail", "off")]


def test_what_was_tampered_with_does_nothing(alice, bob):
    token = path_for(alice, "turn").split("/")[2]
    value, mark = token.split(".")
    bad = [f"{bob.pk}-turn.{mark}", f"{alice.pk}-turn-nudge.{mark}", f"{value}.{mark[:-2]}"]
    bad += [value, "x", "é.é", "1" * 500]
    for wrong in bad:
        assert Client().post(f"/unsubscribe/{wrong}/").status_code == 404, wrong
    assert cells() == []


def test_who_is_gone_is_no_fault(alice):
    path = path_for(alice, "turn")
    alice.delete()
    assert Client().post(path).status_code == 200


@pytest.fixture
def carol(settings, person):
    """Somebody with an address, and the secret is set."""
    settings.BOUNCE_SECRET = SECRET
    user = person("carol")
    user.email = "carol@example.org"
    user.save()
    return user


def report(body, *, moment=None, secret=SECRET, client=None, **headers):
    """Posts a signed report."""
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    stamp = str(int(time.time()) if moment is None else moment)
    mark = hmac.new(secret.encode(), f"{stamp}.".encode() + text, sha256).hexdigest()
    headers = {"HTTP_X_TIMESTAMP": stamp, "HTTP_X_SIGNATURE": mark, **headers}
    return (client or Client(enforce_csrf_checks=True)).post(
        "/hooks/bounce/", text, content_type="application/json", **headers
    )


@pytest.mark.parametrize("kind", ["hard", "complaint"])
def test_an_address_that_fails_is_switched_off_visibly(carol, kind):
    assert report({"kind": kind, "address": "Carol@Example.org"}).json() == {"stopped": True}
    carol.refresh_from_db()
    assert carol.mail_off_at is not None
    assert carol.mail_off_why == kind
    notice = Notice.objects.get(user=carol)
    assert (notice.kind, notice.facts) == ("site", {"what": "address", "why": kind})
    assert notice in notices.unseen(carol)
    assert report({"kind": kind, "address": "carol@example.org"}).json() == {"stopped": False}
    assert Notice.objects.count() == 1


def test_what_may_go_better_next_time_stops_nothing(carol):
    assert report({"kind": "soft", "address": carol.email}).json() == {"stopped": False}
    carol.refresh_from_db()
    assert carol.mail_off_at is None


def mailed(user):
    """A delivery to the user by mail, as it is after it was sent."""
    notice = notices.tell(user.pk, Notice.Kind.TURN, "turn:1:1")
    notice.save()
    row = Delivery(notice=notice, channel=Channel.MAIL, due_at=notice.at, status="sent")
    row.message_id = row.own_id
    row.save()
    return row


def test_a_mail_is_known_by_its_message_id(carol, alice):
    row = mailed(carol)
    assert report({"kind": "hard", "message_id": row.message_id[:-3] + ">"}).json() == {"stopped": False}
    assert report({"kind": "hard", "message_id": "<99.x@example.org>"}).json() == {"stopped": False}
    assert report({"kind": "hard", "message_id": row.message_id}).json() == {"stopped": True}


def test_a_mail_to_the_former_address_says_nothing_about_the_present_one(carol):
    row = mailed(carol)
    User.objects.filter(pk=carol.pk).update(email="new@example.org")
    assert report({"kind": "hard", "message_id": row.message_id}).json() == {"stopped": False}
    assert report({"kind": "hard", "address": "carol@example.org"}).json() == {"stopped": False}


BAD = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"[" * 60000,
    b"\xff",
    b'{"kind": "hard"}',
    b'{"kind": "other", "address": "carol@example.org"}',
    b'{"kind": ["hard"], "address": "carol@example.org"}',
    b'{"kind": "hard", "address": 7}',
    b'{"kind": "hard", "address": ""}',
    b'{"kind": "hard", "address": "carol@example.org", "message_id": "<1.x@y>"}',
    b'{"kind": "hard", "address": "carol@example.org\\u0000"}',
    b'{"kind": "hard", "message_id": "' + b"x" * 600 + b'"}',
]


@pytest.mark.parametrize("body", BAD)
def test_what_is_no_report_is_refused(carol, body):
    assert report(body).status_code == 400
    carol.refresh_from_db()
    assert carol.mail_off_at is None


def test_only_what_is_signed_now_counts(carol):
    body = {"kind": "hard", "address": carol.email}
    wrong = [
        report(body, secret="another"),
        report(body, moment=int(time.time()) - 400),
        report(body, moment=int(time.time()) + 400),
        report(body, HTTP_X_SIGNATURE=""),
        report(body, HTTP_X_SIGNATURE="0" * 64),
        report(body, HTTP_X_SIGNATURE="é" * 64),
        report(body, HTTP_X_TIMESTAMP=""),
        report(body, HTTP_X_TIMESTAMP="²"),
        report(body, HTTP_X_TIMESTAMP="9" * 30),
        report(body, HTTP_X_TIMESTAMP=str(int(time.time()) - 7)),
    ]
    assert {response.status_code for response in wrong} == {403}
    assert Client().get("/hooks/bounce/").status_code == 405
    carol.refresh_from_db()
    assert carol.mail_off_at is None


def test_without_a_secret_there_is_no_such_page(carol, settings):
    settings.BOUNCE_SECRET = ""
    assert report({"kind": "hard", "address": carol.email}, secret="x").status_code == 404


def test_a_verified_or_another_address_gets_mail_again(carol):
    request = RequestFactory().get("/")
    request.session, request.user = Client().session, carol
    for signal in (email_confirmed, email_changed):
        assert mailing.address_fails(carol.pk, "hard")
        email = type("Address", (), {"user_id": carol.pk})()
        facts = {"email_address": email, "from_email_address": None, "to_email_address": email}
        signal.send(User, request=request, user=carol, **facts)
        carol.refresh_from_db()
        assert (carol.mail_off_at, carol.mail_off_why) == (None, "")
