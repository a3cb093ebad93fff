"""Sessions in the database, asked for only by keys that can be one."""

from __future__ import annotations

from django.contrib.sessions.backends.db import SessionStore as Stored

SHORTEST = 8
"""Characters of a key, as Django wants them."""


class SessionStore(Stored):
    """Django's; a cookie that no browser got from us is like none, and is not put to the database.

    In quotes a cookie can hold any byte, and PostgreSQL refuses a NUL.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        """Whether the key has the shape of ours: letters and digits."""
        return key is not None and len(key) >= SHORTEST and key.isascii() and key.isalnum()
