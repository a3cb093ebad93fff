"""The statistics of each game, kept up to date with every public match that ends."""

from __future__ import annotations

from collections import defaultdict

from games import registry, statistics
from games.models import Match, Move, Statistic
from games.now import now
from games.services import tallies


def update() -> int:
    """Takes up the matches that have ended since the last time; their number."""
    return tallies.follow("statistics", _take)


def rebuild() -> int:
    """Makes all rows anew; the number of matches."""
    return tallies.again("statistics", Statistic.objects.all().delete, _take)


def _take(matches: list[Match]) -> None:
    counted = [match for match in matches if match.audience == Match.Audience.PUBLIC]
    counted = [match for match in counted if match.game in registry.all_titles()]
    logs: dict[int, list[statistics.Row]] = defaultdict(list)
    moves = Move.objects.filter(match__in=counted).order_by("match", "number")
    for match_id, kind, seat, news in moves.values_list("match", "kind", "seat", "news"):
        logs[match_id].append((kind, seat, news))
    kept = {row.game: row for row in Statistic.objects.filter(game__in={match.game for match in counted})}
    for match in counted:
        row = kept.setdefault(match.game, Statistic(game=match.game))
        statistics.add(row.facts, match, logs[match.pk])
    moment = now()
    for row in kept.values():
        row.at = moment
        row.save()
