"""What users are told by which way, as they choose: in general and for single matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from games.models import Choice, Delivery, Match, MatchChoice, Seat
from games.services import notices
from games.services.errors import BadRequest

Cells = Mapping[tuple[str, str], str]
"""Modes of Choice by kind and channel."""


def of(user: User) -> dict[tuple[str, str], str]:
    """The cells in which the user has chosen something else than the defaults."""
    found = Choice.objects.filter(user=user).values_list("kind", "channel", "mode")
    return {(kind, channel): mode for kind, channel, mode in found}


def save(user: User, cells: Cells, **preferences: Any) -> None:
    """Keeps what the form has checked: the cells that differ from the defaults, and fields of the user.

    What waits to be sent by a way that is switched off now is not sent any more. With another ``reminder_share`` the
    reminders of the user's present turns move.
    """
    with transaction.atomic():
        # Written first, so that who saves twice at once waits here for the first.
        User.objects.filter(pk=user.pk).update(**preferences)
        Choice.objects.filter(user=user).delete()
        rows = [Choice(user=user, kind=kind, channel=way, mode=mode) for (kind, way), mode in cells.items()]
        Choice.objects.bulk_create(rows)
        off = [cell for cell, mode in cells.items() if mode == Choice.Mode.OFF]
        if off:
            wanted = Q()
            for kind, way in off:
                wanted |= Q(notice__kind=kind, channel=way)
            _drop(user, wanted, "off")
    if preferences.get("reminder_share", user.reminder_share) != user.reminder_share:
        _remind_anew(user)


def reset(user: User) -> None:
    """All cells are as they are for everybody who has chosen nothing."""
    Choice.objects.filter(user=user).delete()


def choose(match: Match, user: User, mode: str) -> None:
    """How the notices of one match reach the user; "" for as all others do. Muted, none that waits is sent any more.

    That the user plays in the match was settled in ``access.seat_for``. Raises BadRequest for what is no such mode.
    """
    if mode and mode not in MatchChoice.Mode:
        raise BadRequest
    with transaction.atomic():
        if not mode:
            MatchChoice.objects.filter(match=match, user=user).delete()
            return
        MatchChoice.objects.update_or_create(match=match, user=user, defaults={"mode": mode})
        if mode == MatchChoice.Mode.MUTE:
            _drop(user, Q(notice__match=match), MatchChoice.Mode.MUTE)


def _drop(user: User, which: Q, why: str) -> None:
    waiting = Delivery.objects.filter(which, notice__user=user, status=Delivery.Status.WAITING)
    waiting.update(status=Delivery.Status.DROPPED, why=why)


def _remind_anew(user: User) -> None:
    """Sets when the user is reminded of the decisions that wait for them now; of each there is one reminder at most."""
    user = User.objects.get(pk=user.pk)
    for match in _decisions_of(user):
        if match.decision_at is None or match.deadline is None:
            continue
        moment = notices.remind_at(match, user, match.decision_at, match.deadline, match.stopped)
        # Whoever moves meanwhile has set it for the next decision.
        Match.objects.filter(pk=match.pk, version=match.version).update(remind_at=moment)


def _decisions_of(user: User) -> list[Match]:
    seats = Seat.objects.filter(user=user, left_version=None, bot_level="", number=F("match__active_seat"))
    waiting = seats.filter(match__status=Match.Status.PLAYING, match__paused_at=None)
    return [seat.match for seat in waiting.select_related("match")]
