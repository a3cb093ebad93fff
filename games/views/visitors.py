"""Who sends a request: a user of this browser, made on the spot if need be."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User
from games.services import limits, people


def address(request: HttpRequest) -> str:
    """The visitor's address: the last one that a proxy of ours has written, or the peer's."""
    hops: int = settings.TRUSTED_PROXIES
    header = request.headers.get("X-Forwarded-For", "")
    forwarded: list[str] = [hop.strip() for hop in header.split(",") if hop.strip()]
    if hops and len(forwarded) >= hops:
        return forwarded[-hops]
    return str(request.META.get("REMOTE_ADDR", ""))


def user_or_guest(request: HttpRequest) -> User:
    """The user of this browser; a new guest, logged in, if there was none. Raises TooMany for a flood of guests."""
    if request.user.is_authenticated:
        return request.user
    limits.spend("guest", address(request))
    guest = people.new_guest()
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest
