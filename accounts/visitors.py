"""Who sends a request: from which address, and as which guest."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User

BACKEND = "accounts.backends.People"


def address(request: HttpRequest) -> str:
    """The visitor's address: the last one that a proxy of ours has written, or the peer's."""
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
