"""Mails of notices: what they say, in whose zone and language, and where their links lead."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from django.utils.translation import get_language

from accounts.models import Mail, User
from games import tasks
from games.delivery import composing
from games.models import Delivery, Notice
from games.services import invitations, leaving, lobby, notices
from tests.client import Client
from tests.conftest import move, post_body, steps_for
from tests.games.mailing import asked, parts, read, sweep, wants

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mailed")]


def test_a_mail_at_once(clock, alice, bob):
    wants(alice, "turn", "instant")
    match = asked(alice, bob)
    [sent] = sweep(clock)
    found = read(sent)
    assert sent.recipients() == ["alice@example.org"]
    assert found["Subject"] == "Your turn has begun: Red, with bob"
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
    assert sent.subject == "Your turn has begun: Red, with bob"
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
