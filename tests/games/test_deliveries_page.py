"""What became of each notice, in plain words: one test for each fate."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.delivery import digests, routing, sending
from games.delivery.faults import Later, Never
from games.models import Channel, Delivery, Notice
from games.services import choices, notices
from tests.client import client_of
from tests.conftest import move, seated

pytestmark = pytest.mark.django_db

PAGE = "/notices/deliveries/"


@pytest.fixture
def reached(clock, alice):
    """Alice, whom a mail can reach, and who was here yesterday."""
    User.objects.filter(pk=alice.pk).update(email="alice@example.org", zone="UTC", seen_at=clock() - timedelta(days=1))
    alice.refresh_from_db()
    return alice


@pytest.fixture
def match(clock, reached, bob):
    """A match that waits for alice, and of which she was told so just now."""
    match = seated(reached, bob)
    while match.seats.get(user=reached).number != match.active_seat:
        match = move(match)
    Notice.objects.all().delete()
    key = f"turn:{match.pk}:{match.since_version}"
    notices.store([notices.tell(reached.pk, Notice.Kind.TURN, key, match, version=match.since_version)])
    return match


@pytest.fixture
def sender(monkeypatch):
    """Makes sending do what is asked: nothing, or raise."""

    def set_to(fault=None):
        def leave(_row):
            if fault is not None:
                raise fault

        monkeypatch.setattr(sending, "SENDERS", dict.fromkeys(Channel, leave))

    set_to()
    return set_to


def page(user):
    """The page as text, without marks, as a user who was last here when they were."""
    seen_at = User.objects.get(pk=user.pk).seen_at
    html = client_of(user).get(PAGE).content.decode()
    User.objects.filter(pk=user.pk).update(seen_at=seen_at)
    return " ".join(html.partition('class="plain stack tight deliveries"')[2].partition("</main>")[0].split())


def fates(user):
    """The sentences about deliveries on the page, the newest notice first, with times as they are told."""
    text = re.sub(r"<time[^>]*>|</time>", "", page(user))
    return [re.sub(r"\s+", " ", found).strip() for found in re.findall(r"<b>by mail:</b>(.*?)</li>", text)]


def only(user):
    return Delivery.objects.get(notice__user=user)


def instant(user):
    choices.save(user, {("turn", "mail"): "instant"})


def test_before_it_is_made_out(match, reached):
    assert "other ways follow in a moment" in page(reached)


def test_nothing_but_the_page(match, reached):
    User.objects.filter(pk=reached.pk).update(email="")
    routing.route()
    assert "on the page only" in page(reached)


def test_it_waits_for_others_to_come_along(match, reached):
    routing.route()
    assert fates(reached) == ["waits until Sun 29 Nov 12:15 UTC, for others to come along"]


def test_quiet_hours(match, reached):
    User.objects.filter(pk=reached.pk).update(quiet_from=12 * 60, quiet_to=14 * 60)
    routing.route()
    assert fates(reached) == ["waits until Sun 29 Nov 14:00 UTC: your quiet hours"]


def test_who_is_here_is_not_written_to_yet_but_reminded(clock, match, reached):
    instant(reached)
    routing.route()
    assert fates(reached) == ["waits: you were on the site a moment ago"]
    Notice.objects.update(kind="reminder")
    assert fates(reached) == ["about to leave"]


def test_sent(clock, match, reached, sender):
    instant(reached)
    routing.route()
    clock.forward(minutes=1)
    sending.send(only(reached).pk)
    assert fates(reached) == ["sent Sun 29 Nov 12:01 UTC"]


def test_in_a_mail_with_others(clock, match, reached, sender):
    routing.route()
    clock.forward(minutes=16)
    digest = digests.gather(reached.pk)
    assert fates(reached)[1] == "in a mail with others, which is about to leave"
    sending.send(digest.deliveries.get().pk)
    assert fates(reached) == ["sent Sun 29 Nov 12:16 UTC", "in the mail of Sun 29 Nov 12:16 UTC"]
    assert "A mail with all that waited." in page(reached)
    Notice.objects.filter(kind="digest").delete()
    assert fates(reached) == ["in a mail with others"]


def test_a_mail_with_others_that_was_given_up(clock, match, reached, sender):
    routing.route()
    clock.forward(minutes=16)
    digest = digests.gather(reached.pk)
    sender(Never("address"))
    sending.send(digest.deliveries.get().pk)
    assert fates(reached) == ["given up after 1 try: your address takes no mail"] * 2


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ("seen", "you had seen it on the page"),
        ("moved", "the turn was over"),
        ("over", "the match was over"),
        ("paused", "the match was paused"),
        ("answered", "it no longer waited for an answer"),
        ("off", "you have switched it off"),
        ("mute", "you have muted the match"),
        ("address", "your address takes no mail"),
    ],
)
def test_why_it_was_not_sent(match, reached, why, sentence):
    routing.route()
    Delivery.objects.update(status="dropped", why=why)
    assert fates(reached) == [f"not sent: {sentence}"]


def test_a_reason_that_nobody_knows(match, reached):
    routing.route()
    Delivery.objects.update(status="dropped", why="never heard of")
    assert fates(reached) == ["not sent"]


def test_what_was_seen_before_it_was_sent(clock, match, reached, sender):
    instant(reached)
    routing.route()
    client_of(reached).get(match.get_absolute_url())
    assert fates(reached) == ["not needed any more: you had seen it on the page"]
    clock.forward(minutes=10)
    sending.send(only(reached).pk)
    assert fates(reached) == ["not sent: you had seen it on the page"]
    assert "seen on the page" in page(reached)


def test_tried_again_and_given_up_at_last(clock, match, reached, sender):
    instant(reached)
    routing.route()
    sender(Later("without words"))
    sending.send(only(reached).pk)
    assert fates(reached) == ["not sent yet; tried again Sun 29 Nov 12:01 UTC"]
    for _try in range(5):
        clock.moment = only(reached).due_at
        sending.send(only(reached).pk)
    assert fates(reached)[-1] == "given up after 6 tries"
    assert "we have given up" in page(reached)


def test_on_its_way(match, reached):
    routing.route()
    Delivery.objects.update(status="sending")
    assert fates(reached) == ["on its way"]


def test_only_ones_own(match, reached, bob, client):
    routing.route()
    assert "Your turn has begun" in page(reached)
    for visitor in (client_of(bob), client):
        answer = visitor.get(PAGE)
        assert answer.status_code == 200
        assert b"Your turn has begun" not in answer.content


def test_looking_at_it_sees_no_notices_away(match, reached):
    page(reached)
    assert Notice.objects.filter(user=reached, seen_at=None).count() == 1


def test_it_comes_in_pages_at_the_same_cost(clock, reached):
    counts, client = [], client_of(reached)
    for _round in range(2):
        for number in range(15):
            digest = Notice.objects.create(user=reached, kind="digest", key=f"d{_round}:{number}", at=clock())
            one = notices.tell(reached.pk, Notice.Kind.SITE, f"s{_round}:{number}", what="parked", why="off")
            notices.store([one])
            Delivery.objects.create(notice=digest, channel="mail", status="sent", due_at=clock(), sent_at=clock())
            stored = Notice.objects.get(user=reached, key=one.key)
            Delivery.objects.create(notice=stored, channel="mail", status="carried", due_at=clock(), digest=digest)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as found:
            html = client.get(PAGE).content.decode()
        counts.append(len(found))
        assert html.count("in the mail of") == 10
        assert 'rel="next"' in html
    assert counts[0] == counts[1] <= 11, counts
