"""What others may want to know of accounts."""

from __future__ import annotations

from django.dispatch import Signal

guest_came_along = Signal()
"""Sent after a login in the browser of a guest: ``guest`` and ``user``. What a listener returns is told to the user."""

sessions_ended = Signal()
"""Sent after some sessions of ``user`` were ended; ``kept`` is what each of them had kept, a dictionary each."""

token_ended = Signal()
"""Sent after a token of ``user`` was ended."""
