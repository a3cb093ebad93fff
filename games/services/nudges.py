"""Reminders: a player asks the one whose turn it is to move, once a day."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Nudge
from games.now import now
from games.services import consent, notices, rows
from games.services.errors import Paused, Refused

PATIENCE = timedelta(hours=12)
"""So long nobody may be asked to move."""


class CannotNudge(Refused):
    """Nobody can be asked to move, or not now; ``at`` is when it becomes possible."""

    code = "cannot_nudge"
    sentence = _("Nobody can be asked to move: a bot does it by itself.")
    at: datetime | None = None


class TooEarly(CannotNudge):
    """The turn has begun only just, or the player was asked today."""

    code = "too_early"
    sentence = _("It is too early to ask.")

    def __init__(self, at: datetime) -> None:
        super().__init__()
        self.at = at


def nudge(match_id: int, user: User, *, version: int) -> Nudge:
    """The user asks whoever is to move to do so. Returns the row.

    That the user plays in the match was settled in ``access.seat_for``. Raises
    NotRunning, StaleMatch, Paused, or CannotNudge: oneself, a bot, within
    PATIENCE of the turn's beginning, or twice on a day (UTC); then nothing is
    written.
    """
    match = rows.running(match_id, version)
    if match.paused_at is not None:
        raise Paused
    seats = list(match.seats.select_related("user"))
    mover = None if match.active_seat is None else seats[match.active_seat]
    if mover is None or not mover.has_player or match.decision_at is None:
        raise CannotNudge
    if mover.user_id == user.pk:
        raise CannotNudge(_("It is your own turn."))
    moment = now()
    if moment < match.decision_at + PATIENCE:
        raise TooEarly(match.decision_at + PATIENCE)
    asked = Nudge(match=match, by=user, to=mover.user, version=match.since_version, day=moment.date(), at=moment)
    try:
        with transaction.atomic():
            consent.changed(match, seats)  # or raises: who has moved at this moment is not asked any more
            asked.save()
            by = next(seat.number for seat in seats if seat.user_id == user.pk)
            notices.store([notices.nudged(asked, by)], announced=True)
    except IntegrityError as again:
        raise TooEarly(next_day(moment)) from again
    return asked


def next_day(moment: datetime) -> datetime:
    """When the day of UTC after a moment begins: the next time that somebody may be asked."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
