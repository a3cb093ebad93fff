"""Guests: made with one click, kept by their browser, forgotten when they never come back."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User
from games import live
from games.models import Match, Seat
from games.now import now

FORGOTTEN_AFTER = timedelta(days=30)
"""A guest who has not been seen for so long, and whom nobody else plays with, is forgotten."""

SEEN_EVERY = timedelta(hours=1)
"""How exactly ``seen_at`` is kept; a write with every page would cost more than it tells."""


def new_guest() -> User:
    """A user for this browser alone."""
    return User.objects.create_guest()


def was_here(user: User) -> bool:
    """Notes that the user was seen, at most once in SEEN_EVERY; whether it did."""
    if user.seen_at >= timezone.now() - SEEN_EVERY:
        return False
    return bool(User.objects.filter(pk=user.pk).update(seen_at=now()))


def forget_guests(limit: int = 200) -> int:
    """Deletes guests long unseen, with their matches against bots; the number of guests deleted.

    A guest who sits with another person stays: the match is theirs as well.
    """
    with_people = Seat.objects.filter(match__seats__user=OuterRef("pk")).exclude(user=OuterRef("pk"))
    with_people = with_people.exclude(user__kind=User.Kind.BOT)
    unused = User.objects.filter(kind=User.Kind.GUEST, seen_at__lt=now() - FORGOTTEN_AFTER)
    unused = unused.exclude(Exists(with_people))
    forgotten = 0
    for guest in list(unused.values_list("pk", flat=True)[:limit]):
        with transaction.atomic():
            # Looked at again behind the lock: the guest may be back, or a friend may have sat down.
            if User.objects.select_for_update().filter(pk=guest, pk__in=unused.values("pk")).exists():
                Match.objects.filter(seats__user=guest).delete()
                forgotten += bool(User.objects.filter(pk=guest).delete()[0])
    return forgotten


def _logged_out(sender: object, user: User | None, **_facts: object) -> None:
    """Sockets of a session that ended close at once, not only when they next look."""
    if user is not None:
        live.recheck(user.pk)


user_logged_out.connect(_logged_out, dispatch_uid="games.logged_out")
