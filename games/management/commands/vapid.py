"""``manage.py vapid``: a new key for pushes."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.delivery import webpush


class Command(BaseCommand):
    """Prints a new pair of keys; nothing is written anywhere."""

    help = "Prints a new key for pushes: VAPID_PRIVATE_KEY for the environment, and the public key that belongs to it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """A line that the environment takes, and one to know the key by."""
        key = webpush.new_key()
        self.stdout.write(f"VAPID_PRIVATE_KEY={key}")
        self.stdout.write(f"# public key: {webpush.public_key(key)}")
