"""Time allowances as values: the next deadline and the sentence that tells the clock. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games.wording import Sentence, mark as _

GRACE = timedelta(seconds=2)
"""A move that reaches the database so long after its deadline still counts; a time-out waits for it."""

TURN_DAYS = (1, 2, 3, 7)
"""The paces on offer, in days a turn; None is no clock."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much time a turn has: whole days, or None for no clock."""

    days: int | None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Allowance:
        """The allowance stored with a match. Raises ValueError for one that is not on offer."""
        days = value.get("days")
        if days is not None and days not in TURN_DAYS:
            raise ValueError(f"no such allowance: {value!r}")
        return cls(days)

    def to_json(self) -> dict[str, Any]:
        """What is stored with a match."""
        return {"days": self.days}

    def deadline(self, start: datetime) -> datetime | None:
        """When a decision that begins at ``start`` is overdue; exact seconds, whatever the clocks in between do."""
        return None if self.days is None else start + timedelta(days=self.days)

    def sentence(self) -> Sentence:
        """The clock in words."""
        if self.days is None:
            return Sentence(_("No clock: a turn may take as long as it takes."))
        return Sentence("{count} day for every turn.", "{count} days for every turn.", self.days)
