"""What time it is: the database's clock, the one of every deadline. Tests replace it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from django.db import connection

QUERIES = {"sqlite": "SELECT strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')", "postgresql": "SELECT clock_timestamp()"}

_replaced: Callable[[], datetime] | None = None


def now() -> datetime:
    """The database's time, in UTC."""
    if _replaced is not None:
        return _replaced()
    with connection.cursor() as cursor:
        cursor.execute(QUERIES[connection.vendor])
        (value,) = cursor.fetchone()
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.astimezone(UTC)


@contextmanager
def replaced(clock: Callable[[], datetime]) -> Iterator[None]:
    """For tests: ``now()`` is what ``clock`` says, in this process."""
    global _replaced
    before, _replaced = _replaced, clock
    try:
        yield
    finally:
        _replaced = before
