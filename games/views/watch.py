"""What is being played where everybody may watch."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import lists, registry
from games.views.cards import match_card
from games.views.pages import before_of, behind


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """Running public matches, the last moved first; ``?game=`` shows those of one game, an unknown one is ignored."""
    titles = registry.all_titles()
    game = request.GET.get("game", "")
    game = game if game in titles else ""
    found = list(lists.running(game, before_of(request))[: lists.PAGE + 1])
    page = found[: lists.PAGE]
    more = behind(page[-1].moved_at, page[-1].pk) if len(found) > lists.PAGE else {}
    context = {
        "titles": list(titles.values()),
        "game": game,
        "page": [match_card(match, request.user) for match in page],
        "next_url": f"{reverse('watch')}?{urlencode(more | ({'game': game} if game else {}))}" if more else "",
    }
    return render(request, "games/watch.html", context)
