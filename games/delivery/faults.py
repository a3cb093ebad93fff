"""Why a delivery did not leave."""

from __future__ import annotations


class NotDelivered(Exception):
    """``why`` is a code for ``words.WHY``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Later(NotDelivered):
    """Not now: it is tried again. ``closed`` if the whole way is closed and the others would fare no better."""

    def __init__(self, why: str, *, closed: bool = False) -> None:
        super().__init__(why)
        self.closed = closed


class Never(NotDelivered):
    """Not at all: it is parked."""
