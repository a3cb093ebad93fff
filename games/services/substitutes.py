"""Seats whose player has left and which wait for somebody else: taken over by a person, or in the end by a bot."""

from __future__ import annotations

from functools import partial

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import states
from games.models import Match, Move, Seat
from games.now import now
from games.services import capacity, rows, wanted
from games.services.errors import NotRunning, Refused, StaleMatch
from games.services.leaving import BOT_LEVEL
from games.services.seating import NeedsAccount, OnlyInvited, check_company

TRIES = 5
"""So often somebody else may move at the same moment."""


class NotVacant(Refused):
    """Somebody sits there: another was quicker, or who left came back, or a bot plays on."""

    code = "not_vacant"
    sentence = _("This seat is no longer free.")


class OwnMatch(Refused):
    """Nobody plays two seats of a match, or one after the other."""

    code = "own_match"
    sentence = _("You play in this match, or you have left it: its free seats are for others.")


def take_over(match_id: int, number: int, user: User) -> Move:
    """Seats ``user`` where the player left; the row that tells it. The seat's hand and history are theirs from then on.

    Raises NotRunning, NotVacant, OwnMatch, NeedsAccount for a guest at a
    rated match, NotWanted, TooManyTimeOuts, TooManyMatches, or StaleMatch if others were
    quicker several times; then nothing is written.
    """
    return rows.again_if_stale(partial(_take_over, match_id, number, user), TRIES)


def _take_over(match_id: int, number: int, user: User) -> Move:
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.select_related("user"))
    check(match, seats, number, user)
    with rows.sound(match):
        state = states.load(match, seats)
    seat = seats[number]
    left = seat.left_version
    seat.user, seat.left_version, seat.left_how, seat.vacant_until = user, None, "", None
    if seat.bank is not None and match.clock.at_start is not None:
        seat.bank = max(seat.bank, int(match.clock.at_start.total_seconds()))
    try:
        with rows.sound(match), transaction.atomic():
            capacity.hold(user)
            capacity.check(user)
            news = [{"what": "took_over", "seat": number, "then": "person"}]
            move = rows.append(match, seats, Move.Kind.TAKEOVER, seat=number, by=Move.By.USER, state=state, news=news)
            seat.save(update_fields=["user", "left_version", "left_how", "vacant_until", "bank"])
            match.departures.filter(version=left or 0).update(taken_over=move.number)
    except IntegrityError as doubled:  # the user got another seat of this match at the same moment
        raise StaleMatch from doubled
    return move


def check(match: Match, seats: list[Seat], number: int, user: User | None) -> None:
    """Raises why the seat is not for ``user``: NotRunning, OwnMatch, NotVacant, NeedsAccount, OnlyInvited, NotWanted,
    RatedTogetherTooOften or TwoHands.

    None is who is nobody yet: to be asked also before a guest is made for nothing.
    """
    if match.status != Match.Status.PLAYING:
        raise NotRunning
    played = user is not None and match.departures.filter(user=user).exists()
    if played or any(user is not None and seat.user_id == user.pk for seat in seats):
        raise OwnMatch
    if not 0 <= number < len(seats) or seats[number].vacant_until is None:
        raise NotVacant
    if match.rated and (user is None or user.is_guest):
        raise NeedsAccount
    if user is not None and user.is_bot:
        raise OnlyInvited
    if user is not None:
        check_company(match, user, [seat.user_id for seat in seats if seat.number != number])
    wanted.check(match, user)  # nobody was invited to this seat


def overdue(limit: int) -> list[int]:
    """Seats that have waited long enough for a substitute, those first that have waited longest."""
    due = Seat.objects.filter(vacant_until__lte=now(), match__status=Match.Status.PLAYING).order_by("vacant_until")
    return list(due.values_list("pk", flat=True)[:limit])


def let_bot_in(seat_id: int) -> Move | None:
    """A bot takes a seat that nobody took over in time; its player stays one who left. None if it was taken after all.

    Who is overtaken by a move is repeated by the next sweep.
    """
    found = Seat.objects.filter(pk=seat_id, vacant_until__lte=now(), match__status=Match.Status.PLAYING)
    due = found.select_related("match").first()
    if due is None:
        return None
    match, seats = due.match, list(due.match.seats.select_related("user"))
    seat = seats[due.number]
    seat.bot_level, seat.vacant_until = BOT_LEVEL, None
    news = [{"what": "took_over", "seat": seat.number, "then": "bot"}]
    try:
        with rows.sound(match):
            state = states.load(match, seats)
        with rows.sound(match), transaction.atomic():
            move = rows.append(
                match, seats, Move.Kind.TAKEOVER, seat=seat.number, by=Move.By.SERVER, state=state, news=news
            )
            seat.save(update_fields=["bot_level", "vacant_until"])
    except (StaleMatch, NotRunning):
        return None
    return move
