"""At how many matches with other people a user may sit at once: few at first, more with each one played to its end."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from games.models import Match, Seat
from games.services import reliability
from games.services.errors import Refused


class TooManyMatches(Refused):
    """The user sits at as many matches as they may."""

    code = "too_many_matches"


def hold(user: User) -> None:
    """Locks the user's row until the transaction ends: of two who do for one user what is limited the second waits.

    To be called before any match is locked, which is the order for all. Rows that only refer to the user do not wait.
    """
    # Evaluated, but not asked for a result: a guest may have come along into an account just now, and be nobody.
    list(User.objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))


def check(user: User) -> None:
    """Raises TooManyTimeOuts or TooManyMatches if the user, who is held, may not sit at another match with people."""
    sits = sits_at(user)
    reliability.check(user, sits)
    least = settings.MATCHES_AT_ONCE["guest" if user.is_guest else "bot" if user.is_bot else "first"]
    if sits >= least and sits >= (most := allowed(user)):
        raise TooManyMatches(sentence(user, most))


def sits_at(user: User) -> int:
    """At how many matches with other people, waiting or running, the user sits; those the user left do not count."""
    waits, runs = Q(match__status=Match.Status.OPEN), Q(match__status=Match.Status.PLAYING)
    seats = Seat.objects.filter(user=user, finished_at=None, left_version=None)  # null while there is no result
    return seats.filter(waits | (runs & Exists(_others()))).count()


def allowed(user: User) -> int:
    """At how many the user may sit at once."""
    limit = settings.MATCHES_AT_ONCE
    if user.is_guest or user.is_bot:
        return limit["guest" if user.is_guest else "bot"]
    ended = Seat.objects.filter(user=user, finished_at__isnull=False, left_version=None)
    ended = ended.filter(Exists(_others().filter(user__kind=User.Kind.PERSON)))  # guests are made at will
    enough = (limit["most"] - limit["first"]) // limit["more"] + 1
    return min(limit["first"] + limit["more"] * ended[:enough].count(), limit["most"])


def _others() -> QuerySet[Seat]:
    """Seats of other people in the match of a seat that is asked for."""
    seats = Seat.objects.filter(match=OuterRef("match")).exclude(user=OuterRef("user"))
    return seats.exclude(user__kind=User.Kind.BOT).order_by()


def sentence(user: User, most: int) -> str:
    """Why the user may not sit down, and what makes room."""
    if user.is_bot:
        return gettext("%(name)s plays in as many matches as a bot may at once.") % {"name": user.name}
    numbers = {**settings.MATCHES_AT_ONCE, "now": most}
    text = gettext("You sit at %(now)d matches with other people, and that is as many as you may at once.") % numbers
    if user.is_guest:
        how = gettext("With an account it is %(first)d, and more with every match that you finish.")
    elif most < settings.MATCHES_AT_ONCE["most"]:
        how = gettext("Every match with other people that you play to its end makes room for %(more)d more.")
    else:
        how = gettext("Nobody may sit at more. When one of them ends there is room again.")
    return f"{text} {how % numbers} {gettext('Matches against bots are always possible.')}"
