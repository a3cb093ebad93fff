"""Signing up: a guest chooses a name, and is a person once the address is verified. It is the same row all along.

Whether an address has an account already shows nowhere: a guest who gives one
that has is treated like any other, only that the mail says something else
and the code that would be right is in no mail. So the row never holds an
address before it is verified, and holds the chosen name in both cases.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.account.signals import email_confirmed
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts import names
from accounts.models import User

HELD = timedelta(days=7)
"""How long a name is kept for a guest who does not verify an address."""

CONNECTION = "pending_connection"
"""In the session: the account elsewhere by which somebody signs up, until the address is verified."""


class NameTaken(Exception):
    """Somebody else has the name, or one too much like it."""


def is_free(name: str, guest: User | None) -> bool:
    """Whether nobody but ``guest`` has this name or one too much like it."""
    like = User.objects.filter(username__iexact=name) | User.objects.filter(skeleton=names.skeleton(name))
    others = like if guest is None else like.exclude(pk=guest.pk)
    return not others.exists()


def claim(request: HttpRequest, guest: User, name: str, password: str) -> User:
    """Gives the guest the name, and the password if there is one; an earlier choice is forgotten. Returns the guest.

    The guest's own session goes on. Raises NameTaken, also for who is no guest any more; then nothing is written.
    """
    chosen = {"username": name, "skeleton": names.skeleton(name), "claimed_at": timezone.now()}
    chosen["password"] = make_password(password or None)
    try:
        with transaction.atomic():
            # Only as long as it is a guest: in another tab the address may just have been verified.
            claimed = User.objects.filter(pk=guest.pk, kind=User.Kind.GUEST, is_active=True).update(**chosen)
    except IntegrityError:
        raise NameTaken from None
    if not claimed:
        raise NameTaken
    guest = User.objects.get(pk=guest.pk)
    request.session[HASH_SESSION_KEY] = guest.get_session_auth_hash()
    return guest


def promote(request: HttpRequest, guest: User) -> None:
    """The guest is a person from now on, under the name that was chosen; the session gets a new key."""
    promoted = User.objects.filter(pk=guest.pk, kind=User.Kind.GUEST).exclude(claimed_at=None)
    if not promoted.update(kind=User.Kind.PERSON, claimed_at=None):
        return
    guest.kind, guest.claimed_at = User.Kind.PERSON, None
    if request.user.pk == guest.pk:
        request.user = guest
        request.session.cycle_key()
        request.session.set_expiry(settings.ACCOUNT_SESSION_COOKIE_AGE)
        UserSession.objects.create_from_request(request, user=guest)


def release_names() -> int:
    """Gives back the names that guests have held too long; how many."""
    stale = User.objects.filter(kind=User.Kind.GUEST, claimed_at__lt=timezone.now() - HELD)
    released = 0
    for guest in stale[:200]:
        nameless = {"username": f"guest-{guest.mark}", "skeleton": None, "claimed_at": None}
        claimed = stale.filter(pk=guest.pk, claimed_at=guest.claimed_at)
        released += claimed.update(**nameless)
    return released


def _confirmed(sender: object, request: HttpRequest, email_address: object, **_more: object) -> None:
    user = User.objects.get(pk=email_address.user_id)  # type: ignore[attr-defined]
    if user.is_guest:
        promote(request, user)


email_confirmed.connect(_confirmed, dispatch_uid="accounts.confirmed")
