"""What a user has set, from the colours to the zone; nights and free days."""

from __future__ import annotations

from django.db import transaction

from accounts import zones
from accounts.models import User
from games.services import resting
from games.services.errors import BadRequest


def save(user: User, **chosen: str | bool) -> None:
    """Keeps the preferences: ``chosen`` is what the form has checked, by the names of the user's fields."""
    with transaction.atomic():
        if chosen.get("zone", user.zone) != user.zone:
            resting.keep_windows(user)
        User.objects.filter(pk=user.pk).update(**chosen)


def save_rest(
    user: User, *, night_from: int | None, night_to: int | None, free_days: list[str], auto_holiday: bool
) -> None:
    """Keeps when the user's time stands still, which the form has checked; it counts from their next turn on."""
    chosen = {"night_from": night_from, "night_to": night_to, "free_days": "".join(sorted(free_days))}
    with transaction.atomic():
        resting.keep_windows(user)
        User.objects.filter(pk=user.pk).update(**chosen, auto_holiday=auto_holiday)


def take_zone(user: User, zone: str) -> bool:
    """Keeps the zone that a browser tells, unless the user has one already; whether it did.

    Raises BadRequest for a name that is no zone.
    """
    if zone not in zones.known():
        raise BadRequest
    if user.zone:
        return False
    with transaction.atomic():
        resting.keep_windows(user)
        return bool(User.objects.filter(pk=user.pk, zone="").update(zone=zone))
