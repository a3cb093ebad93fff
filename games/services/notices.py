"""What is told to whom: rows written together with what they tell, and marked when they were seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import User
from games import live
from games.clock import IDLE_NOTICE
from games.models import Consent, Invitation, Match, MatchChoice, Move, Notice, Nudge, Seat
from games.now import now

KEPT_FOR = timedelta(days=90)

LEAST_LEFT = timedelta(hours=2)
"""A reminder comes at least so long before the end, if the turn has so much."""

AT_THE_TABLE = (
    Move.Kind.RESIGN,
    Move.Kind.TIMEOUT,
    Move.Kind.TAKEOVER,
    Move.Kind.RETURN,
    Move.Kind.CANCEL,
    Move.Kind.PAUSE,
    Move.Kind.RESUME,
)
"""Rows that the others at the table are told of, beside moves."""

NOT_COUNTED = (Notice.Kind.TURN, Notice.Kind.DIGEST)
"""Notices that the bell does not count: turns are counted by the badge, and a mail tells of what was counted."""


def tell(user_id: int, kind: Notice.Kind, key: str, match: Match | None = None, **facts: Any) -> Notice:
    """A notice for one user that is not about a row of a match; to be stored by ``store``.

    ``facts`` may have ``version``.
    """
    version = facts.pop("version", None)
    return Notice(user_id=user_id, kind=kind, key=key, match=match, version=version, facts=facts, at=now())


def store(notices: Iterable[Notice], *, announced: bool = False) -> None:
    """Writes notices inside the transaction of what they tell; one with a key that its user has had is passed over.

    Open pages of their users look again after it, unless the caller has ``announced`` it to them anyway.
    """
    found = list(notices)
    Notice.objects.bulk_create(found, ignore_conflicts=True)
    if found and not announced:
        _look_again({notice.user_id for notice in found})


def _look_again(users: Iterable[int]) -> None:
    transaction.on_commit(partial(live.tell, sorted(users)), robust=True)


def of_row(match: Match, seats: list[Seat], move: Move, facts: dict[str, Any]) -> list[Notice]:
    """What a new row is to be told to whom; ``facts`` are the match's columns as they are after it.

    Whose turn begins is told so, unless it goes on for who has just moved by hand. How somebody left or came back, or
    what was agreed, is told to the others. The end is told to all who did not bring it about.
    """
    people = [seat for seat in seats if not seat.user.is_bot and seat.left_version in (None, move.number)]
    own = move.seat if move.by == Move.By.USER else None
    found = []
    if facts["status"] in (Match.Status.FINISHED, Match.Status.CANCELLED):
        for seat in people:
            if seat.number != own:
                found.append(_row(Notice.Kind.ENDED, "ended", match, seat, move))
        return found
    if move.kind in AT_THE_TABLE:
        event = f"table:{move.number}"
        found += [_row(Notice.Kind.TABLE, event, match, seat, move) for seat in people if seat.number != own]
    if facts.get("since_version") == move.number:
        active = facts["active_seat"]
        found += [
            _row(Notice.Kind.TURN, f"turn:{move.number}", match, seat, move)
            for seat in people
            if seat.number == active and seat.number != own and seat.has_player
        ]
    return found


def _row(kind: Notice.Kind, event: str, match: Match, seat: Seat, move: Move) -> Notice:
    name, _colon, number = event.partition(":")
    key = f"{name}:{match.pk}:{number}" if number else f"{name}:{match.pk}"
    return Notice(user_id=seat.user_id, kind=kind, key=key, match=match, version=move.number, at=move.at)


def invited(invitation: Invitation) -> Notice:
    """The notice of an invitation by name."""
    if invitation.to_id is None:
        raise ValueError("an invitation by link is nobody's")
    return tell(invitation.to_id, Notice.Kind.INVITED, f"invited:{invitation.pk}", invitation.match)


def nudged(nudge: Nudge, seat: int) -> Notice:
    """The notice of who was asked to move, by ``seat``."""
    key = f"nudge:{nudge.pk}"
    return tell(
        nudge.to_id, Notice.Kind.NUDGE, key, nudge.match, version=nudge.version, seat=seat, after=nudge.match.version
    )


def proposed(match: Match, consent: Consent, others: Iterable[Seat]) -> list[Notice]:
    """What the others are told of a proposal, of which ``consent`` is the first."""
    facts = {"proposed": str(consent.kind), "seat": consent.seat, "after": match.version}
    return [tell(seat.user_id, Notice.Kind.TABLE, f"proposed:{consent.pk}", match, **facts) for seat in others]


def unseen(user: User) -> QuerySet[Notice]:
    """What the bell counts: notices not seen yet, but for turns, which the badge counts."""
    return Notice.objects.filter(user=user, seen_at=None).exclude(kind__in=NOT_COUNTED)


@dataclass(frozen=True)
class Standing:
    """How a user stands to the notices of one match: how they want them, and how many of others the bell counts."""

    new: bool  # whether something of this match is not seen yet
    others: int
    mode: str  # of MatchChoice, "" if they come as all others do


def standing(user: User, match: Match) -> Standing:
    """How things stand, by one query."""
    others = unseen(user).exclude(match=match).order_by().values("user").annotate(total=Count("pk")).values("total")
    mode = MatchChoice.objects.filter(user=user, match=match).values("mode")
    found = User.objects.filter(pk=user.pk).values_list(
        Exists(Notice.objects.filter(user=OuterRef("pk"), match=match, seen_at=None)),
        Coalesce(Subquery(others), 0),
        Coalesce(Subquery(mode), Value("")),
    )
    return Standing(*found.get())


def saw_match(user: User, match: Match) -> None:
    """The user has the match before their eyes as it was when it was read: what was told of it until then is seen.

    Not what a rival's row has told since: the page does not show it.
    """
    told = Notice.objects.filter(Q(version=None) | Q(version__lte=match.version), user=user, match=match)
    if told.filter(seen_at=None).update(seen_at=now()):
        _look_again([user.pk])


def saw_list(user: User, shown: Iterable[Notice]) -> None:
    """The user has these notices before their eyes, in the list. Writes only if one was not seen yet."""
    new = [notice.pk for notice in shown if notice.seen_at is None]
    if new and Notice.objects.filter(user=user, pk__in=new, seen_at=None).update(seen_at=now()):
        _look_again([user.pk])


def remind_at(
    match: Match, user: User, start: datetime, deadline: datetime, stopped: Iterable[Sequence[str]]
) -> datetime | None:
    """When a user is reminded of a decision that began at ``start``; None for one too short for that.

    When the share that the user has chosen is left of the whole time, at least LEAST_LEFT before its end; without a
    clock IDLE_NOTICE before it. The pauses within the decision, ``stopped`` as the match keeps them, are no part of it.
    """
    for begin, end in stopped:
        start += datetime.fromisoformat(end) - datetime.fromisoformat(begin)
    before = max((deadline - start) * user.reminder_share / 100, LEAST_LEFT)
    moment = deadline - (IDLE_NOTICE if match.clock.none else before)
    return moment if moment > start else None


def remind(match_id: int) -> bool:
    """Reminds the mover of a match of the deadline; whether there was anybody to remind. Once for every decision."""
    moment = now()
    match = Match.objects.filter(pk=match_id, status=Match.Status.PLAYING, remind_at__lte=moment).first()
    if match is None or match.active_seat is None:
        return False
    seat = match.seats.filter(number=match.active_seat, left_version=None, bot_level="").first()
    with transaction.atomic():
        # Claimed by what was read: who moved meanwhile is reminded of nothing.
        claimed = Match.objects.filter(pk=match.pk, version=match.version, remind_at=match.remind_at)
        if not claimed.update(remind_at=None) or seat is None:
            return False
        key = f"reminder:{match.pk}:{match.since_version}"
        store([tell(seat.user_id, Notice.Kind.REMINDER, key, match, version=match.since_version)])
    return True


def forget() -> int:
    """Deletes old notices with their deliveries; how many."""
    old = Notice.objects.filter(at__lt=now() - KEPT_FOR)
    return old.delete()[1].get("games.Notice", 0)
