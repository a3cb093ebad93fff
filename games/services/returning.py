"""Coming back to a seat that one has left, as long as nobody has played on in it."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import states
from games.models import Match, Move, Seat
from games.now import now
from games.services import rows
from games.services.errors import NotRunning, Refused

TRIES = 5
"""So often somebody else may move at the same moment."""


class PlayedOn(Refused):
    """A bot has moved in the seat."""

    code = "played_on"
    sentence = _("The bot has moved in your seat, so you cannot come back to it any more.")


class TakenOver(Refused):
    """Somebody else has the seat."""

    code = "taken_over"
    sentence = _("Somebody else has taken over your seat.")


class CameBackBefore(Refused):
    """Who could leave and come back again and again would hold up the match for ever."""

    code = "came_back_before"
    sentence = _("You have come back to this match once; a second time is not possible.")


def come_back(match_id: int, user: User) -> Move | None:
    """Gives who left their seat again; the row that tells it, None for who sits there anyhow.

    If it is that seat's turn it begins anew, with a bank of one turn's hours
    at most. Raises NotRunning, PlayedOn, TakenOver, CameBackBefore, or
    StaleMatch if others were quicker several times; then nothing is written.
    The user must have played in the match.
    """
    return rows.again_if_stale(partial(_come_back, match_id, user), TRIES)


def _come_back(match_id: int, user: User) -> Move | None:
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.select_related("user"))
    seat = next((one for one in seats if one.user_id == user.pk), None)
    if match.status != Match.Status.PLAYING:
        raise NotRunning(_("This match is over: nobody can come back to it."))
    if seat is None:
        raise TakenOver
    if seat.left_version is None:
        return None
    _check(match, seat)
    with rows.sound(match):
        state = states.load(match, seats)
    left = seat.left_version
    seat.left_version, seat.left_how, seat.bot_level, seat.vacant_until = None, "", "", None
    if seat.bank is not None and match.clock.bank is not None and seat.number == match.active_seat:
        seat.bank = min(seat.bank, match.clock.bank[1] * 3600)
    news = [{"what": "came_back", "seat": seat.number}]
    with rows.sound(match), transaction.atomic():
        move = rows.append(match, seats, Move.Kind.RETURN, seat=seat.number, by=Move.By.USER, state=state, news=news)
        seat.save(update_fields=["left_version", "left_how", "bot_level", "vacant_until", "bank"])
        match.departures.filter(version=left).update(returned_at=now())
    return move


def _check(match: Match, seat: Seat) -> None:
    """Raises CameBackBefore or PlayedOn."""
    if match.departures.filter(user=seat.user).exclude(returned_at=None).exists():
        raise CameBackBefore
    if match.moves.filter(kind=Move.Kind.PLAY, seat=seat.number, number__gt=seat.left_version).exists():
        raise PlayedOn


def is_possible(match: Match, seat: Seat) -> bool:
    """Whether who left this seat can still come back to it."""
    if match.status != Match.Status.PLAYING or seat.left_version is None:
        return False
    try:
        _check(match, seat)
    except Refused:
        return False
    return True
