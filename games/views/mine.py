"""A user's own lists: whose turn it is, and what has been played."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from games import lists, registry
from games.models import Seat
from games.services.errors import BadRequest
from games.views.cards import Card, match_card


def _cards(seats: list[Seat], visitor: User) -> list[Card]:
    return [match_card(seat.match, visitor, seat) for seat in seats]


@require_safe
def dashboard(request: HttpRequest) -> HttpResponse:
    """My turns first, the most urgent on top; then what waits for others, what has not begun, what ended last."""
    context: dict[str, object] = {"titles": list(registry.all_titles().values())}
    user = request.user
    if not isinstance(user, AnonymousUser):
        context |= {
            "waiting": _cards(list(lists.my_turns(user)[: lists.MOST]), user),
            "others": _cards(list(lists.waiting_for_others(user)[: lists.MOST]), user),
            "open_matches": _cards(list(lists.not_started(user)[: lists.MOST]), user),
            "stopped": _cards(list(lists.stopped(user)[: lists.MOST]), user),
            "finished": _cards(list(lists.history(user)[:5]), user),
        }
    return render(request, "games/dashboard.html", context)


@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Finished matches, the latest first. Raises BadRequest for a page that no link of ours leads to."""
    user = request.user
    context: dict[str, object] = {"page": [], "next_url": ""}
    if not isinstance(user, AnonymousUser):
        seats = list(lists.history(user, _before(request))[: lists.PAGE + 1])
        context["page"] = _cards(seats[: lists.PAGE], user)
        if len(seats) > lists.PAGE:
            last = seats[lists.PAGE - 1]
            query = urlencode({"before": f"{last.finished_at:%Y-%m-%dT%H:%M:%S.%f%z}", "id": last.pk})
            context["next_url"] = f"{reverse('history')}?{query}"
    return render(request, "games/history.html", context)


def _before(request: HttpRequest) -> tuple[datetime, int] | None:
    """Where a page of the history begins."""
    if "before" not in request.GET:
        return None
    try:
        moment, pk = datetime.fromisoformat(request.GET["before"]), int(request.GET.get("id", ""))
        if moment.tzinfo is None or not 0 <= pk < 2**63:
            raise BadRequest
        return moment.astimezone(UTC), pk
    except (ValueError, OverflowError) as wrong:
        raise BadRequest from wrong
