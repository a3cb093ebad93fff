"""Deadlines that move although nobody has moved: rests that were not known at the start, and downtime of ours."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from games import states
from games.models import Downtime, Heartbeat, Match, Move, Seat
from games.now import now
from games.services import resting, rows
from games.services.errors import StaleMatch

SILENCE = timedelta(minutes=3)
"""After so long without a heartbeat of the sweep over deadlines nobody has looked after them."""

RETURN = timedelta(hours=1)
"""What at least is left of a turn for who ends a holiday early, if there was so much."""

TRIES = 3


def review(match_id: int, why: str = "", tries: int = TRIES) -> Move | None:
    """Sets the deadline that follows from all that is known of rests and downtime by now; the row that tells it.

    None if it stays, or if no person with a deadline is to move. Without
    ``why`` the row says downtime if some was not credited yet, else that the
    player rests. The deadline comes nearer only for ``why`` "back", and then
    not at once. Whoever is overtaken looks again; raises StaleMatch after
    several times.
    """
    match = Match.objects.filter(pk=match_id, status=Match.Status.PLAYING).exclude(deadline=None).first()
    if match is None or match.active_seat is None or match.decision_at is None or match.deadline is None:
        return None
    seats = list(match.seats.select_related("user"))
    active = seats[match.active_seat]
    deadline = worked_out(match, active, match.decision_at)
    nearest = min(match.deadline, now() + RETURN) if why == "back" else match.deadline
    deadline = max(deadline, nearest)
    seconds = round((deadline - match.deadline).total_seconds())
    if not seconds:
        return None
    if why == "back" and seconds > 0:
        why = "holiday"  # it was over before its beginning was told here
    reason = why or _reason(match, match.decision_at)
    news = [{"what": "clock", "why": reason, "seat": active.number, "seconds": seconds}]
    try:
        state = states.load(match, seats)
        with transaction.atomic():
            sets = {"deadline": deadline}
            return rows.append(
                match, seats, Move.Kind.CLOCK, seat=None, by=Move.By.SERVER, state=state, news=news, sets=sets
            )
    except states.Unreplayable as fault:
        rows.quarantine(match, fault)
        return None
    except StaleMatch:
        if tries == 1:
            raise
        return review(match_id, why, tries - 1)


def worked_out(match: Match, mover: Seat, begun: datetime) -> datetime:
    """The deadline of the decision that began at ``begun``, from all that is known by now."""
    left = None if mover.bank is None else timedelta(seconds=mover.bank)
    rest = resting.since(mover.user, match, begun)
    return match.clock.deadline(begun, left, rest, timedelta(seconds=match.granted))


def told() -> datetime | None:
    """The end of the last downtime, up to which a deadline that is worked out now has been credited."""
    return Downtime.objects.order_by("-ends").values_list("ends", flat=True).first()


def _reason(match: Match, begun: datetime) -> str:
    credited = max(match.credited_to or begun, begun)
    return "downtime" if Downtime.objects.filter(ends__gt=credited).exists() else "holiday"


def note_downtime() -> Downtime | None:
    """Notes that deadlines were not looked after, if the last heartbeat is too old; once, whoever finds it first."""
    moment = now()
    last = Heartbeat.objects.filter(pk="deadlines", at__lt=moment - SILENCE).values_list("at", flat=True).first()
    if last is None:
        return None
    with transaction.atomic():
        # Claimed by the heartbeat: a second sweep finds a fresh one, and a next downtime begins here.
        if not Heartbeat.objects.filter(pk="deadlines", at=last).update(at=moment):
            return None
        return Downtime.objects.create(starts=last, ends=moment)


def uncredited(limit: int) -> list[int]:
    """Running matches that still lack their share of a downtime; notes when there are none left."""
    pending = Downtime.objects.filter(credited=False).order_by("-ends")
    last = pending.values_list("ends", flat=True).first()
    if last is None:
        return []
    found = list(_waiting_for(last).values_list("pk", flat=True)[:limit])
    if not found:
        pending.filter(ends__lte=last).update(credited=True)
    return found


def _waiting_for(ends: datetime) -> QuerySet[Match]:
    playing = Match.objects.filter(status=Match.Status.PLAYING, decision_at__lt=ends).exclude(deadline=None)
    return playing.filter(Q(credited_to=None) | Q(credited_to__lt=ends)).order_by("deadline")


def credit(match_id: int) -> Move | None:
    """Gives a match back what it lost by downtime; the row that tells it, None if there was nothing to give.

    Done twice it does nothing: the deadline follows from when the decision began.
    """
    last = told()
    move = review(match_id, "downtime")
    Match.objects.filter(pk=match_id).update(credited_to=last)
    return move
