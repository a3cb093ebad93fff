"""The way in: the front page and the one click to a first match."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_POST, require_safe

from games import lists, registry
from games.models import Match
from games.services import limits, lobby
from games.views.cards import match_card
from games.views.visitors import entropy_of, user_or_guest

FIRST_GAME = "red"
"""The game of the first click; its default options are the easiest."""


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What this is, one button, and what is being played."""
    titles = registry.all_titles()
    context = {
        "titles": list(titles.values()),
        "first": titles.get(FIRST_GAME),
        "running": [match_card(match, request.user) for match in lists.running()[:4]],
        "recent": [match_card(match, request.user) for match in lists.recently_finished(4)],
    }
    return render(request, "games/front.html", context)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Where a browser that asks for the traditional name finds the icon."""
    return redirect(static("icons/favicon.svg"))


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """A match against bots, at once, also for somebody who was never here. Raises Http404 for a game there is not."""
    title = registry.all_titles().get(request.POST.get("game", FIRST_GAME))
    if title is None:
        raise Http404
    entropy = entropy_of(request)
    user = user_or_guest(request)
    limits.spend("match", user.pk)
    audience = Match.Audience.LINK if user.is_guest else Match.Audience.PUBLIC
    seats = min(title.game.seat_counts)
    proposal = lobby.Proposal(game=title.slug, seats=seats, bots=seats - 1, audience=audience)
    match = lobby.create(user, proposal, entropy=entropy)
    return redirect(match, permanent=False)
