"""Notices as pushes to the devices of a user."""

from __future__ import annotations

from games.models import Delivery


def send(row: Delivery) -> None:
    """Pushes a claimed delivery to every device of its user. Raises Later or Never if none took it."""
    raise NotImplementedError
