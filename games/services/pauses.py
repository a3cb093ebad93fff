"""The end of a pause: by anybody who plays, or by itself; the time it took counts for nobody."""

from __future__ import annotations

from math import ceil
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import states
from games.clock import AFTER_PAUSE, LONGEST_PAUSE
from games.models import Match, Move, Seat
from games.now import now
from games.services import clocks, rows
from games.services.errors import NotRunning, Refused, StaleMatch


class NotPaused(Refused):
    """The match is not paused, or not any more."""

    code = "not_paused"
    sentence = _("The match is not paused.")


def resume(match_id: int, seat: int | None, *, version: int) -> Move:
    """Ends the pause, for ``seat`` or because it was long enough. Returns the row.

    The pause counts as stopped in the present decision, of which at least
    AFTER_PAUSE is left. Raises NotRunning, StaleMatch or NotPaused; then
    nothing is written.
    """
    match = rows.running(match_id, version)
    if match.paused_at is None:
        raise NotPaused
    seats = list(match.seats.select_related("user"))
    if seat is not None and not seats[seat].has_player:
        raise NotRunning
    news: list[dict[str, Any]] = [{"what": "resumed", "seat": seat}]
    with rows.sound(match):
        state = states.load(match, seats)
    sets = {"paused_at": None, **_time(match, seats, news)}
    by = Move.By.SERVER if seat is None else Move.By.USER
    with rows.sound(match), transaction.atomic():
        return rows.append(match, seats, Move.Kind.RESUME, seat=seat, by=by, state=state, news=news, sets=sets)


def _time(match: Match, seats: list[Seat], news: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of the present decision after a pause that ends now; adds to the news what was put in."""
    mover = None if match.active_seat is None else seats[match.active_seat]
    if mover is None or not mover.has_player or match.decision_at is None or match.paused_at is None:
        return {}
    credited, moment = clocks.told(), now()
    begun = max(match.paused_at, match.decision_at)
    match.stopped = [*match.stopped, [begun.isoformat(), moment.isoformat()]]
    lacking = ceil((moment + AFTER_PAUSE - clocks.worked_out(match, mover, match.decision_at)).total_seconds())
    if lacking > 0:
        match.granted += lacking
        news.append({"what": "clock", "why": "pause", "seat": mover.number, "seconds": lacking})
    return {
        "stopped": match.stopped,
        "granted": match.granted,
        "deadline": clocks.worked_out(match, mover, match.decision_at),
        "credited_to": credited,
    }


def over(limit: int) -> list[int]:
    """Matches whose pause has lasted long enough."""
    paused = Match.objects.filter(status=Match.Status.PLAYING, paused_at__lte=now() - LONGEST_PAUSE)
    return list(paused.order_by("paused_at").values_list("pk", flat=True)[:limit])


def end(match_id: int) -> Move | None:
    """Ends a pause that has lasted long enough; None if somebody was first."""
    try:
        return resume(match_id, None, version=Match.objects.values_list("version", flat=True).get(pk=match_id))
    except (NotRunning, StaleMatch, NotPaused):
        return None
