"""The page of the devices: what a browser tells, what is refused, and whose devices are whose."""

from __future__ import annotations

import re
from functools import partial

import pytest
from django.urls import reverse

from accounts.models import User
from games.delivery import webpush
from games.models import Device
from games.services import devices
from games.views.devices import browser_name
from tests.client import Client, client_of
from tests.pushing import KEY, Browser, digest, push_service
from tests.racing import at_once, outcome

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
DEVICES = PAGE + "devices/"
ADD = DEVICES + "add.json"
ENDPOINT = "https://push.example.org/send/"
AGENT = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36"


@pytest.fixture(autouse=True)
def _key(settings):
    settings.VAPID_PRIVATE_KEY = KEY


def subscription(number: int = 1, **change: str) -> dict[str, str]:
    """What a browser tells."""
    return {"endpoint": f"{ENDPOINT}{number}", **Browser().keys, **change}


def facts(number: int) -> dict[str, str]:
    """What a device is added with."""
    return subscription(number) | {"name": "Firefox"}


def kept(user: User) -> list[str]:
    """The addresses of a user's devices."""
    return list(Device.objects.filter(user=user).order_by("pk").values_list("endpoint", flat=True))


def test_a_device_is_enabled_shown_and_removed(alice):
    client = client_of(alice)
    assert client.post(ADD, subscription(), headers={"User-Agent": AGENT}).status_code == 201
    device = Device.objects.get()
    assert (device.user, device.endpoint_hash) == (alice, digest(ENDPOINT + "1"))
    html = client.get(PAGE).content.decode()
    assert f'data-key="{webpush.public_key()}"' in html
    assert f'data-hash="{device.endpoint_hash}"' in html
    assert "Chrome, Android" in html
    assert "no push yet" in html
    for secret in (device.endpoint, device.auth, device.p256dh):
        assert secret not in html
    assert client.post(f"{DEVICES}{device.pk}/remove/").status_code == 302
    assert kept(alice) == []
    assert client.post(f"{DEVICES}{device.pk}/remove/").status_code == 404


def test_the_same_browser_is_one_device_and_belongs_to_who_enabled_it_last(alice, bob):
    client_of(alice).post(ADD, subscription())
    client_of(alice).post(ADD, subscription())
    assert kept(alice) == [ENDPOINT + "1"]
    Device.objects.update(gone_at="2026-01-01T00:00Z", failing_since="2026-01-01T00:00Z")
    again = subscription()
    client_of(bob).post(ADD, again)
    assert kept(alice) == []
    device = Device.objects.get(user=bob)
    assert (device.auth, device.gone_at, device.failing_since) == (again["auth"], None, None)


def test_a_renewed_subscription_takes_the_place_of_the_old_one(alice, bob):
    client_of(alice).post(ADD, subscription(1))
    client_of(bob).post(ADD, subscription(2))
    client_of(alice).post(ADD, subscription(3, replaces=ENDPOINT + "1"))
    assert kept(alice) == [ENDPOINT + "3"]
    client_of(alice).post(ADD, subscription(4, replaces=ENDPOINT + "2"))
    assert kept(bob) == [ENDPOINT + "2"]


WRONG = [
    {"endpoint": ""},
    {"endpoint": "http://push.example.org/x"},
    {"endpoint": "https://push.example.org:8443/x"},
    {"endpoint": "https://me@push.example.org/x"},
    {"endpoint": "javascript:alert(1)"},
    {"endpoint": ENDPOINT + "x" * 1000},
    {"p256dh": ""},
    {"p256dh": "x" * 87},
    {"p256dh": "B" + "A" * 86},
    {"auth": ""},
    {"auth": "A" * 5000},
]


@pytest.mark.parametrize("change", WRONG)
def test_what_no_browser_makes_is_refused(alice, change):
    answer = client_of(alice).post(ADD, subscription(**change))
    assert answer.status_code == 400
    assert answer.json()["error"] == "bad_request"
    assert answer.json()["sentence"]
    assert not Device.objects.exists()
    assert client_of(alice).post(ADD, {}).status_code == 400


def test_one_can_have_ten(alice, bob):
    client = client_of(alice)
    for number in range(devices.MOST):
        assert client.post(ADD, subscription(number)).status_code == 201
    answer = client.post(ADD, subscription(99))
    assert (answer.status_code, answer.json()["error"]) == (409, "too_many_devices")
    assert len(kept(alice)) == devices.MOST
    # Those that are there can be renewed, and one that is gone makes room.
    assert client.post(ADD, subscription(3)).status_code == 201
    assert client.post(ADD, subscription(50, replaces=ENDPOINT + "4")).status_code == 201
    Device.objects.filter(endpoint=ENDPOINT + "5").update(gone_at="2026-01-01T00:00Z")
    assert client.post(ADD, subscription(99)).status_code == 201
    assert len(kept(alice)) == devices.MOST
    assert ENDPOINT + "5" not in kept(alice)
    assert client_of(bob).post(ADD, subscription(98)).status_code == 201


def test_strangers_find_nothing(alice, bob, charlie, client):
    client_of(alice).post(ADD, subscription())
    device = Device.objects.get()
    for visitor in (client_of(charlie), client):
        for what in ("remove", "test"):
            assert visitor.post(f"{DEVICES}{device.pk}/{what}/").status_code == 404
        assert visitor.get(f"{DEVICES}{device.pk}/remove/").status_code == 405
        assert device.endpoint_hash not in visitor.get(PAGE).content.decode()
    assert kept(alice) == [device.endpoint]


def test_who_is_nobody_yet_has_no_devices_and_becomes_no_guest(client):
    assert client.post(ADD, subscription()).status_code == 404
    assert client.get(DEVICES + "key.json").status_code == 404
    assert "Enable on this device" not in client.get(PAGE).content.decode()
    assert not User.objects.exists()


def test_guests_have_devices_too(client):
    client.post("/play-now/")
    assert client.post(ADD, subscription()).status_code == 201
    assert Device.objects.get().user.is_guest


def test_the_forms_need_the_token_which_the_service_worker_can_ask_for(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(ADD, subscription()).status_code == 403
    told = client.get(DEVICES + "key.json").json()
    assert told["key"] == webpush.public_key()
    assert client.post(ADD, subscription(csrfmiddlewaretoken=told["token"])).status_code == 201


def test_too_many_are_told_to_wait(alice, settings):
    settings.LIMITS = settings.LIMITS | {"device": (2, 3600), "push_test": (1, 3600)}
    client = client_of(alice)
    assert [client.post(ADD, subscription()).status_code for _time in range(3)] == [201, 201, 429]
    settings.PUSH_ALLOW_LOOPBACK = True
    with push_service() as service:
        device = devices.add(alice, endpoint=service.endpoint(), name="x", **Browser().keys)
        assert [client.post(f"{DEVICES}{device.pk}/test/").status_code for _time in range(2)] == [302, 429]
        assert len(service.received) == 1


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (201, "has taken the push"),
        (410, "takes no pushes any more"),
        (503, "try again a little later"),
        (400, "has refused the push"),
    ],
)
def test_a_test_says_what_came_of_it(alice, settings, status, sentence):
    settings.PUSH_ALLOW_LOOPBACK = True
    client, browser = client_of(alice), Browser()
    with push_service() as service:
        service.answers["/one"] = status
        assert client.post(ADD, {"endpoint": service.endpoint(), **browser.keys}).status_code == 201
        device = Device.objects.get()
        assert client.post(f"{DEVICES}{device.pk}/test/").status_code == 302
        (push,) = service.received
        assert browser.told(push.body)["url"] == PAGE
        html = client.get(PAGE).content.decode()
        note = re.search(r'<p class="note (good|bad)" role="status">([^<]*)<', html)
        assert note
        assert note[1] == ("good" if status == 201 else "bad")
        assert sentence in note[2]
        assert f'action="{DEVICES}{device.pk}/test/"' in html or status == 410
        assert '<p class="note good" role="status">' not in client.get(PAGE).content.decode()


def test_without_a_key_there_is_nothing_of_it(alice, settings):
    settings.VAPID_PRIVATE_KEY = ""
    client = client_of(alice)
    assert client.post(ADD, subscription()).status_code == 404
    page = client.get(PAGE).content.decode()
    assert DEVICES not in page
    assert "This site does not push to devices." in page
    settings.VAPID_PRIVATE_KEY = KEY
    page = client.get(PAGE).content.decode()
    assert DEVICES in page
    assert 'href="#devices"' in page


def test_the_service_worker_is_for_the_whole_site_and_asks_no_other(client):
    answer = client.get("/sw.js")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Service-Worker-Allowed"] == "/"
    assert answer["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert '"fetch"' not in script
    assert len(script) < 4000
    assert re.search(r'DEVICES = "(.*)"', script)[1] + "add.json" == reverse("add_device")


def test_the_site_can_be_put_on_a_home_screen(client):
    html = client.get("/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in html
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    told = answer.json()
    assert (told["name"], told["start_url"], told["scope"]) == ("Na tahu", "/turns/", "/")
    for icon in told["icons"]:
        picture = b"".join(client.get(icon["src"]).streaming_content)
        width = int.from_bytes(picture[16:20])
        assert picture.startswith(b"\x89PNG")
        assert icon["sizes"] == f"{width}x{width}"
    assert "worker-src 'self'" in client.get("/")["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (AGENT, "Chrome, Android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox, Windows"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.0 Safari/605.1.15", "Safari, Mac"),
        ("", "Another browser"),
        ("<script>" * 1000, "Another browser"),
    ],
)
def test_a_device_is_called_by_what_its_browser_says(agent, name):
    assert browser_name(agent) == name


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_than_ten_are_kept(alice):
    for number in range(devices.MOST - 1):
        devices.add(alice, **facts(number))
    results = at_once([outcome(partial(devices.add, alice, **facts(100 + number))) for number in range(5)])
    assert results.count("too_many_devices") == 4
    assert len(kept(alice)) == devices.MOST


@pytest.mark.django_db(transaction=True)
def test_one_browser_enabled_by_two_at_once_is_anybodys_and_there_once(alice, bob):
    at_once([partial(devices.add, user, **facts(1)) for user in (alice, bob) * 3])
    assert len(kept(alice) + kept(bob)) == 1
