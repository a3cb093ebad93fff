"""Notices as pushes: to every device, read there, and what becomes of devices and deliveries that fail."""

from __future__ import annotations

import json
import time
from datetime import timedelta

import pytest

from accounts.models import User
from games import tasks
from games.delivery import guarded, pushes, rests, routing, sending
from games.models import Channel, Choice, Delivery, Device, Match, Notice
from games.now import now
from games.services import devices, notices, people
from tests.conftest import move, seated
from tests.games.absent import away, match as match
from tests.pushing import KEY, Browser, push_service

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings):
    """A push service on this machine, and a site that pushes."""
    settings.VAPID_PRIVATE_KEY, settings.PUSH_ALLOW_LOOPBACK = KEY, True
    with push_service() as found:
        yield found


def device(user, service, path="/one", name="Firefox"):
    """A device of the user at a path of the push service, with its browser."""
    browser = Browser()
    return devices.add(user, endpoint=service.endpoint(path), name=name, **browser.keys), browser


def delivery(user, kind=Notice.Kind.TURN) -> Delivery:
    """What became of the push of a notice."""
    return Delivery.objects.get(notice__user=user, notice__kind=kind, channel=Channel.PUSH)


def state(device):
    """What is known of a device."""
    device = Device.objects.get(pk=device.pk)
    return device.used_at, device.failing_since, device.rest_until, device.gone_at


def test_a_turn_is_pushed_to_every_device_and_says_what_the_page_says(clock, service, match, alice, bob):
    found = [device(alice, service, f"/{number}") for number in range(3)]
    device(bob, service, "/bob")
    tasks.deliveries()
    assert sorted(push.path for push in service.received) == ["/0", "/1", "/2"]
    for number, (kept, browser) in enumerate(found):
        (push,) = service.at(f"/{number}")
        assert browser.told(push.body) == {
            "title": "Red",
            "body": "Your turn has begun: Red, with bob.",
            "url": match.get_absolute_url(),
            "tag": f"match:{match.slug}",
        }
        assert state(kept) == (clock.moment, None, None, None)
    assert delivery(alice).status == Delivery.Status.SENT
    assert delivery(alice).sent_at == clock.moment
    tasks.deliveries()
    assert len(service.received) == 3


def test_the_push_service_is_told_how_long_and_how_urgent_and_nothing_of_the_match(clock, service, match, alice):
    _kept, browser = device(alice, service)
    tasks.deliveries()
    clock.moment = match.remind_at
    tasks.reminders()
    tasks.deliveries()
    turn, reminder = (push.headers for push in service.received)
    assert turn["urgency"] == "normal"
    assert reminder["urgency"] == "high"
    assert int(reminder["ttl"]) == (match.deadline - clock.moment).total_seconds() < int(turn["ttl"]) == 2 * 86400
    assert turn["topic"] == reminder["topic"]
    assert len(turn["topic"]) <= 32
    for push in service.received:
        assert push.headers["content-encoding"] == "aes128gcm"
        assert push.headers["authorization"].startswith("vapid t=")
        seen = json.dumps(push.headers).encode() + push.body
        assert not any(word.encode() in seen for word in (match.slug, "alice", "bob", "Red"))
        assert len(push.body) < 4096
        assert browser.told(push.body)["url"] == match.get_absolute_url()


def test_another_match_is_another_topic_and_users_share_none(service, match, alice, bob):
    one, other = notices.tell(alice.pk, "turn", "a", match), notices.tell(bob.pk, "turn", "a", match)
    third = notices.tell(alice.pk, "turn", "b", seated(alice, bob))
    assert len({pushes.message_of(notice).topic for notice in (one, other, third)}) == 3


def test_long_words_still_fit(service, alice):
    message = pushes._message(alice, "赤" * 5000, "赤\r\n" * 5000, "/", "x", urgency="normal", lasts=timedelta(1))
    content = json.loads(message.content)
    assert len(content["title"]) == len(content["body"]) == pushes.LONGEST
    assert "\n" not in content["body"]
    kept, _browser = device(alice, service)
    assert pushes.push([kept], message) == ["taken"]
    assert len(service.received[0].body) < 4096


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_not_asked_again(clock, service, match, alice, bob, status):
    gone, _browser = device(alice, service, "/gone")
    device(alice, service, "/there")
    service.answers["/gone"] = status
    tasks.deliveries()
    assert delivery(alice).status == Delivery.Status.SENT
    assert state(gone) == (None, None, None, clock.moment)
    notices.store([notices.tell(alice.pk, Notice.Kind.NUDGE, "nudge:1", match, version=match.since_version)])
    tasks.deliveries()
    assert len(service.at("/gone")) == 1
    assert len(service.at("/there")) == 2


def test_with_the_last_device_goes_the_channel(clock, service, match, alice, bob):
    device(alice, service)
    service.answers["/one"] = 410
    tasks.deliveries()
    assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.PARKED, "no_device")
    # It stands on the page, where the next one is not even made out.
    assert notices.unseen(alice).get().facts["why"] == "no_device"
    Notice.objects.create(user=alice, kind="nudge", key="n", match=match, version=match.since_version, at=now())
    routing.route()
    assert not Delivery.objects.filter(notice__key="n", channel=Channel.PUSH).exists()


@pytest.mark.parametrize("status", [401, 403, 408, 425, 429, 500, 503])
def test_what_fails_for_now_is_tried_again(clock, service, match, alice, status):
    kept, _browser = device(alice, service)
    service.answers["/one"] = status
    tasks.deliveries()
    row = delivery(alice)
    assert (row.status, row.why, row.due_at) == (Delivery.Status.WAITING, "service", clock.moment + sending.PAUSES[0])
    assert state(kept) == (None, clock.moment, clock.moment + rests.SHORTEST, None)
    del service.answers["/one"]
    clock.forward(minutes=1)
    tasks.deliveries()
    assert delivery(alice).status == Delivery.Status.SENT
    assert state(kept) == (clock.moment, None, None, None)
    assert len(service.received) == 2


@pytest.mark.parametrize("status", [400, 413, 301, 307])
def test_what_is_refused_is_not_repeated(clock, service, match, alice, status):
    device(alice, service)
    service.answers["/one"] = status
    tasks.deliveries()
    assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.PARKED, "service_refused")
    clock.forward(days=1)
    tasks.deliveries()
    assert len(service.received) == 1


@pytest.mark.parametrize("fault", [guarded.NoAnswer, guarded.Inside])
def test_an_address_that_leads_nowhere_or_inside(monkeypatch, service, match, alice, fault):
    def post(*_arguments):
        raise fault

    device(alice, service)
    monkeypatch.setattr(guarded, "post", post)
    tasks.deliveries()
    if fault is guarded.NoAnswer:
        assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.WAITING, "service")
    else:
        assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.PARKED, "service_refused")


def test_an_endpoint_inside_is_refused_where_it_would_be_asked(settings, service, match, alice):
    device(alice, service)
    settings.PUSH_ALLOW_LOOPBACK = False
    Device.objects.update(endpoint="https://127.0.0.1/x")
    tasks.deliveries()
    assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.PARKED, "service_refused")
    assert service.received == []


def test_a_device_that_only_fails_rests_longer_and_longer_and_is_given_up(clock, service, match, alice):
    kept, _browser = device(alice, service)
    service.answers["/one"] = (503, {"Retry-After": "600"})
    message = pushes.trial(alice)
    assert pushes.push([kept], message) == ["later"]
    assert state(kept)[2] == clock.moment + timedelta(minutes=10)
    # A delivery that is due meanwhile waits, and asks nobody.
    tasks.deliveries()
    assert (delivery(alice).status, len(service.received)) == (Delivery.Status.WAITING, 1)
    for hours in (1, 24, 47, 1):
        clock.forward(hours=hours)
        pushes.push([Device.objects.get(pk=kept.pk)], message)
        gone = state(kept)[3]
        assert gone or state(kept)[2] == clock.moment + rests.LONGEST
    assert gone == clock.moment


def test_slow_devices_are_asked_together(monkeypatch, service, match, alice):
    monkeypatch.setattr(guarded, "SECONDS", 2)
    for number in range(devices.MOST):
        device(alice, service, f"/{number}")
        service.answers[f"/{number}"] = service.silent if number else 201
    begun = time.monotonic()
    tasks.deliveries()
    assert time.monotonic() - begun < 2 * (devices.MOST - 1) / 2  # half of what they take one after the other
    assert delivery(alice).status == Delivery.Status.SENT
    assert Device.objects.exclude(rest_until=None).count() == devices.MOST - 1


def test_a_turn_that_is_over_is_not_pushed(service, match, alice):
    device(alice, service)
    routing.route()
    move(match)
    tasks.deliveries()
    assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.DROPPED, "moved")
    assert service.received == []


def test_whoever_is_here_gets_it_once_they_are_gone(clock, service, match, alice):
    device(alice, service)
    type(alice).objects.filter(pk=alice.pk).update(seen_at=clock.moment)
    tasks.deliveries()
    assert service.received == []
    clock.forward(minutes=5)
    tasks.deliveries()
    assert len(service.received) == 1


def test_what_is_switched_off_is_not_pushed(service, match, alice):
    device(alice, service)
    Choice.objects.create(user=alice, kind="turn", channel=Channel.PUSH, mode=Choice.Mode.OFF)
    tasks.deliveries()
    assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.DROPPED, "off")
    assert service.received == []


def test_guests_are_pushed_to_and_take_their_devices_along(client, service, alice):
    client.post("/play-now/")
    guest = User.objects.get(kind="guest")
    kept, browser = device(guest, service)
    match = Match.objects.get()
    for _turn in range(4):
        if match.active_seat != match.seats.get(user=guest).number:
            move(match)
    away(guest)
    notices.store([notices.tell(guest.pk, Notice.Kind.NUDGE, "n", match, version=match.since_version)])
    tasks.deliveries()
    assert browser.told(service.received[0].body)["url"] == match.get_absolute_url()
    people.merge(guest.pk, alice.pk)
    assert Device.objects.get(pk=kept.pk).user == alice


def test_without_a_key_nothing_is_pushed_and_mails_go_on(settings, service, match, alice):
    device(alice, service)
    type(alice).objects.filter(pk=alice.pk).update(email="alice@example.org")
    settings.VAPID_PRIVATE_KEY = ""
    routing.route()
    assert list(Delivery.objects.values_list("channel", flat=True)) == [Channel.MAIL]
    settings.VAPID_PRIVATE_KEY = KEY
    Notice.objects.update(routed_at=None)
    routing.route()
    settings.VAPID_PRIVATE_KEY = ""
    sending.send(delivery(alice).pk)
    assert (delivery(alice).status, delivery(alice).why) == (Delivery.Status.PARKED, "no_key")


def test_a_device_that_became_anothers_meanwhile_is_left_as_it_is(service, alice, bob):
    old, _browser = device(alice, service)
    new, _browser = device(bob, service)
    assert old.pk == new.pk
    service.answers["/one"] = 410
    pushes.push([old], pushes.trial(alice))
    assert state(new) == (None, None, None, None)
