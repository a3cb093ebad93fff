"""Who keeps running out of time sits at few matches at once, until they have kept up for a while."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from games.models import Departure, Match, Seat
from games.now import now
from games.services.errors import Refused

WINDOW = timedelta(days=30)
"""So long a time-out counts."""

MOST_TIME_OUTS = 3
"""With so many of them in WINDOW a user is limited."""

MOST_MATCHES = 2
"""At so many matches with other people a limited user may sit."""


class TooManyTimeOuts(Refused):
    """The user ran out of time too often lately and sits at enough matches."""

    code = "too_many_time_outs"


def limited_until(user: User) -> datetime | None:
    """Until when the user is limited; None if they are not.

    Counted are time-outs in matches with other people which the user did not come back to.
    """
    since = now() - WINDOW
    with_people = Seat.objects.filter(match=OuterRef("match")).exclude(user=OuterRef("user"))
    missed = Departure.objects.filter(user=user, how=Departure.How.TIMEOUT, at__gt=since, returned_at=None)
    missed = missed.filter(Exists(with_people.exclude(user__kind=User.Kind.BOT)))
    latest = list(missed.order_by("-at").values_list("at", flat=True)[:MOST_TIME_OUTS])
    return latest[-1] + WINDOW if len(latest) == MOST_TIME_OUTS else None


def check(user: User) -> None:
    """Raises TooManyTimeOuts if the user may not sit down at another match with people.

    To be called inside the transaction that seats them: of two at once the second waits here.
    """
    until = limited_until(user)
    if until is None:
        return
    User.objects.select_for_update().get(pk=user.pk)
    if _sits_at(user) >= MOST_MATCHES:
        raise TooManyTimeOuts(sentence(user, until))


def _sits_at(user: User) -> int:
    """At how many matches with other people, waiting or running, the user sits; those the user left do not count."""
    with_people = Seat.objects.filter(match=OuterRef("match")).exclude(user=user).exclude(user__kind=User.Kind.BOT)
    seats = Seat.objects.filter(user=user, left_version=None)
    waits, runs = Q(match__status=Match.Status.OPEN), Q(match__status=Match.Status.PLAYING)
    return seats.filter(waits | (runs & Exists(with_people))).count()


def sentence(user: User, until: datetime) -> str:
    """Why and until when the user is limited."""
    text = gettext(
        "Your time ran out in %(times)d matches within %(days)d days, so until %(until)s you can sit at "
        "%(most)d matches with other people at once. Matches against bots are always possible."
    )
    told = date_format(timezone.localtime(until, user.zone_info), "D j M H:i")
    return text % {"times": MOST_TIME_OUTS, "days": WINDOW.days, "until": told, "most": MOST_MATCHES}
