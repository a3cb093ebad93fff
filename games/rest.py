"""When a player's time stands still: nights, free days and holidays, in the player's own zone. Pure."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LONGEST_NIGHT = timedelta(hours=10)
"""What a night may take of a day, on the wall clock."""

MOST_FREE_DAYS = 2
"""Weekdays that may be free, so that every week has time that counts."""

DAY = 24 * 60
"""Minutes of a day on the wall clock."""


Span = tuple[datetime, datetime]
"""From one instant to another."""


class BadRest(ValueError):
    """A window that is not on offer; ``why`` is "zone", "night" or "days"."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Rest:
    """A player's nights (from minute to minute of the local day), free weekdays (0 is Monday) and holidays (UTC).

    ``stopped`` are spans in which the site itself stood still, for everybody.
    Raises BadRest for a zone that does not exist, a night longer than
    LONGEST_NIGHT or more than MOST_FREE_DAYS free weekdays.
    """

    zone: str = "UTC"
    night: tuple[int, int] | None = None
    free_days: frozenset[int] = frozenset()
    holidays: tuple[Span, ...] = ()
    stopped: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as wrong:
            raise BadRest("zone") from wrong
        if self.night is not None:
            start, end = self.night
            if not (0 <= start < DAY and 0 <= end < DAY) or start == end:
                raise BadRest("night")
            if timedelta(minutes=(end - start) % DAY) > LONGEST_NIGHT:
                raise BadRest("night")
        if len(self.free_days) > MOST_FREE_DAYS or not self.free_days <= frozenset(range(7)):
            raise BadRest("days")

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def _instant(self, day: date, minute: int, fold: int) -> datetime:
        """The instant of a wall-clock time. One that is skipped counts as the moment of the change; of one that comes
        twice ``fold`` 0 is the first: a rest begins at the first and ends at the second, in favour of who sleeps."""
        wall = datetime.combine(day, time(minute // 60, minute % 60), self._zone).replace(fold=fold)
        instant = wall.astimezone(UTC)
        if instant.astimezone(self._zone).replace(tzinfo=None) != wall.replace(tzinfo=None):
            return _change(self._zone, instant - timedelta(days=1), instant + timedelta(days=1))
        return instant

    def _of_day(self, day: date) -> Iterator[Span]:
        """The rests that begin on a local day."""
        if day.weekday() in self.free_days:
            yield self._instant(day, 0, 0), self._instant(day + timedelta(days=1), 0, 0)
        if self.night is not None:
            start, end = self.night
            morning = day if end > start else day + timedelta(days=1)
            yield self._instant(day, start, 0), self._instant(morning, end, 1)

    def _windows(self, start: datetime) -> Iterator[Span]:
        """The nights and free days from a little before ``start`` on, by their beginnings; endless if any are set."""
        day = start.astimezone(self._zone).date() - timedelta(days=2)
        while self.night is not None or self.free_days:
            yield from sorted(self._of_day(day))
            day += timedelta(days=1)

    def spans(self, start: datetime) -> Iterator[Span]:
        """The rests from ``start`` on, in order and without overlap, in UTC; without end if there are any windows."""
        pending: Span | None = None
        for begin, end in heapq.merge(self._windows(start), sorted(self.holidays + self.stopped)):
            if end <= start:
                continue
            if pending is None or begin > pending[1]:
                if pending is not None:
                    yield pending
                pending = (max(begin, start), end)
            else:
                pending = (pending[0], max(pending[1], end))
        if pending is not None:
            yield pending


def _change(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """The instant between two at which the zone's offset changes, to the second."""
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = (low + (high - low) / 2).replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


def counted(rest: Rest, start: datetime, end: datetime) -> timedelta:
    """How much of the time between two instants counts for a player."""
    total = max(end - start, timedelta())
    for begin, until in rest.spans(start):
        if begin >= end:
            break
        total -= min(until, end) - begin
    return total


def after(rest: Rest, start: datetime, span: timedelta) -> datetime:
    """The instant at which so much counted time has passed since ``start``; it is never inside a rest."""
    at = start
    for begin, until in rest.spans(start):
        if begin - at >= span:
            break
        span -= begin - at
        at = until
    return at + span
