"""Time allowances as values: the next deadline, what is left afterwards, and the clock as a sentence. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from games import rest
from games.rest import Rest
from games.wording import Sentence, mark as _

GRACE = timedelta(seconds=2)
"""A move that reaches the database so long after its deadline still counts; a time-out waits for it."""

TURN_DAYS = (1, 2, 3, 7)
"""The paces on offer, in days a turn."""

BANKS = ((24, 6, 48), (72, 12, 120), (168, 24, 240))
"""The banks on offer, in hours: what a seat begins with, what each of its turns adds, and what it holds at most."""

IDLE = timedelta(days=30)
"""Without a clock: who does not move for so long has left."""

IDLE_NOTICE = timedelta(days=7)
"""How long before that the player is told."""

GRANTS = 3
"""How often a seat may give time to others in a match, so that no match is kept alive by giving alone."""

LONGEST_PAUSE = timedelta(days=28)
"""After so long a pause ends by itself."""

AFTER_PAUSE = timedelta(days=1)
"""What at least is left of a turn when a pause ends."""

HELD = timedelta(hours=1)
"""How long a bot waits before its first move for who ran out of time: so long they may come back."""

VACANT = timedelta(days=3)
"""How long a seat waits for a substitute; then a bot takes it."""

HOLIDAYS = 28
"""Days of holiday a player may take in a calendar year."""

_LEAST_OF_WEEK = (7 - rest.MOST_FREE_DAYS) * (timedelta(days=1) - rest.LONGEST_NIGHT) / timedelta(days=7)
"""The least share of a week that counts for a player, whatever windows are set."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The clock of a match: days for every turn, or a bank of hours a seat, or neither (IDLE then ends the waiting).

    ``bank`` is (hours at the start, hours that each turn adds, hours it holds
    at most). ``rests`` says whether nights, free days and holidays that
    players have set stand still. While the site stood still no clock ran.
    """

    days: int | None = None
    bank: tuple[int, int, int] | None = None
    rests: bool = False

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Allowance:
        """The allowance stored with a match. Raises ValueError for one that is not on offer."""
        days, bank, rests = value.get("days"), value.get("bank"), value.get("rests", False)
        bank = tuple(bank) if bank is not None else None
        if (days is not None and days not in TURN_DAYS) or (bank is not None and bank not in BANKS):
            raise ValueError(f"no such allowance: {value!r}")
        if (days is not None and bank is not None) or rests not in (True, False):
            raise ValueError(f"no such allowance: {value!r}")
        return cls(days, bank, bool(rests) and (days is not None or bank is not None))

    def to_json(self) -> dict[str, Any]:
        """What is stored with a match."""
        return {"days": self.days, "bank": list(self.bank) if self.bank else None, "rests": self.rests}

    @property
    def none(self) -> bool:
        """Whether there is no clock; such a match is not rated."""
        return self.days is None and self.bank is None

    @property
    def at_start(self) -> timedelta | None:
        """What a seat's bank holds at the start; None if the clock has no bank."""
        return None if self.bank is None else timedelta(hours=self.bank[0])

    def deadline(
        self, start: datetime, left: timedelta | None, resting: Rest, granted: timedelta = timedelta()
    ) -> datetime:
        """When a decision that begins at ``start`` is overdue, for a seat whose bank holds ``left``.

        ``granted`` is what was given for this decision alone. Exact seconds in
        UTC, whatever the clocks on the wall do in between.
        """
        span = left if left is not None else IDLE if self.none else timedelta(days=self.days or 0)
        return rest.after(self._counting(resting), start, span + granted)

    def left(self, before: timedelta | None, start: datetime, end: datetime, resting: Rest) -> timedelta | None:
        """What a seat's bank holds after a decision taken from ``start`` to ``end``; None without a bank."""
        if self.bank is None or before is None:
            return None
        _start, increment, cap = self.bank
        return min(
            max(before - self.spent(start, end, resting), timedelta()) + timedelta(hours=increment),
            timedelta(hours=cap),
        )

    def grant(self, left: timedelta | None) -> timedelta:
        """What another player may give to whoever decides: a turn's worth, or what a bank that holds ``left`` takes."""
        if self.bank is None:
            return timedelta(days=self.days or 0)
        _start, increment, cap = self.bank
        return max(min(timedelta(hours=increment), timedelta(hours=cap) - (left or timedelta())), timedelta())

    def spent(self, start: datetime, end: datetime, resting: Rest) -> timedelta:
        """How much of the time between two instants of a decision counts."""
        return rest.counted(self._counting(resting), start, end)

    def _counting(self, resting: Rest) -> Rest:
        """What of a player's rest this clock takes notice of."""
        return resting if self.rests else Rest(stopped=resting.stopped)

    @property
    def longest_turn(self) -> timedelta:
        """The longest that one turn can take, unless the others give time or all agree on a pause."""
        return self.longest()

    def longest(self, given: timedelta = timedelta()) -> timedelta:
        """The longest that one turn can take, with every rest and a whole budget of holidays at its worst.

        ``given`` is what others gave, or what was left after a pause; a pause
        itself comes on top, and breaks the weeks that were counted with anew.
        """
        span = timedelta(hours=self.bank[2]) if self.bank else IDLE if self.none else timedelta(days=self.days or 0)
        span += given
        if not self.rests:
            return span
        holidays = timedelta(days=2 * HOLIDAYS)  # of two calendar years, if the turn of the year lies within
        return span / _LEAST_OF_WEEK + timedelta(days=7) + holidays

    def sentence(self) -> Sentence:
        """The whole clock in words, with the longest that a turn can take; without a full stop, for lists of facts."""
        if self.none:
            return Sentence(
                _("No clock; who does not move for {days} days has left, and is told {notice} days before"),
                days=IDLE.days,
                notice=IDLE_NOTICE.days,
            )
        most = ceil(self.longest_turn / timedelta(days=1))
        if self.bank is not None:
            start, increment, cap = self.bank
            text = _BANK_RESTS if self.rests else _BANK
            return Sentence(text, start=start, increment=increment, cap=cap, most=most)
        one, many = _DAYS_REST if self.rests else _DAYS
        return Sentence(one, many, self.days, most=most)


_DAYS = _("{count} day for every turn"), _("{count} days for every turn")
_DAYS_REST = (
    _(
        "{count} day for every turn; nights, free days and holidays of the players do not count, "
        "yet after {most} days at the latest a turn is over, "
        "unless time is given or a pause agreed on"
    ),
    _(
        "{count} days for every turn; nights, free days and holidays of the players do not count, "
        "yet after {most} days at the latest a turn is over, "
        "unless time is given or a pause agreed on"
    ),
)
_BANK = _("{start} hours for each player, {increment} more after every turn, but never more than {cap}")
_BANK_RESTS = _(
    "{start} hours for each player, {increment} more after every turn, but never more than {cap}; nights, free days "
    "and holidays of the players do not count, yet after {most} days at the latest a turn is over, "
    "unless time is given or a pause agreed on"
)
