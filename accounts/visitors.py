"""Who sends a request: from which address, and as which guest."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User

BACKEND = "accounts.backends.People"

DEVICE = "device"
"""Under which name a session keeps the device of its browser; it goes along when a guest becomes somebody else."""

WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?|([\d.]+):\d+")
"""How some proxies write an address: "[2001:db8::1]:443", "192.0.2.7:443"."""

NOWHERE = "0.0.0.0"  # noqa: S104 - not listened at
"""Stands for what is no address."""

HOUSE = 64
"""Bits of an IPv6 address that one house has in common: every device may have as many others as it likes."""


def address(request: HttpRequest) -> str:
    """The visitor's address, in the form that a database takes; NOWHERE if what is told is none."""
    told = _told(request)
    if found := WITH_PORT.fullmatch(told):
        told = found[1] or found[2] or ""
    try:
        read = ipaddress.ip_address(told.partition("%")[0])
    except ValueError:
        return NOWHERE
    inner = read.ipv4_mapped if isinstance(read, ipaddress.IPv6Address) else None
    return str(inner or read)


def house(request: HttpRequest) -> str:
    """What limits count instead of the address: of IPv6 the network, for one visitor has more than can be counted."""
    found = address(request)
    return str(ipaddress.ip_network(f"{found}/{HOUSE}", strict=False)) if ":" in found else found


def counted(request: HttpRequest) -> str:
    """By whom limits count: an account by its number; all others by their house, for anybody is many guests."""
    visitor = request.user
    return str(visitor.pk) if visitor.is_authenticated and not visitor.is_guest else house(request)


def _told(request: HttpRequest) -> str:
    """The last address that a proxy of ours has written, or the peer's."""
    hops: int = settings.TRUSTED_PROXIES
    header = request.headers.get("X-Forwarded-For", "")
    forwarded: list[str] = [hop.strip() for hop in header.split(",") if hop.strip()]
    if hops and len(forwarded) >= hops:
        return forwarded[-hops]
    return str(request.META.get("REMOTE_ADDR", ""))


def new_guest(request: HttpRequest) -> User:
    """A new guest, logged in to this browser; that it may be made, the caller has seen to."""
    guest = User.objects.create_guest()
    login(request, guest, backend=BACKEND)
    return guest


def guest_of(request: HttpRequest) -> User | None:
    """The guest whose browser this is, also where the doors of accounts hide them (see ``doors``)."""
    user = getattr(request, "guest", None) or request.user
    return user if isinstance(user, User) and user.is_guest else None
