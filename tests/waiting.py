"""Waiting for the thing itself, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SWEPT = 60
"""Seconds after which a sweep has looked, also on a busy machine."""


def happens(condition: Callable[[], T], seconds: float) -> T | None:
    """What the condition gives once it is true; None if it is not within ``seconds``."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    return None


def wait_for(condition: Callable[[], T], seconds: float = SWEPT, what: str = "it") -> T:
    """What the condition gives once it is true. Raises AssertionError after ``seconds``, naming ``what``."""
    found = happens(condition, seconds)
    assert found is not None, f"not in {seconds:g} s: {what}"
    return found
