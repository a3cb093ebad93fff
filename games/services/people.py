"""People as players: guests who come along into an account or never come back, and sessions that end."""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.account.signals import email_changed, password_changed, password_reset, password_set
from django.contrib.auth.hashers import make_password
from django.contrib.auth.signals import user_logged_out
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import ngettext

from accounts.models import Holiday, User
from accounts.signals import guest_came_along, sessions_ended, token_ended
from games import live
from games.models import Departure, Device, Favourite, Invitation, Match, MatchChoice, Notice, Nudge, Seat
from games.now import now
from games.services import devices, feeds, leaving, seating, webhooks
from games.services.errors import NotRunning, StaleMatch

log = logging.getLogger(__name__)

FORGOTTEN_AFTER = timedelta(days=30)
"""A guest who has not been seen for so long, and whom nobody else plays with, is forgotten."""

SEEN_EVERY = timedelta(minutes=2)
"""How exactly ``seen_at`` is kept; a write with every page would cost more than it tells. Who is here is not mailed."""

LONG_AGO = timedelta(hours=1)
"""Who comes back after so long has a session that lasts on from now."""

MOVED: tuple[tuple[Any, str], ...] = (
    (Match, "created_by"),
    (Invitation, "created_by"),
    (Holiday, "user"),
    (Departure, "user"),
    (Nudge, "to"),
    (Device, "user"),
)
"""What else belongs to a guest and goes along: tables and columns."""


def was_here(user: User) -> bool:
    """Notes that the user was seen, at most once in SEEN_EVERY; whether the last time was LONG_AGO.

    Once more if a mail with all that waits has left since: the next one waits for who comes back after it.
    """
    moment = timezone.now()
    mailed = user.mailed_at is not None and user.seen_at <= user.mailed_at
    if mailed or user.seen_at < moment - SEEN_EVERY:
        User.objects.filter(pk=user.pk).update(seen_at=now())
    return user.seen_at < moment - LONG_AGO


def forget_guests(limit: int = 200) -> int:
    """Deletes guests long unseen, with their matches against bots; the number of guests deleted.

    A guest who sits with another person stays: the match is theirs as well. So does who left a match to them, or
    took over the seat of somebody.
    """
    with_people = Seat.objects.filter(match__seats__user=OuterRef("pk")).exclude(user=OuterRef("pk"))
    with_people = with_people.exclude(user__kind=User.Kind.BOT)
    unused = User.objects.filter(kind=User.Kind.GUEST, seen_at__lt=now() - FORGOTTEN_AFTER)
    left_to_people = Departure.objects.filter(user=OuterRef("pk")).exclude(match__seats__user=OuterRef("pk"))
    took_over = Departure.objects.filter(match__seats__user=OuterRef("pk")).exclude(user=OuterRef("pk"))
    unused = unused.exclude(Exists(with_people) | Exists(left_to_people) | Exists(took_over))
    forgotten = 0
    for guest in list(unused.values_list("pk", flat=True)[:limit]):
        with transaction.atomic():
            # Looked at again behind the lock: the guest may be back, or a friend may have sat down.
            if User.objects.select_for_update().filter(pk=guest, pk__in=unused.values("pk")).exists():
                Match.objects.filter(seats__user=guest).delete()
                forgotten += bool(User.objects.filter(pk=guest).delete()[0])
    return forgotten


def merge(guest_id: int, user_id: int, tries: int = 3) -> int:
    """The guest's matches become the user's; how many. Harmless if it is done already.

    Where both sit at one match, the guest's seat is freed before the start
    and given up after it: nobody plays two seats. The guest is deleted if
    nothing is left, else kept without a way to log in.
    """
    try:
        with transaction.atomic():
            # Who comes second finds nobody, and waits here for who came first.
            if not User.objects.filter(pk=guest_id, kind=User.Kind.GUEST, is_active=True).update(is_active=False):
                return 0
            moved, doubled = _move(guest_id, user_id)
    except IntegrityError:  # the user sat down at one of the matches meanwhile
        if tries == 1:
            raise
        return merge(guest_id, user_id, tries - 1)
    for seat in doubled:
        _give_up(seat)
    return moved


def _move(guest_id: int, user_id: int) -> tuple[int, list[Seat]]:
    """Moves what may be moved; the number of matches, and the guest's seats at running matches of the user."""
    mine, asked = Seat.objects.filter(user=guest_id), Invitation.objects.filter(to=guest_id, revoked_at=None)
    both = list(Seat.objects.filter(user=user_id).values_list("match", flat=True))
    # Held until the end of the transaction, so that none of them starts without the seat that is freed here, and
    # nobody is invited meanwhile to where the invitation of the guest goes.
    waits = Q(pk__in=mine.filter(match__in=both).values("match")) | Q(pk__in=asked.values("match"))
    gathering = list(Match.objects.select_for_update().filter(waits, status=Match.Status.OPEN).order_by("pk"))
    mine.filter(match__in=[match for match in gathering if match.pk in both]).delete()
    invited = _move_invitations(asked, both, user_id)
    for match in gathering:
        seating.changed(match, user_id)
    matches = list(mine.exclude(match__in=both).values_list("match", flat=True))
    mine.filter(match__in=matches).update(user=user_id)
    # Asked once a day is asked once a day, whoever did it.
    Nudge.objects.filter(by=guest_id, match__in=matches).exclude(match__nudges__by=user_id).update(by=user_id)
    kept = Invitation.objects.waiting(now()).filter(to=user_id, match__in=matches)
    kept.update(answer=Invitation.Answer.ACCEPTED, answered_at=now())  # the seat that was kept is taken by now
    _move_notices(guest_id, user_id, matches, invited)
    own = MatchChoice.objects.filter(user=user_id, match__in=matches).values("match")
    MatchChoice.objects.filter(user=guest_id, match__in=matches).exclude(match__in=own).update(user=user_id)
    liked = Favourite.objects.filter(user=user_id).values("match")
    Favourite.objects.filter(user=guest_id).exclude(match__in=liked).update(user=user_id)
    Favourite.objects.filter(user=guest_id).delete()
    for model, field in MOVED:
        model.objects.filter(**{field: guest_id}).update(**{field: user_id})
    left = list(mine.filter(match__status=Match.Status.PLAYING, left_version=None))
    if mine.exists():
        guest = User.objects.get(pk=guest_id)
        User.objects.filter(pk=guest_id).update(
            username=f"guest-{guest.mark}", skeleton=None, claimed_at=None, password=make_password(None)
        )
    else:
        User.objects.filter(pk=guest_id).delete()
    for pk in matches:
        transaction.on_commit(partial(live.announce, pk, [user_id]), robust=True)
    transaction.on_commit(partial(live.recheck, guest_id), robust=True)
    return len(matches), left


def _move_notices(guest_id: int, user_id: int, matches: list[int], invited: list[int]) -> None:
    """What the guest was told of these matches and invitations, the user was told.

    But once: both may have heard of the same row, if the user was at the match as well and has left it since.
    """
    told = Q(match__in=matches) | Q(key__in=[f"invited:{pk}" for pk in invited])
    known = Notice.objects.filter(user=user_id).values("key")
    Notice.objects.filter(told, user=guest_id).exclude(key__in=known).update(user=user_id)


def _move_invitations(asked: QuerySet[Invitation], sits: list[int], user_id: int) -> list[int]:
    """What the guest was asked is now the user's to answer; not twice, and not where the user sits already.

    Gives the invitations that are the user's now.
    """
    own = list(Invitation.objects.filter(to=user_id, revoked_at=None).values_list("match", flat=True))
    asked.filter(match__in=[*own, *sits], answer="").update(revoked_at=now())  # and keeps no seat any more
    moving = list(asked.exclude(match__in=[*own, *sits]).values_list("pk", flat=True))
    Invitation.objects.filter(pk__in=moving).update(to=user_id)
    return moving


def _give_up(seat: Seat, tries: int = 5) -> None:
    """Leaves the match with this seat, whatever others do at the same time."""
    version = Match.objects.values_list("version", flat=True).get(pk=seat.match_id)
    try:
        leaving.resign(seat.match_id, seat.number, version=version)
    except StaleMatch:
        if tries > 1:
            _give_up(seat, tries - 1)
        else:
            log.error("seat %s of a merged guest was not given up", seat)
    except NotRunning:
        return


def _came_along(sender: object, guest: User, user: User, **_more: object) -> str:
    """What is said to a user whose browser had a guest."""
    moved = merge(guest.pk, user.pk)
    if not moved:
        return ""
    said = ngettext(
        "%(total)d match that you began in this browser is yours now.",
        "%(total)d matches that you began in this browser are yours now.",
        moved,
    )
    return said % {"total": moved}


def _logged_out(sender: object, request: HttpRequest | None, user: User | None, **_facts: object) -> None:
    """The browser takes no pushes any more, and its sockets close at once, not only when they next look."""
    if user is not None:
        devices.log_out(user, request.session if request is not None else {})
        live.recheck(user.pk)


def _sessions_ended(sender: object, user: User, kept: list[dict[str, Any]], **_facts: object) -> None:
    """The same for browsers that were logged out from another one."""
    for session in kept:
        devices.log_out(user, session)
    live.recheck(user.pk)


def _token_ended(sender: object, user: User, **_facts: object) -> None:
    """What a program listens to by the token closes."""
    live.recheck(user.pk)


def _password_changed(sender: object, request: HttpRequest, user: User, **_facts: object) -> None:
    """A new password logs out all other browsers; what they may have added or copied tells nothing any more."""
    devices.log_out_others(user, request.session)
    webhooks.switch_all_off(user)
    feeds.take_away(user)
    live.recheck(user.pk)


def _address_changed(sender: object, user: User, from_email_address: object, **_facts: object) -> None:
    """So does another address, but for the first one: somebody has just signed up."""
    if from_email_address is not None:
        webhooks.switch_all_off(user)
        feeds.take_away(user)
        live.recheck(user.pk)


guest_came_along.connect(_came_along, dispatch_uid="games.came_along")
user_logged_out.connect(_logged_out, dispatch_uid="games.logged_out")
sessions_ended.connect(_sessions_ended, dispatch_uid="games.sessions_ended")
token_ended.connect(_token_ended, dispatch_uid="games.token_ended")
for changed in (password_changed, password_set, password_reset):
    changed.connect(_password_changed, dispatch_uid="games.password_changed")
email_changed.connect(_address_changed, dispatch_uid="games.address_changed")
