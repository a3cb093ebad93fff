"""Mails: plain words, kept where there is no server, and read on the machine itself only."""

from __future__ import annotations

import runpy
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import Mail
from games import tasks
from tests.accounts.people import account, sign_up
from tests.client import Client
from tests.serving import ROOT

KEPT = "accounts.mail.Kept"


@pytest.fixture
def kept(db, settings, monkeypatch):
    """Mails are kept, as on a machine without a server; visitors call it by its own name."""
    settings.EMAIL_BACKEND = KEPT
    settings.ALLOWED_HOSTS = ["localhost", "na-tahu.example"]
    given = RequestFactory._base_environ
    monkeypatch.setattr(
        RequestFactory, "_base_environ", lambda self, **more: given(self, **{"SERVER_NAME": "localhost", **more})
    )


def test_mails_are_read_on_the_machine_itself(kept, client):
    sign_up(client, "Zdenka")
    assert "/dev/mail/" in client.get("/account/verify/").content.decode()
    page = client.get("/dev/mail/").content.decode()
    assert "zdenka@example.org" in page
    assert Mail.objects.get().body.splitlines()[4].strip() in page


@pytest.mark.parametrize(
    "environment",
    [
        {"REMOTE_ADDR": "10.0.0.1"},
        {"REMOTE_ADDR": "127.0.0.2"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "::ffff:10.0.0.1"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_FOR": ""},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_X_FORWARDED_HOST": "localhost"},
        {"HTTP_VIA": "1.1 proxy"},
        {"HTTP_HOST": "na-tahu.example"},
        {"HTTP_HOST": "na-tahu.example:8000"},
    ],
)
def test_from_elsewhere_there_is_no_such_page(kept, environment):
    sign_up(Client(), "Zdenka")
    client = Client(**environment)
    assert client.get("/dev/mail/").status_code == 404
    sign_up(client, "Jana")
    assert "/dev/mail/" not in client.get("/account/verify/").content.decode()


@pytest.mark.parametrize(
    ("embedded", "backend"), [(False, KEPT), (True, "django.core.mail.backends.smtp.EmailBackend")]
)
def test_where_mails_are_sent_there_is_no_such_page(db, settings, embedded, backend):
    settings.EMBEDDED, settings.EMAIL_BACKEND = embedded, backend
    assert Client().get("/dev/mail/").status_code == 404


def test_on_ipv6_it_is_the_same_machine(kept):
    assert Client(REMOTE_ADDR="::1").get("/dev/mail/").status_code == 200


def test_the_latest_hundred_are_shown_and_old_ones_deleted(kept, client):
    for number in range(105):
        EmailMessage(f"Mail {number}.", "text", to=["a@example.org"]).send()
    Mail.objects.filter(subject="Mail 104.").update(at=timezone.now() - timedelta(days=7, minutes=1))
    page = client.get("/dev/mail/").content.decode()
    assert page.index("Mail 103.") < page.index("Mail 5.")
    assert "Mail 3." not in page
    tasks.guests()
    assert Mail.objects.count() == 104


def test_a_mail_is_escaped_on_the_page(kept, client):
    EmailMessage("<b>x</b>", "<script>alert(1)</script>", to=["a@example.org"]).send()
    page = client.get("/dev/mail/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_mails_are_plain_automatic_and_from_the_site(db, client, settings):
    settings.DEFAULT_FROM_EMAIL = "Na tahu <noreply@play.example.org>"
    account("taken")
    sign_up(client, "Zdenka")
    sign_up(client, "Zdenka", "taken@example.org")
    client.post("/account/login/code/", {"email": "nobody@example.org"})
    client.post("/account/reset/", {"email": "taken@example.org"})
    assert len(mail.outbox) == 4
    for message in mail.outbox:
        assert message.from_email == settings.DEFAULT_FROM_EMAIL
        assert message.extra_headers["Auto-Submitted"] == "auto-generated"
        assert message.content_subtype == "plain"
        assert not getattr(message, "alternatives", None)
        assert "http://testserver" in message.body
        assert "&" not in message.body
        assert "example.com" not in message.body


@pytest.mark.parametrize(
    "address", ["a@example.org\nBcc: b@example.org", "a@example.org, b@example.org", "<a@example.org>"]
)
def test_a_form_cannot_add_receivers(db, client, address):
    for door in ("login/code", "reset", "signup"):
        answer = client.post(f"/account/{door}/", {"email": address, "username": "Zdenka"})
        assert answer.status_code == 422
    assert mail.outbox == []


def test_the_environment_says_how_mail_is_sent(monkeypatch):
    def settings():
        return runpy.run_path(str(ROOT / "config" / "settings.py"))

    monkeypatch.delenv("EMAIL_URL", raising=False)
    assert settings()["EMAIL_BACKEND"] == KEPT
    monkeypatch.setenv("EMAIL_URL", "smtp+tls://user:secret@mail.example.org:587")
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", "play@example.org")
    found = settings()
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == ("mail.example.org", 587, True)
    assert (found["EMAIL_TIMEOUT"], found["DEFAULT_FROM_EMAIL"]) == (5, "play@example.org")
    assert found["EMAIL_BACKEND"].endswith("smtp.EmailBackend")


def test_the_html_of_a_mail_is_a_page_of_its_own_that_may_do_nothing(kept, client):
    text = EmailMultiAlternatives("Hello", "in words", "a@example.org", ["b@example.org"], headers={"X-Mark": "<b>"})
    text.attach_alternative("<p>in HTML</p><script>alert(1)</script>", "text/html")
    text.send()
    page = client.get("/dev/mail/").content.decode()
    row = Mail.objects.get()
    assert f"/dev/mail/{row.pk}/" in page
    assert "X-Mark: &lt;b&gt;" in page
    assert "<p>in HTML" not in page
    response = client.get(f"/dev/mail/{row.pk}/")
    assert response.content == b"<p>in HTML</p><script>alert(1)</script>"
    policy = response["Content-Security-Policy"].split("; ")
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert not any("script-src" in part for part in policy)
    assert Client(REMOTE_ADDR="10.0.0.1").get(f"/dev/mail/{row.pk}/").status_code == 404
    assert client.get(f"/dev/mail/{row.pk + 1}/").status_code == 404
    assert client.post(f"/dev/mail/{row.pk}/").status_code == 405


def test_a_mail_of_words_alone_has_no_such_page(kept, client):
    EmailMessage("Hello", "in words", "a@example.org", ["b@example.org"]).send()
    row = Mail.objects.get()
    assert f"/dev/mail/{row.pk}/" not in client.get("/dev/mail/").content.decode()
    assert client.get(f"/dev/mail/{row.pk}/").status_code == 404
