"""What a user has set: colours, confirming, zone and language."""

from __future__ import annotations

from accounts import zones
from accounts.models import User
from games.services.errors import BadRequest


def save(user: User, *, theme: str, confirm: bool, zone: str, language: str) -> None:
    """Keeps the preferences, which the form has checked."""
    User.objects.filter(pk=user.pk).update(theme=theme, confirm=confirm, zone=zone, language=language)


def take_zone(user: User, zone: str) -> bool:
    """Keeps the zone that a browser tells, unless the user has one already; whether it did.

    Raises BadRequest for a name that is no zone.
    """
    if zone not in zones.known():
        raise BadRequest
    return bool(User.objects.filter(pk=user.pk, zone="").update(zone=zone))
