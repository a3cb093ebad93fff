"""The rules of each game, in our own words."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import registry
from games.services import reliability


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    """The games, each with its rules, and the rules of the site."""
    context = {
        "titles": list(registry.all_titles().values()),
        "at_once": settings.MATCHES_AT_ONCE,
        "reliability": reliability,
    }
    return render(request, "games/all_rules.html", context)


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game."""
    title = registry.all_titles().get(game)
    if title is None:
        raise Http404
    return render(
        request,
        "games/rules.html",
        {"title": title, "rules_template": [f"{title.slug}/rules.html", "games/no_rules.html"]},
    )
