"""Holidays: taken by hand or, instead of a time-out, by the site; each stops the user's time in running matches."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _, ngettext

from accounts.models import Holiday, User
from games.clock import HOLIDAYS
from games.models import Match, Seat
from games.now import now
from games.services import clocks
from games.services.errors import Refused, StaleMatch

AHEAD = timedelta(days=366)
"""How far ahead a holiday may begin and end."""

DAY = timedelta(days=1)

MOMENT = timedelta(seconds=1)
"""An automatic holiday begins so long before the time is up: in a moment that still counts."""


class BadHoliday(Refused):
    """Days that cannot be taken."""

    code = "bad_holiday"
    status = 422


def zone_of(user: User) -> ZoneInfo:
    """The zone in which a user's days begin and end."""
    return user.zone_info or ZoneInfo("UTC")


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """When a day begins in a zone."""
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def days_of(starts: datetime, ends: datetime, year: int, zone: ZoneInfo) -> int:
    """The days that a span takes from the budget of a year: those begun, on the wall clock of the zone."""
    first, last = (moment.astimezone(zone).replace(tzinfo=None) for moment in (starts, ends))
    span = min(last, datetime(year + 1, 1, 1)) - max(first, datetime(year, 1, 1))
    return max(ceil(span / DAY), 0)


def left(user: User, year: int, moment: datetime | None = None) -> int:
    """How many days of a year's budget the user has not taken."""
    zone = zone_of(user)
    edges = midnight(date(year, 1, 1), zone), midnight(date(year + 1, 1, 1), zone)
    taken = Holiday.objects.filter(user=user, starts__lt=edges[1], ends__gt=edges[0])
    spent = sum(days_of(starts, ends, year, zone) for starts, ends in taken.values_list("starts", "ends"))
    return max(HOLIDAYS - spent, 0)


def present(user: User) -> QuerySet[Holiday]:
    """The user's holidays that are not over, the first first."""
    return Holiday.objects.filter(Q(ends__gt=F("starts")), user=user, ends__gt=now()).order_by("starts", "pk")


def take(user: User, first: date, last: date) -> Holiday:
    """A holiday from the first to the last day, from now on if the first is today, in the user's zone.

    Raises BadHoliday for days that are over, in the wrong order, too far
    ahead, taken already, or more than are left; then nothing is written.
    """
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)  # who asks twice at once cannot overspend
        zone, moment = zone_of(user), now()
        today = moment.astimezone(zone).date()
        if first < today:
            raise BadHoliday(_("A holiday cannot begin in the past."))
        if last < first:
            raise BadHoliday(_("The last day lies before the first."))
        if last > today + AHEAD:
            raise BadHoliday(_("That is more than a year ahead."))
        starts, ends = max(midnight(first, zone), moment), midnight(last + DAY, zone)
        if present(user).filter(starts__lt=ends, ends__gt=starts).exists():
            raise BadHoliday(_("You have taken some of these days already."))
        _afford(user, starts, ends)
        holiday = Holiday.objects.create(user=user, starts=starts, ends=ends)
    spread(holiday.pk)
    return holiday


def _afford(user: User, starts: datetime, ends: datetime) -> None:
    """Raises BadHoliday if a year's budget does not cover its part of the span."""
    zone = zone_of(user)
    for year in range(starts.astimezone(zone).year, ends.astimezone(zone).year + 1):
        rest, asked = left(user, year), days_of(starts, ends, year, zone)
        if asked > rest:
            text = ngettext(
                "That would be %(asked)d day in %(year)d, and you have %(left)d left.",
                "That would be %(asked)d days in %(year)d, and you have %(left)d left.",
                asked,
            )
            raise BadHoliday(text % {"asked": asked, "year": year, "left": rest})


def end(holiday_id: int) -> None:
    """Ends a holiday now, or takes it back before it begins; harmless once it is over. Deadlines come nearer again."""
    moment = now()
    found = Holiday.objects.filter(pk=holiday_id, ends__gt=moment)
    ended = found.filter(starts__lt=moment).update(ends=moment, spread_at=None)
    if ended or found.update(ends=F("starts"), spread_at=None):
        spread(holiday_id)


def spread(holiday_id: int) -> None:
    """Moves the deadlines of the running matches that wait for who is on holiday; a sweep repeats what fails."""
    holiday = Holiday.objects.select_related("user").get(pk=holiday_id)
    moment = now()
    why = "holiday" if holiday.ends > max(moment, holiday.starts) else "back"
    waiting = Seat.objects.filter(user=holiday.user, left_version=None, bot_level="", match__active_seat=F("number"))
    waiting = waiting.filter(match__status=Match.Status.PLAYING, match__allowance__rests=True)
    try:
        for match in waiting.values_list("match", flat=True):
            clocks.review(match, why)
    except StaleMatch:
        return
    # Only what was told: who ends it at this moment has it told again.
    Holiday.objects.filter(pk=holiday.pk, ends=holiday.ends).update(spread_at=moment)


def unspread(limit: int) -> list[int]:
    """Holidays whose matches were not told yet."""
    return list(Holiday.objects.filter(spread_at=None).order_by("pk").values_list("pk", flat=True)[:limit])


def instead_of_time_out(match: Match, user: User) -> bool:
    """Takes a day for who is overdue and wants it so, if the match rests and a day is left; whether there is time now.

    Guests get none: most of those who do not come back are never seen again.
    """
    if not match.clock.rests or not user.auto_holiday or user.is_guest or match.deadline is None:
        return False
    starts = match.deadline - MOMENT
    ends = starts + DAY
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=user.pk)
            if not Match.objects.filter(pk=match.pk, version=match.version).exists():
                return False  # moved after all
            # Another of their matches, or another sweep, may have come first: one day serves all.
            holiday = Holiday.objects.filter(user=user, starts__lte=starts, ends__gt=starts).first()
            if holiday is None:
                _afford(user, starts, ends)
                holiday = Holiday.objects.create(user=user, starts=starts, ends=ends, automatic=True)
    except BadHoliday:
        return False
    spread(holiday.pk)
    return not Match.objects.filter(pk=match.pk, version=match.version).exists()
