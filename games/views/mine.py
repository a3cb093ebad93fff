"""A user's own list: whose turn it is, what waits, what has ended lately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from accounts.models import User
from games import histories, lists, registry
from games.models import Invitation, Seat
from games.now import now
from games.services import reliability
from games.telling import if_left, option_values
from games.views.cards import Card, match_card
from games.views.open_page import fates, why_off


def _cards(seats: list[Seat], visitor: User, calls: Mapping[int, Iterable[str]] | None = None) -> list[Card]:
    found = calls or {}
    return [match_card(seat.match, visitor, seat, found.get(seat.match_id, ())) for seat in seats]


def _open_cards(user: User) -> list[tuple[Card, list[dict[str, Any]]]]:
    """The matches that have not begun, each with its invitations by name and what became of them."""
    moment, found = now(), []
    for seat in lists.not_started(user)[: lists.MOST]:
        asked = list(seat.match.invitations.all())
        found.append((match_card(seat.match, user, seat), fates(asked, moment, user.pk, made=False)))
    return found


def _fallen_through(seats: list[Seat], user: User) -> list[tuple[Card, str | Promise]]:
    """The matches that lately came to nothing, each with the reason."""
    return [(match_card(seat.match, user), why_off(seat.match, seat.match.seats.all(), user)) for seat in seats]


def _invitation(asked: Invitation) -> dict[str, Any]:
    """An invitation as the dashboard shows it."""
    match = asked.match
    return {
        "invitation": asked,
        "match": match,
        "title": match.title,
        "names": [seat.user.name for seat in match.seats.all()],
        "options": option_values(match),
        "clock": match.clock.sentence(),
        "if_left": if_left(match),
    }


def _limited(user: User) -> str:
    """Why the user can sit at few matches only; "" for who is not limited."""
    until = reliability.limited_until(user)
    return reliability.sentence(user, until) if until else ""


@require_safe
def dashboard(request: HttpRequest) -> HttpResponse:
    """Invitations and my turns, the most urgent on top; then what waits for others or came to nothing, what ended."""
    context: dict[str, object] = {"titles": list(registry.all_titles().values())}
    user = request.user
    if not isinstance(user, AnonymousUser):
        calls = lists.calls(user)
        mine, others, stopped, left, off = lists.together(
            lists.my_turns(user)[: lists.MOST],
            lists.waiting_for_others(user)[: lists.MOST],
            lists.stopped(user)[: lists.MOST],
            lists.left(user)[:10],
            lists.fallen_through(user)[:10],
        )
        context |= {
            "asked": [_invitation(asked) for asked in lists.invitations(user)[: lists.MOST]],
            "waiting": _cards(mine, user, calls),
            "others": _cards(others, user, calls),
            "open_matches": _open_cards(user),
            "off": _fallen_through(off, user),
            "stopped": _cards(stopped, user),
            "left": _cards(left, user),
            "limited": _limited(user),
            "finished": [match_card(one.match, user, one.seat) for one in histories.entries(user, user, number=5)],
        }
    return render(request, "games/dashboard.html", context)
