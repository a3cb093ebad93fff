"""Sending mails of notices: to whom, in which headers, how often, and what becomes of them when something is wrong."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from itertools import pairwise

import pytest
from django.core import mail

from accounts.models import User
from games.delivery import routing, sending
from games.models import Delivery, MatchChoice, Notice
from games.services import mailing
from tests.conftest import move
from tests.games.mailing import asked, fates, parts, read, sweep, wants, with_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailed")]


HEADERS = [
    "Auto-Submitted",
    "Content-Type",
    "Date",
    "From",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "MIME-Version",
    "Message-ID",
    "Subject",
    "To",
]

HOSTILE = (
    "x\r\nBcc: charlie@example.org",
    "x\nSubject: other",
    "x\u2028Bcc: charlie@example.org\u2029y",
    "x\x00y\x85z\x1b[2J",
    "\u202etxt\u200b",
    "ř" * 10_000,
    "<b onclick=x>&amp;</b>",
)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_o38_nobodys_words_break_a_mail(clock, alice, bob, monkeypatch, name):
    monkeypatch.setattr(User, "name", property(lambda user: name if user.username == "bob" else user.username))
    wants(alice, "turn", "instant")
    asked(alice, bob)
    [sent] = [one for one in sweep(clock) if one.to == ["alice@example.org"]]
    found = read(sent)
    assert sent.recipients() == ["alice@example.org"]
    assert sorted(found.keys()) == HEADERS
    assert len(sent.subject) <= 100
    assert sent.subject.isprintable()
    html = parts(sent)[1]
    assert "<b onclick" not in html


def test_o38_names_with_breaks_are_refused_where_they_are_entered(client):
    for name in ("x\r\nBcc: y", "x\u2028y", "x" * 10_000):
        page = client.post("/account/signup/", {"username": name, "email": "x@example.org"})
        assert page.status_code == 422
    assert client.post("/account/signup/", {"username": "x\0y", "email": "x@example.org"}).status_code == 400
    assert mail.outbox == []


def test_o38_one_bad_mail_holds_up_no_other(clock, alice, bob, charlie):
    with_address(charlie)
    User.objects.filter(pk=alice.pk).update(email="alice@example.org\r\nBcc: charlie@example.org")
    for user in (alice, charlie):
        wants(user, "turn", "instant")
        asked(user, bob)
    sent = sweep(clock)
    assert [one.to for one in sent] == [["charlie@example.org"]]
    assert ("turn", "parked", "bad") in fates(alice)
    assert Notice.objects.get(user=alice, kind="site").facts["what"] == "parked"


def test_o38_a_fault_of_ours_is_parked_after_three_tries(clock, alice, bob, monkeypatch):
    wants(alice, "turn", "instant")
    asked(alice, bob, days=7)
    tried = []

    def fails(row):
        tried.append(row.pk)
        raise RuntimeError("a fault")

    monkeypatch.setitem(sending.SENDERS, "mail", fails)
    for _time in range(10):
        sweep(clock, hours=1)
    assert len(tried) == 3
    assert fates(alice)[0] == ("turn", "parked", "fault")


def test_what_kills_whoever_sends_it_is_given_up(clock, alice, bob):
    wants(alice, "turn", "instant")
    asked(alice, bob, days=7)
    routing.route()
    killed = {"status": "sending", "lease_until": clock.moment - timedelta(seconds=1), "tries": sending.MOST_TRIES}
    Delivery.objects.update(**killed)
    assert sweep(clock) == []
    assert fates(alice) == [("turn", "parked", "fault")]


def refused(code, text):
    return smtplib.SMTPRecipientsRefused({"alice@example.org": (code, text)})


FAULTS = [
    (refused(550, b"5.1.1 no such user"), "parked", "refused", True),
    (refused(550, b"no such user"), "parked", "refused", True),
    (refused(554, b"5.7.1 relaying denied"), "parked", "rejected", False),
    (refused(450, b"4.2.0 greylisted"), "waiting", "busy", False),
    (smtplib.SMTPDataError(554, b"looks like spam"), "parked", "rejected", False),
    (smtplib.SMTPDataError(451, b"try later"), "waiting", "busy", False),
    (smtplib.SMTPSenderRefused(550, b"who are you", "noreply@play.example.org"), "waiting", "server", False),
    (smtplib.SMTPAuthenticationError(535, b"no"), "waiting", "server", False),
    (smtplib.SMTPConnectError(554, b"no"), "waiting", "server", False),
    (smtplib.SMTPServerDisconnected("gone"), "waiting", "server", False),
    (ConnectionRefusedError(), "waiting", "server", False),
    (TimeoutError(), "waiting", "server", False),
]


@pytest.mark.parametrize(("fault", "status", "why", "off"), FAULTS)
def test_what_a_mail_server_says(clock, alice, bob, faulty, fault, status, why, off):
    wants(alice, "turn", "instant")
    asked(alice, bob, days=7)
    faulty.fault = fault
    sweep(clock)
    assert fates(alice) == [("turn", status, why)]
    alice.refresh_from_db()
    assert (alice.mail_off_at is not None, alice.mail_off_why) == (off, "refused" if off else "")
    told = list(Notice.objects.filter(user=alice, kind="site"))
    assert len(told) == (status == "parked")
    faulty.fault = None
    later = [one.to for one in sweep(clock, minutes=2)]
    assert later == ([["alice@example.org"]] if status == "waiting" else [])


def test_a_closed_way_is_tried_once_a_sweep_and_given_up_in_the_end(clock, alice, bob, charlie, faulty):
    with_address(charlie)
    for user in (alice, charlie):
        wants(user, "turn", "instant")
        asked(user, bob, days=7)
    faulty.fault = ConnectionRefusedError()
    sweep(clock)
    assert sum(Delivery.objects.values_list("tries", flat=True)) == 1
    for _time in range(40):
        sweep(clock, hours=1)
    assert fates(alice) == [("turn", "parked", "server")]
    assert Notice.objects.filter(user=alice, kind="site").count() == 1


def test_who_is_switched_off_gets_none_and_again_after_another_try(clock, alice, bob):
    wants(alice, "turn", "instant")
    mailing.address_fails(alice.pk, "hard")
    match = asked(alice, bob)
    assert sweep(clock) == []
    assert fates(alice) == [("turn", "dropped", "address")]
    mailing.try_again(alice.pk)
    move(move(match))
    assert len(sweep(clock)) == 1


@pytest.mark.parametrize("instant", [True, False])
def test_what_is_switched_off_while_it_waits_is_not_sent(clock, alice, bob, instant):
    match = asked(alice, bob)
    if instant:
        wants(alice, "turn", "instant")
    User.objects.filter(pk=alice.pk).update(seen_at=clock.moment)
    sweep(clock)
    wants(alice, "turn", "off")
    assert sweep(clock, minutes=20) == []
    assert fates(alice) == [("turn", "dropped", "off")]
    assert match.version == 1


def test_what_is_muted_after_it_was_gathered_is_not_told(clock, alice, bob, faulty):
    first, second = asked(alice, bob), asked(alice, bob)
    faulty.fault = ConnectionRefusedError()
    sweep(clock)
    sweep(clock, minutes=16)
    MatchChoice.objects.create(user=alice, match=first, mode="mute")
    faulty.fault = None
    [sent] = [one for one in sweep(clock, minutes=2) if one.to == ["alice@example.org"]]
    text = parts(sent)[0]
    assert f"-{first.pk}-1." not in text
    assert f"-{second.pk}-1." in text
    assert fates(alice)[:2] == [("turn", "dropped", "mute"), ("turn", "carried", "")]


def test_one_mail_a_minute_to_one_user(clock, alice, bob):
    wants(alice, "turn", "instant")
    for _match in range(3):
        asked(alice, bob, days=7)
    counts = [len(sweep(clock, seconds=20)) for _time in range(10)]
    assert sum(counts) == 3
    assert max(counts) == 1
    stamps = list(Delivery.objects.filter(status="sent").order_by("sent_at").values_list("sent_at", flat=True))
    assert all(later - sooner >= timedelta(minutes=1) for sooner, later in pairwise(stamps))


def test_two_mails_due_are_not_sent_by_two_workers_at_once(clock, alice, bob):
    wants(alice, "turn", "instant")
    for _match in range(2):
        asked(alice, bob, days=7)
    routing.route()
    one, two = Delivery.objects.filter(notice__user=alice).order_by("pk")
    Delivery.objects.filter(pk=one.pk).update(status="sending", lease_until=clock.moment + sending.LEASE)
    assert sending.due(10) == []
    assert sending.send(two.pk) == ""


def test_the_id_is_the_same_at_every_try(clock, alice, bob, faulty):
    wants(alice, "turn", "instant")
    asked(alice, bob, days=7)
    faulty.fault = ConnectionRefusedError()
    sweep(clock)
    tried = Delivery.objects.get(notice__user=alice).message_id
    faulty.fault = None
    [sent] = sweep(clock, minutes=2)
    assert read(sent)["Message-ID"] == tried
