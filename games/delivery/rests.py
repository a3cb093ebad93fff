"""How long whoever failed to take what was sent is left alone: devices and addresses alike."""

from __future__ import annotations

from datetime import datetime, timedelta

SHORTEST, LONGEST = timedelta(minutes=1), timedelta(hours=1)


def rest(failing_since: datetime | None, moment: datetime, asked: timedelta) -> timedelta:
    """How long: as long as it has been failing, or as it ``asked`` for, within SHORTEST and LONGEST."""
    failing = moment - failing_since if failing_since else timedelta()
    return min(max(SHORTEST, failing, asked), LONGEST)
