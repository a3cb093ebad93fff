"""Guests: made with one click, kept by their browser, forgotten when they never come back."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models import Exists, OuterRef

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


def was_here(user: User) -> None:
    """Notes that the user was seen, at most once in SEEN_EVERY."""
    moment = now()
    if user.seen_at < moment - SEEN_EVERY:
        User.objects.filter(pk=user.pk).update(seen_at=moment)


def forget_guests(limit: int = 200) -> int:
    """Deletes guests long unseen, with their matches against bots; the number of guests deleted.

    A guest who sits with another person stays: the match is theirs as well.
    """
    with_people = Seat.objects.filter(match__seats__user=OuterRef("pk")).exclude(user=OuterRef("pk"))
    with_people = with_people.exclude(user__kind=User.Kind.BOT)
    unused = User.objects.filter(kind=User.Kind.GUEST, seen_at__lt=now() - FORGOTTEN_AFTER)
    guests = list(unused.exclude(Exists(with_people)).values_list("pk", flat=True)[:limit])
    if guests:
        with transaction.atomic():
            Match.objects.filter(seats__user__in=guests).delete()
            User.objects.filter(pk__in=guests).delete()
    return len(guests)


def _logged_out(sender: object, user: User | None, **_facts: object) -> None:
    """Sockets of a session that ended close at once, not only when they next look."""
    if user is not None:
        live.recheck(user.pk)


user_logged_out.connect(_logged_out, dispatch_uid="games.logged_out")
