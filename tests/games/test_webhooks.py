"""Notices as webhooks: what is posted and how it is signed, and what becomes of addresses that fail."""

from __future__ import annotations

import hmac
import json
import time
from base64 import b64decode, b64encode
from datetime import datetime, timedelta

import pytest

from games import tasks
from games.delivery import guarded, rests, routing, sending, webhooks as delivery
from games.models import Channel, Choice, Delivery, Notice, Webhook, WebhookPost
from games.services import invitations, lobby, notices, webhooks
from tests.client import client_of
from tests.conftest import move, seated
from tests.games.absent import away, match as match
from tests.pushing import push_service

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings):
    """What takes posts on this machine."""
    settings.PUSH_ALLOW_LOOPBACK = True
    with push_service() as found:
        yield found


def webhook(user, service, path="/one", kind="json") -> Webhook:
    """A webhook of the user at a path of the service."""
    return webhooks.add(user, kind=kind, url=service.endpoint(path))


def row(user, kind=Notice.Kind.TURN) -> Delivery:
    """What became of a notice by webhook."""
    return Delivery.objects.get(notice__user=user, notice__kind=kind, channel=Channel.WEBHOOK)


def fate(user) -> tuple[str, str]:
    """How and why the turn's delivery ended, or waits."""
    found = row(user)
    return found.status, found.why


def state(webhook):
    """What is known of an address."""
    found = Webhook.objects.get(pk=webhook.pk)
    return found.used_at, found.failing_since, found.rest_until, found.error, found.off_why


def verify(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """What a receiver does, by the words of standardwebhooks.com."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = b64decode(secret.removeprefix("whsec_"))
    expected = b64encode(hmac.new(key, signed, "sha256").digest()).decode()
    return headers["webhook-signature"] == f"v1,{expected}"


def test_a_turn_is_posted_signed_and_says_what_the_mail_says(settings, clock, service, match, alice):
    kept = webhook(alice, service)
    tasks.deliveries()
    (post,) = service.at("/one")
    assert post.headers["content-type"] == "application/json"
    assert json.loads(post.body) == {
        "type": "turn",
        "timestamp": clock.moment.isoformat(),
        "data": {
            "text": "Your turn has begun: Red, with bob.",
            "url": f"{settings.SITE_URL}{match.get_absolute_url()}",
            "game": "red",
            "match": {"id": match.slug, "version": match.version, "status": "playing"},
            "deadline": match.deadline.isoformat(),
        },
    }
    assert int(post.headers["webhook-timestamp"]) == int(clock.moment.timestamp())
    assert verify(kept.secret, post.headers, post.body)
    assert not verify(kept.secret, post.headers, post.body + b" ")
    assert not verify(kept.secret, post.headers | {"webhook-timestamp": "1"}, post.body)
    assert state(kept) == (clock.moment, None, None, "", "")
    assert fate(alice) == (Delivery.Status.SENT, "")
    tasks.deliveries()
    assert len(service.received) == 1


def test_each_address_has_a_secret_of_its_own(service, alice, bob):
    one, other, third = webhook(alice, service), webhook(alice, service, "/two"), webhook(bob, service)
    assert len({found.secret for found in (one, other, third)}) == 3
    assert one.nonce not in one.secret


def test_discord_and_slack_get_what_they_take(settings, service, match, alice, bob):
    type(bob).objects.filter(pk=bob.pk).update(username="b_o_b")
    webhook(alice, service, "/discord", "discord")
    webhook(alice, service, "/slack", "slack")
    tasks.deliveries()
    url = f"{settings.SITE_URL}{match.get_absolute_url()}"
    (discord,), (slack,) = service.at("/discord"), service.at("/slack")
    told = json.loads(discord.body)
    assert told["content"] == f"Your turn has begun: Red, with b\\_o\\_b.\n{url}"
    assert told["allowed_mentions"] == {"parse": []}  # whoever is called @everyone calls nobody
    assert json.loads(slack.body)["text"] == f"Your turn has begun: Red, with b_o_b.\n<{url}>"
    assert fate(alice) == (Delivery.Status.SENT, "")


def test_names_cannot_be_more_than_text():
    moment = datetime(2026, 1, 1)
    message = delivery._message("x", "turn", moment, "<!channel> & [a](http://x) `@everyone`\n*x*", "/x/", {})
    assert delivery._for_slack(message)["text"].startswith("&lt;!channel&gt; &amp; [a]")
    told = delivery._for_discord(message)["content"]
    assert told.startswith(r"\<!channel\> & \[a\]\(http://x\) \`\@everyone\` \*x\*")
    assert len(delivery._message("x", "turn", moment, "赤" * 5000, "/x/", {}).text) == delivery.LONGEST


def test_an_invitation_tells_nothing_of_a_match_that_is_hidden(service, alice, bob):
    webhook(alice, service)
    opened = lobby.create(bob, lobby.Proposal("red", 2, 0, audience="seated"))
    invitations.invite(opened.pk, opened.seats.get().user, [alice])
    away(alice)
    tasks.deliveries()
    (post,) = service.received
    assert json.loads(post.body)["data"]["match"] is None
    assert opened.slug.encode() not in post.body


def test_only_who_has_failed_is_asked_again_and_the_copy_is_known_as_one(clock, service, match, alice):
    good, bad = webhook(alice, service, "/good"), webhook(alice, service, "/bad")
    service.answers["/bad"] = 503
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.WAITING, "webhook")
    assert row(alice).due_at == clock.moment + sending.PAUSES[0]
    assert state(bad) == (None, clock.moment, clock.moment + rests.SHORTEST, "503", "")
    assert state(good) == (clock.moment, None, None, "", "")
    del service.answers["/bad"]
    clock.forward(minutes=1)
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.SENT, "")
    assert state(bad) == (clock.moment, None, None, "", "")
    assert [len(service.at(path)) for path in ("/good", "/bad")] == [1, 2]
    first, second = service.at("/bad")
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.headers["webhook-id"] != service.at("/good")[0].headers["webhook-id"]
    assert WebhookPost.objects.count() == 2


@pytest.mark.parametrize("status", [404, 408, 425, 429, 500, 503])
def test_what_fails_for_now_is_tried_again(clock, service, match, alice, status):
    kept = webhook(alice, service)
    service.answers["/one"] = (status, {"Retry-After": "600"})
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.WAITING, "webhook")
    assert state(kept) == (None, clock.moment, clock.moment + timedelta(minutes=10), str(status), "")
    clock.forward(minutes=1)
    tasks.deliveries()  # the delivery is due, its address rests
    assert (row(alice).tries, len(service.received)) == (2, 1)


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 403])
def test_what_is_refused_is_not_repeated_and_no_redirection_followed(clock, service, match, alice, status):
    kept = webhook(alice, service)
    service.answers["/one"] = (status, {"Location": service.endpoint("/elsewhere")})
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.PARKED, "webhook_refused")
    assert state(kept)[3] == str(status)
    clock.forward(days=1)
    tasks.deliveries()
    assert [post.path for post in service.received] == ["/one"]


@pytest.mark.parametrize(("kind", "status"), [("json", 410), ("discord", 404), ("slack", 404), ("slack", 410)])
def test_an_address_that_is_gone_is_switched_off_and_its_user_told(service, match, alice, kind, status):
    kept = webhook(alice, service, kind=kind)
    service.answers["/one"] = status
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.PARKED, "webhook_refused")
    assert state(kept)[4] == "gone"
    told = notices.unseen(alice).get(facts__what="webhook")
    html = client_of(alice).get("/notices/").content.decode()
    assert f"We have switched off your webhook {kept.place}: it said that it is gone for good." in html
    assert told.key.startswith(f"webhook:{kept.pk}:")
    # The next notice has no such way any more.
    notices.store([notices.tell(alice.pk, Notice.Kind.NUDGE, "n", match, version=match.since_version)])
    routing.route()
    assert not Delivery.objects.filter(notice__key="n", channel=Channel.WEBHOOK).exists()


def test_one_that_only_fails_rests_longer_and_longer_and_is_switched_off(clock, service, alice):
    kept, message = webhook(alice, service), delivery.trial(alice)
    service.answers["/one"] = 500
    begun = clock.moment
    for minutes, rest in ((0, 1), (5, 5), (25, 30), (60, 60), (1340, 60)):
        clock.forward(minutes=minutes)
        assert delivery.post([Webhook.objects.get(pk=kept.pk)], message) == ["later"]
        assert state(kept) == (None, begun, clock.moment + timedelta(minutes=rest), "500", "")
    clock.forward(minutes=10)
    delivery.post([Webhook.objects.get(pk=kept.pk)], message)
    assert state(kept) == (None, begun, None, "500", "failing")
    assert notices.unseen(alice).get().facts["place"] == kept.place
    webhooks.failed(kept, "500", timedelta(), gone=False)  # of two at once the second tells nothing more
    assert notices.unseen(alice).count() == 1
    webhooks.switch_on(kept)
    assert state(kept) == (None, None, None, "", "")


def test_one_that_took_something_meanwhile_begins_to_fail_anew(clock, service, alice):
    kept, message = webhook(alice, service), delivery.trial(alice)
    for status in (500, 201, 500):
        service.answers["/one"] = status
        delivery.post([Webhook.objects.get(pk=kept.pk)], message)
        clock.forward(hours=20)
    assert state(kept)[4] == ""


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/x", "https://10.0.0.1/x", "https://[::1]/x", "https://169.254.169.254/x"]
)
def test_an_address_inside_is_refused_where_it_would_be_asked(settings, service, match, alice, url):
    kept = webhook(alice, service)
    settings.PUSH_ALLOW_LOOPBACK = False
    Webhook.objects.update(url=url)
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.PARKED, "webhook_refused")
    assert state(kept)[3] == "inside"
    assert service.received == []


def test_slow_ones_are_asked_together_and_not_waited_for(monkeypatch, service, match, alice):
    monkeypatch.setattr(delivery, "SECONDS", 0.5)
    for number in range(webhooks.MOST):
        webhook(alice, service, f"/{number}")
        service.answers[f"/{number}"] = service.silent if number else 201
    begun = time.monotonic()
    tasks.deliveries()
    assert time.monotonic() - begun < guarded.SECONDS
    assert fate(alice) == (Delivery.Status.WAITING, "webhook")
    assert Webhook.objects.filter(error="no_answer").count() == webhooks.MOST - 1
    assert WebhookPost.objects.count() == 1


def test_who_is_slow_waits_and_all_others_pass(monkeypatch, clock, service, match, alice, bob):
    webhook(alice, service)
    other = seated(alice, bob)
    if other.seats.get(user=alice).number != other.active_seat:
        move(other)
    Notice.objects.filter(user=bob).delete()
    away(alice, bob)
    monkeypatch.setattr(delivery, "SLOW", -1.0)  # however fast it was, it was too slow
    tasks.deliveries()
    assert len(service.received) == 1
    waiting = Delivery.objects.get(status=Delivery.Status.WAITING, channel=Channel.WEBHOOK)
    assert (waiting.tries, waiting.due_at) == (0, clock.moment + rests.SHORTEST)
    clock.forward(minutes=1)
    tasks.deliveries()
    assert len(service.received) == 2


def test_webhooks_have_no_more_than_their_share_of_a_sweep(monkeypatch, service, match, alice, bob):
    webhook(alice, service)
    other = seated(alice, bob)
    if other.seats.get(user=alice).number != other.active_seat:
        move(other)
    away(alice, bob)
    monkeypatch.setattr(tasks, "WEBHOOKS_FOR", 0.0)
    monkeypatch.setattr(delivery, "SLOW", 60.0)
    tasks.deliveries()
    assert len(service.received) == 1
    tasks.deliveries()
    assert len(service.received) == 2


def test_an_endless_answer_is_no_answer(service, alice):
    def endless(handler):
        handler.send_response(200)
        handler.send_header("X", "x" * (2 * guarded.MOST))
        handler.end_headers()

    kept = webhook(alice, service)
    service.answers["/one"] = endless
    assert delivery.post([kept], delivery.trial(alice)) == ["later"]
    assert state(kept)[3] == "no_answer"


def test_a_turn_that_is_over_is_not_posted(service, match, alice):
    webhook(alice, service)
    routing.route()
    move(match)
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.DROPPED, "moved")
    assert service.received == []


@pytest.mark.parametrize("how", ["matrix", "match"])
def test_what_is_switched_off_or_muted_is_not_posted(service, match, alice, how):
    webhook(alice, service)
    if how == "matrix":
        Choice.objects.create(user=alice, kind="turn", channel=Channel.WEBHOOK, mode=Choice.Mode.OFF)
    else:
        client_of(alice).post(f"{match.get_absolute_url()}notices/", {"mode": "mute"})
        away(alice)
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.DROPPED, "off" if how == "matrix" else "mute")
    assert service.received == []


def test_quiet_hours_hold_it_back(clock, service, match, alice):
    type(alice).objects.filter(pk=alice.pk).update(quiet_from=0, quiet_to=13 * 60, zone="UTC")
    webhook(alice, service)
    tasks.deliveries()
    assert service.received == []
    clock.forward(hours=1, minutes=1)
    tasks.deliveries()
    assert len(service.received) == 1


def test_one_that_was_switched_off_meanwhile_is_not_asked(service, match, alice):
    kept = webhook(alice, service)
    routing.route()
    webhooks.switch_off(kept)
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.PARKED, "no_webhook")
    assert service.received == []


def test_the_ledger_says_what_became_of_it(service, match, alice):
    webhook(alice, service)
    service.answers["/one"] = 503
    tasks.deliveries()
    html = client_of(alice).get("/notices/deliveries/").content.decode()
    assert "<b>by webhook:</b>" in html
    assert "a webhook of yours did not take it" in html


@pytest.mark.parametrize("point", ["after_claim_delivery", "after_send"])
def test_a_sender_that_dies_is_repeated_and_asks_nobody_twice(monkeypatch, clock, service, match, alice, point):
    class Death(BaseException):
        pass

    def reach(name):
        if name == point:
            raise Death

    webhook(alice, service)
    routing.route()
    with monkeypatch.context() as dying:
        dying.setattr("games.failpoints.reach", reach)
        with pytest.raises(Death):
            sending.send(row(alice).pk)
    assert row(alice).status == Delivery.Status.SENDING
    assert len(service.received) == (point == "after_send")
    clock.forward(minutes=3)
    tasks.deliveries()
    assert fate(alice) == (Delivery.Status.SENT, "")
    assert len(service.received) == 1
