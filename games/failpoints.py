"""Points at which a test lets its own process die at once, as by a power cut. Off in production, where it is refused.

FAIL_AT="before_commit:3" is death when a row is about to be committed for the third time.
"""

from __future__ import annotations

import os
import signal
from collections import Counter

from django.conf import settings

_passed: Counter[str] = Counter()


def reach(point: str) -> None:
    """Does nothing, unless FAIL_AT names this point and its pass: then the process is killed here."""
    if not settings.FAIL_AT:
        return
    name, _colon, number = settings.FAIL_AT.partition(":")
    _passed[point] += 1
    if point == name and _passed[point] == int(number or 1):
        os.kill(os.getpid(), signal.SIGKILL)
