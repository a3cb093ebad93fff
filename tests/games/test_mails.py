"""Mails of notices: what they say, to whom, in which headers, and what becomes of them when something is wrong."""

from __future__ import annotations

import re
import smtplib
from datetime import timedelta
from email import message_from_bytes, policy
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.utils.translation import get_language

from accounts.models import Mail, User
from games import tasks
from games.delivery import composing, routing, sending
from games.models import Delivery, MatchChoice, Notice
from games.services import invitations, leaving, lobby, mailing, notices
from tests.client import Client
from tests.conftest import move, post_body, steps_for
from tests.games.mailing import Faulty, asked, fates, sweep, wants, with_address

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _site(settings, clock, alice, bob):
    """alice and bob have addresses and have been away for days."""
    settings.SITE_URL = "https://play.example.org"
    settings.DEFAULT_FROM_EMAIL = "Na tahu <noreply@play.example.org>"
    with_address(alice, bob)


@pytest.fixture
def faulty(settings):
    """A mail server that tests can break."""
    settings.EMAIL_BACKEND = "tests.games.mailing.Faulty"
    yield Faulty
    Faulty.fault = None


def read(sent):
    """A mail as its reader's program takes it apart."""
    return message_from_bytes(sent.message().as_bytes(), policy=policy.default)


def parts(sent):
    """Text and HTML of a mail."""
    found = read(sent)
    assert found.get_content_type() == "multipart/alternative"
    return [part.get_content() for part in found.iter_parts()]


def test_a_mail_at_once(clock, alice, bob):
    wants(alice, "turn", "instant")
    match = asked(alice, bob)
    [sent] = sweep(clock)
    found = read(sent)
    assert sent.recipients() == ["alice@example.org"]
    assert found["Subject"] == "Your turn has begun: Red, with bob."
    assert found["From"] == "Na tahu <noreply@play.example.org>"
    assert found["Auto-Submitted"] == "auto-generated"
    row = Delivery.objects.get(notice__user=alice, status="sent")
    assert found["Message-ID"] == row.message_id
    assert row.message_id.endswith("@play.example.org>")
    assert found["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = urlsplit(found["List-Unsubscribe"].strip(" <>")).path
    assert Client().post(path, "List-Unsubscribe=One-Click").status_code == 200
    assert alice.choices.get(kind="turn").mode == "off"
    text, html = parts(sent)
    assert "You have until Tue 1 Dec 12:00 UTC (in 2 d 0 h)." in text
    assert match.commitment in text
    assert match.commitment in html
    for part in (text, html):
        assert "your turn begins" in part
        assert "https://play.example.org/unsubscribe/" in part
    for address in re.findall(r"https?://[^\s\"<]+", html):
        assert address.startswith("https://play.example.org/")
    for word in ("<img", "<script", "<link", "src=", "url("):
        assert word not in html
    assert '<meta name="color-scheme" content="light dark">' in html
    assert sweep(clock, minutes=10) == []


def test_the_link_of_a_mail_opens_the_board_and_a_click_moves(clock, alice, bob):
    wants(alice, "turn", "instant")
    match = asked(alice, bob, audience="seated")
    [sent] = sweep(clock)
    [url] = set(re.findall(r"https://play\.example\.org(/go/\S+/)", parts(sent)[0]))
    client = Client()
    assert client.get(url)["Location"] == match.get_absolute_url()
    assert client.get(match.get_absolute_url()).context["my_turn"]
    assert client.post(match.get_absolute_url(), post_body(match, steps_for(match))).status_code == 302
    assert match.moves.count() == 2


def test_it_is_told_in_the_zone_of_its_reader(clock, alice, bob):
    User.objects.filter(pk=alice.pk).update(zone="Europe/Prague")
    wants(alice, "turn", "instant")
    asked(alice, bob)
    [sent] = sweep(clock)
    for part in parts(sent):
        assert "Tue 1 Dec 13:00 CET" in part


def test_it_is_told_in_the_language_of_its_reader_whatever_the_sweep_speaks(clock, alice, bob, settings, monkeypatch):
    settings.LANGUAGES = [("en", "English"), ("cs", "Czech")]
    User.objects.filter(pk=alice.pk).update(language="cs")
    wants(alice, "turn", "instant")
    asked(alice, bob)
    spoken = []
    given = composing.render_to_string

    def rendered(template, context):
        spoken.append(get_language())
        return given(template, context)

    monkeypatch.setattr(composing, "render_to_string", rendered)
    [sent] = sweep(clock)
    assert spoken == ["cs", "cs"]
    assert '<html lang="cs">' in parts(sent)[1]


def test_what_happened_since_the_last_own_move_is_told(clock, alice, bob):
    wants(alice, "turn", "instant")
    match = move(move(asked(alice, bob)))
    assert match.status == "playing"
    sent = sweep(clock)[-1]
    text, html = parts(sent)
    assert "Since your last move:\n- " in text
    assert "bob" in text.split("Since your last move:")[1].split("\n")[1]
    assert match.commitment not in text
    assert len(re.findall("<li>", html)) == 1


def test_at_most_twelve_rows_are_told(clock, alice, bob, monkeypatch):
    monkeypatch.setattr(composing, "MOST_ROWS", 2)
    wants(alice, "turn", "instant")
    match = asked(alice, bob, bots=2, options={"game": "advanced"})
    while match.version < 5 or match.active_seat != match.seats.get(user=alice).number:
        match = move(match)
    text, _html = parts(sweep(clock)[-1])
    assert text.count("\n- ") == 2
    assert "and 1 more before that" in text


def test_one_mail_with_all_that_waits_the_most_urgent_first(clock, alice, bob, charlie):
    slow = asked(alice, bob, days=7)
    quick = asked(alice, bob, days=1)
    left = asked(charlie, alice, bob, days=3)
    leaving.resign(left.pk, left.seats.get(user=bob).number, version=left.version)
    other = lobby.create(bob, lobby.Proposal("red", 3, 0))
    invitations.invite(other.pk, bob, [alice])
    assert sweep(clock) == []
    sent = [one for one in sweep(clock, minutes=16) if one.to == ["alice@example.org"]]
    [digest] = sent
    text, html = parts(digest)
    assert digest.subject == "2 matches wait for you"
    assert text.index("Mon 30 Nov 12:00") < text.index("Sun 6 Dec 12:00") < text.index("bob invites you")
    assert text.index("bob invites you") < text.index("bob gives up the match")
    for match in (slow, quick, left):
        match.refresh_from_db()
        assert text.count(f"-{match.pk}-{match.version}.") == 1
        assert html.count(f"-{match.pk}-{match.version}.") == 1
    assert "/turns/" in text
    # The link of the mail switches off what was in it.
    path = urlsplit(read(digest)["List-Unsubscribe"].strip(" <>")).path
    Client().post(path)
    kinds = alice.choices.filter(mode="off", channel="mail").values_list("kind", flat=True)
    assert sorted(kinds) == ["invited", "table", "turn"]
    # None further until she comes back.
    move(slow)
    assert [one for one in sweep(clock, hours=3) if one.to == ["alice@example.org"]] == []


def test_several_notices_of_one_match_are_told_once(clock, alice, bob):
    match = asked(alice, bob)
    notices.store([notices.tell(alice.pk, Notice.Kind.NUDGE, "nudge:1", match, version=match.since_version)])
    sweep(clock)
    [sent] = [one for one in sweep(clock, minutes=16) if one.to == ["alice@example.org"]]
    assert sent.subject == "Your turn has begun: Red, with bob."
    assert parts(sent)[0].count("/go/") == 1


def test_an_end_and_an_invitation(clock, alice, bob):
    wants(alice, "ended", "instant")
    wants(alice, "invited", "instant")
    match = asked(bob, alice)
    leaving.resign(match.pk, match.seats.get(user=bob).number, version=match.version)
    [sent] = [one for one in sweep(clock) if one.to == ["alice@example.org"]]
    assert "is over: you have won" in sent.subject
    assert "You have until" not in parts(sent)[0]
    other = lobby.create(bob, lobby.Proposal("red", 3, 0))
    invitations.invite(other.pk, bob, [alice])
    [sent] = [one for one in sweep(clock, minutes=2) if one.to == ["alice@example.org"]]
    text = parts(sent)[0]
    assert "The seat is kept for you until" in text
    assert "Answer: https://play.example.org/turns/" in text
    assert "/go/" not in text
    assert "do not pass it on" not in text
    assert other.commitment in text


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


def test_kept_mails_have_both_parts_and_headers(clock, alice, bob, settings):
    settings.EMAIL_BACKEND = "accounts.mail.Kept"
    wants(alice, "turn", "instant")
    asked(alice, bob)
    tasks.deliveries()
    kept = Mail.objects.get()
    assert "Look and move" in kept.html
    assert kept.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_text_becomes_one_line():
    assert composing.one_line("a\r\nb\u2028c\x00d  e") == "a b c d e"
    assert composing.one_line("x" * 101) == "x" * 99 + "…"
    assert composing.one_line("žluťoučký kůň") == "žluťoučký kůň"
