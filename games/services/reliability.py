"""Who keeps running out of time sits at few matches at once, until they have kept up for a while."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from games.models import Departure, Seat
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


def check(user: User, sits: int) -> None:
    """Raises TooManyTimeOuts if the user may not sit down at another match with people.

    ``sits`` is at how many the user, who is held (see ``capacity``), sits now.
    """
    if sits >= MOST_MATCHES and (until := limited_until(user)) is not None:
        raise TooManyTimeOuts(sentence(user, until))


def sentence(user: User, until: datetime) -> str:
    """Why and until when the user is limited."""
    text = gettext(
        "Your time ran out in %(times)d matches within %(days)d days, so until %(until)s you can sit at "
        "%(most)d matches with other people at once. Matches against bots are always possible."
    )
    told = date_format(timezone.localtime(until, user.zone_info), "D j M H:i")
    return text % {"times": MOST_TIME_OUTS, "days": WINDOW.days, "until": told, "most": MOST_MATCHES}
