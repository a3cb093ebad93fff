"""Whether work is being done: red when sweeps stand still or a decision is overdue."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Heartbeat, Match
from games.now import now
from games.services import clocks

OVERDUE = timedelta(minutes=1)
"""How long a decision may be overdue before somebody should look."""

SILENCE = {
    "bots": timedelta(minutes=3),
    "deadlines": clocks.SILENCE,
    "ratings": timedelta(minutes=5),
    "open_tables": timedelta(minutes=15),
}
"""The oldest heartbeat of each sweep that still counts as alive."""


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 with ``ok`` true, or 503 with what is wrong: heartbeat ages and counts, nothing about anybody."""
    moment = now()
    beats = dict(Heartbeat.objects.values_list("sweep", "at"))
    silent = [sweep for sweep, most in SILENCE.items() if sweep not in beats or beats[sweep] < moment - most]
    playing = Match.objects.filter(status=Match.Status.PLAYING)
    overdue = playing.filter(deadline__lt=moment - OVERDUE).count()
    idle_bots = playing.filter(active_bot=True, moved_at__lt=moment - OVERDUE).count()
    ok = not silent and not overdue and not idle_bots
    body = {"ok": ok, "silent_sweeps": silent, "overdue_decisions": overdue, "idle_bots": idle_bots}
    return JsonResponse(body, status=200 if ok else 503)
