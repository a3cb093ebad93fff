"""The devices on which a user is told by push."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.visitors import DEVICE
from games.models import Device
from games.now import now
from games.services.errors import Refused

MOST = 10
"""Devices that one user may have."""


class TooManyDevices(Refused):
    """The user has MOST devices already."""

    code = "too_many_devices"
    sentence = _("You have as many devices here as one can have. Remove one of them first.")


def hash_of(endpoint: str) -> str:
    """By what a device is found; its address is as good as a key to it."""
    return sha256(endpoint.encode()).hexdigest()


def add(user: User, *, endpoint: str, p256dh: str, auth: str, name: str, replaces: str = "") -> Device:
    """Keeps a browser's subscription, which was looked at. One that it has replaced (by its address) goes.

    A browser belongs to who has agreed to pushes in it last. Raises TooManyDevices.
    """
    mark, moment = hash_of(endpoint), now()
    agreed = {
        "user": user,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "name": name,
        "created_at": moment,
        "failing_since": None,
        "rest_until": None,
        "gone_at": None,
    }
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # who asks twice at once has no more devices for it
        others = Device.objects.filter(user=user).exclude(endpoint_hash=mark)
        others.filter(endpoint_hash=hash_of(replaces)).delete()
        if others.filter(gone_at=None).count() >= MOST:
            raise TooManyDevices
        if others.count() >= MOST:
            others.exclude(gone_at=None).delete()
        device, _new = Device.objects.update_or_create(endpoint_hash=mark, defaults=agreed)
    return device


def remove(device: Device) -> None:
    """Forgets a device."""
    device.delete()


def log_out(user: User, kept: Mapping[str, Any]) -> None:
    """Forgets the device of a session that has ended, by what the session had kept: who is logged out there has no
    further say over what is shown there."""
    if DEVICE in kept:
        Device.objects.filter(user=user, pk=kept[DEVICE]).delete()


def log_out_others(user: User, kept: Mapping[str, Any]) -> None:
    """Forgets all devices but that of the session which had kept this: all others are logged out."""
    Device.objects.filter(user=user).exclude(pk=kept.get(DEVICE, 0)).delete()
