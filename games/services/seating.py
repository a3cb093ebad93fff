"""Seats of a match that has not begun: who may take one, and the start once all are taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import engine, live, verify
from games.chance import ENTROPY_BYTES, new_entropy
from games.models import Invitation, Match, Move, Seat, stream
from games.now import now
from games.services import capacity, rows
from games.services.errors import BadRequest, Refused, StaleMatch


class SeatsTaken(Refused):
    """Somebody else took the last seat, or the match does not wait for anybody any more."""

    code = "seats_taken"
    sentence = _("All seats of this match are taken.")


class SeatsKept(SeatsTaken):
    """The seats that are left are kept for people invited by name."""

    code = "seats_kept"
    sentence = _("The seats that are left are kept for people who were invited by name.")


class NoLongerWaiting(SeatsTaken):
    """The match was called off."""

    sentence = _("This match was called off.")


class NeedsAccount(Refused):
    """A rated match is between people who can be found again."""

    code = "needs_account"
    sentence = _("This is a rated match: it needs an account.")


class RatedTogetherTooOften(Refused):
    """The same people have begun so many rated matches within a day that another one would say nothing new."""

    code = "rated_together_too_often"
    sentence = _("You have begun as many rated matches with each other as count in a day. Others need not be rated.")


class TwoHands(Refused):
    """One person would see two hands: their own and that of a bot of theirs."""

    code = "two_hands"
    sentence = _("A bot and whom it belongs to sit at one table only if they are alone there.")


class OnlyInvited(Refused):
    """Bots by API do not come by themselves: who plays with one has chosen it."""

    code = "only_invited"
    status = 403
    sentence = _("A bot plays only where somebody has invited it.")


def opened(match_id: int) -> Match:
    """An open match, locked until the transaction ends. Raises SeatsTaken for one that waits for nobody any more."""
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.status == Match.Status.CANCELLED:
        raise NoLongerWaiting
    if match.status != Match.Status.OPEN:
        raise SeatsTaken
    return match


def free_seats(match: Match, apart_from: User | None = None) -> int:
    """Seats that nobody sits on and that are not kept for somebody else than ``apart_from``."""
    kept = Invitation.objects.waiting(now()).filter(match=match).exclude(to=None)
    if apart_from is not None:
        kept = kept.exclude(to=apart_from)
    return match.seat_count - match.seats.count() - kept.count()


def sit(match: Match, user: User, joined: int, bot_level: str = "", entropy: bytes | None = None) -> Seat:
    """A seat with that number of joining, and bytes of its own for the draws: ``entropy``, or drawn here without.

    Raises BadRequest for bytes of another length.
    """
    own = new_entropy() if entropy is None else entropy
    if len(own) != ENTROPY_BYTES:
        raise BadRequest
    return Seat.objects.create(match=match, user=user, number=joined, joined=joined, bot_level=bot_level, entropy=own)


def seat(match_id: int, user: User, allowed: Callable[[Match], object], entropy: bytes | None = None) -> Match:
    """Seats ``user`` if ``allowed`` (asked with the match locked) does not raise; harmless if already seated.

    Starts the match if it is now full, and returns it as it is then. Raises
    SeatsTaken, NeedsAccount, TooManyTimeOuts, TooManyMatches or what ``allowed`` raises; then nothing is written.
    """
    try:
        with transaction.atomic():
            capacity.hold(user)
            match = opened(match_id)
            allowed(match)
            take(match, user, entropy)
    except (IntegrityError, StaleMatch, SeatsTaken) as refused:
        if not Seat.objects.filter(match=match_id, user=user).exists():
            raise refused if isinstance(refused, SeatsTaken) else SeatsTaken() from None
    return Match.objects.get(pk=match_id)


def take(match: Match, user: User, entropy: bytes | None = None) -> None:
    """Seats ``user``, who is held, at a match that is locked, and starts it if it is full; harmless if already seated.

    Raises SeatsTaken, NeedsAccount for a guest at a rated match, OnlyInvited for a bot that has not accepted an
    invitation, RatedTogetherTooOften, TwoHands, TooManyTimeOuts or TooManyMatches.
    """
    taken = {seat.joined: seat.user_id for seat in match.seats.all()}
    if user.pk in taken.values():
        return
    if match.rated and user.is_guest:
        raise NeedsAccount
    if user.is_bot and not match.invitations.filter(to=user, answer=Invitation.Answer.ACCEPTED).exists():
        raise OnlyInvited
    check_company(match, user, taken.values())
    free = [number for number in range(match.seat_count) if number not in taken]
    if not free:
        raise SeatsTaken
    if free_seats(match, apart_from=user) < 1:
        raise SeatsKept
    capacity.check(user)
    sit(match, user, free[0], entropy=entropy)
    # Whichever way somebody came: who was asked by name and now sits here has accepted.
    asked = match.invitations.filter(to=user, revoked_at=None)
    asked.exclude(answer=Invitation.Answer.ACCEPTED).update(answer=Invitation.Answer.ACCEPTED, answered_at=now())
    changed(match)
    if len(free) == 1:
        start(match)


def check_company(match: Match, user: User, others: Iterable[int]) -> None:
    """Whether ``user`` may play the match with these users. Raises RatedTogetherTooOften or TwoHands."""
    if match.rated:
        began = Match.objects.filter(rated=True, started_at__gt=now() - timedelta(days=1))
        with_me = Seat.objects.filter(match__in=began.filter(seats__user=user)).exclude(match__status="cancelled")
        met = Counter(with_me.filter(user__in=list(others)).values_list("user", flat=True))
        if met and max(met.values()) >= settings.RATED_TOGETHER:
            raise RatedTogetherTooOften
    if match.seat_count > 2:
        sit = User.objects.filter(pk__in=list(others)).values_list("owner", "pk")
        if (user.owner_id or user.pk) in {owner or pk for owner, pk in sit}:
            raise TwoHands


def start(match: Match) -> None:
    """Row 1: numbers the seats at random and deals. Inside a transaction, with every seat taken."""
    seats = list(match.seats.select_related("user").order_by("joined"))
    bank = match.clock.at_start
    order = verify.seat_order(bytes(match.seed), [bytes(seat.entropy) for seat in seats])
    seats = [seats[joined] for joined in order]
    # Out of each other's way first: a number may be had once.
    for shift in (len(seats), 0):
        for number, seat in enumerate(seats):
            seat.number = number + shift
            seat.bank = int(bank.total_seconds()) if bank else None
            seat.save(update_fields=["number", "bank"])
    options = engine.options_from(match.rules, match.options)
    state, news = engine.start(match.rules, options, len(seats), stream(match, seats, 1))
    rows.append(match, seats, Move.Kind.START, seat=None, by=Move.By.SERVER, state=state, news=news)


def changed(match: Match, *others: int | None) -> None:
    """Notes inside the transaction that seats or invitations changed; pages that show them look again after it.

    ``others`` are users beside those seated whose pages may show it.
    """
    Match.objects.filter(pk=match.pk).update(gathered=F("gathered") + 1)
    people = set(match.seats.filter(bot_level="").values_list("user_id", flat=True))
    people.update(user for user in others if user is not None)
    transaction.on_commit(partial(live.announce, match.pk, sorted(people)), robust=True)
