"""From where a visitor comes, as limits and the list of browsers take it, whatever a proxy writes."""

from __future__ import annotations

import pytest
from django.test import RequestFactory

from accounts import visitors
from accounts.models import User
from tests.client import Client


@pytest.mark.parametrize(
    ("told", "address", "house"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("192.0.2.7:4711", "192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("2001:DB8:0:1::7", "2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("[2001:db8:0:1::7]", "2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("[2001:db8:0:1::7]:4711", "2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::1", "fe80::/64"),
        ("unknown", "0.0.0.0", "0.0.0.0"),
        ("x" * 300, "0.0.0.0", "0.0.0.0"),
        ("", "0.0.0.0", "0.0.0.0"),
    ],
)
def test_an_address_is_read_however_it_is_written(settings, told, address, house):
    settings.TRUSTED_PROXIES = 1
    request = RequestFactory(REMOTE_ADDR="" if not told else "10.0.0.1", HTTP_X_FORWARDED_FOR=f"9.9.9.9, {told}").get(
        "/"
    )
    if not told:
        settings.TRUSTED_PROXIES = 0
    assert (visitors.address(request), visitors.house(request)) == (address, house)


def test_one_house_does_not_make_guests_without_end(db, settings):
    settings.LIMITS = {**settings.LIMITS, "guest": (3, 3600)}
    answers = [Client(REMOTE_ADDR=f"2001:db8:0:1::{n}").post("/play-now/").status_code for n in range(5)]
    assert answers == [302, 302, 302, 429, 429]
    assert User.objects.filter(kind="guest").count() == 3
    assert Client(REMOTE_ADDR="2001:db8:0:2::1").post("/play-now/").status_code == 302
