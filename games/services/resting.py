"""When time stands still for a user: what they have set, their holidays, and when the site itself stood still."""

from __future__ import annotations

from copy import copy
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q

from accounts.models import Holiday, User
from games.clock import Allowance
from games.models import Downtime, Match, Seat
from games.rest import Rest, Span

WINDOWS = ("night_from", "night_to", "free_days", "zone")
"""What a user sets of nights and free days."""


def windows_of(user: User, holidays: tuple[Span, ...] = (), stopped: tuple[Span, ...] = ()) -> Rest:
    """The nights and free days that a user has set, in their zone (UTC without one), with these spans besides."""
    zone, night = user.zone_info, None
    if user.night_from is not None and user.night_to is not None:
        night = (user.night_from, user.night_to)
    free = frozenset(map(int, user.free_days))
    return Rest(zone.key if zone else "UTC", night, free, holidays, stopped)


def from_now(user: User, clock: Allowance, moment: datetime) -> Rest:
    """What stands still for a user in a decision that begins now."""
    return windows_of(user, _holidays(user, moment)) if clock.rests else Rest()


def since(user: User, match: Match, start: datetime) -> Rest:
    """What stands still for a user in the decision of a match that began at ``start``.

    No clock ran while the site stood still, nor in a pause; where the two
    overlap it counts once. Nights and free days are those that were set when the decision began.
    """
    stopped = tuple(Downtime.objects.filter(ends__gt=start).values_list("starts", "ends"))
    stopped += tuple((datetime.fromisoformat(begin), datetime.fromisoformat(end)) for begin, end in match.stopped)
    if not match.clock.rests:
        return Rest(stopped=stopped)
    as_it_was = copy(user)
    for name, value in match.windows.items():
        setattr(as_it_was, name, value)
    return windows_of(as_it_was, _holidays(user, start), stopped)


def keep_windows(user: User) -> None:
    """Notes with the matches that wait for the user what is set now, for it counts until they have moved.

    To be called before something else is set, in the same transaction.
    """
    mine = Seat.objects.filter(match=OuterRef("pk"), number=OuterRef("active_seat"), user=user)
    waiting = Match.objects.filter(Exists(mine.order_by()), status=Match.Status.PLAYING, allowance__rests=True)
    waiting.filter(windows={}).update(windows={name: getattr(user, name) for name in WINDOWS})


def _holidays(user: User, start: datetime) -> tuple[Span, ...]:
    found = Holiday.objects.filter(Q(ends__gt=F("starts")), user=user, ends__gt=start)
    return tuple(found.values_list("starts", "ends"))
