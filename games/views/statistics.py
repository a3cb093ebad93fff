"""What the public matches of a game add up to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games import registry, statistics
from games.models import Statistic
from games.telling import values_of
from games.titles import Title
from games.wording import mark as _

ENDED = {"resign": _("somebody gave up"), "timeout": _("somebody's time ran out")}
"""How matches end because somebody left; the other ways are told by the title."""


@require_safe
def game_statistics(request: HttpRequest, game: str) -> HttpResponse:
    """The statistics of one game, from one row that a sweep keeps."""
    titles = registry.all_titles()
    title = titles.get(game)
    if title is None:
        raise Http404
    row = Statistic.objects.filter(game=game).first()
    context: dict[str, Any] = {"title": title, "titles": list(titles.values())}
    if row is not None:
        facts, matches = row.facts, row.facts["matches"]
        context |= {
            "as_of": row.at,
            "matches": matches,
            "moves": statistics.middle(facts.get("moves", {})),
            "days": statistics.middle(facts.get("days", {})),
            "starters": statistics.starters(facts),
            "endings": _shares(facts, "endings", lambda reason: _ending(title, reason), matches),
            "variants": _shares(facts, "variants", lambda text: _variant(title, text), matches),
            "drawn": statistics.drawn(title, facts),
            "places": statistics.places(facts),
        }
    return render(request, "games/statistics.html", context)


def _shares(facts: statistics.Facts, what: str, told: Callable[[str], str], total: int) -> list[tuple[str, int, float]]:
    """What is counted, in words, with number and per cent, the most frequent first."""
    counts = sorted(facts.get(what, {}).items(), key=lambda item: (-item[1], item[0]))
    return [(told(value), number, 100 * number / total) for value, number in counts]


def _ending(title: Title, reason: str) -> str:
    ways: dict[str, str] = {**getattr(title.words, "ENDINGS", {}), **ENDED}
    return gettext(ways[reason]) if reason in ways else reason or gettext("otherwise")


def _variant(title: Title, text: str) -> str:
    return " · ".join(f"{label}: {value}" for label, value in values_of(title.game, json.loads(text)))
