"""Finished matches in their order, each given once to everything that is kept of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Q

from games.models import Fold, Match
from games.now import now
from games.services.standings import LAG

CHUNK = 100
"""Matches that are taken up at once."""

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def follow(name: str, act: Callable[[list[Match]], object], limit: int = CHUNK, lag: timedelta = LAG) -> int:
    """Gives ``act`` the matches that have ended since the last call of this name, in one transaction; their number.

    Taken up are those that ended ``lag`` ago, so that none appears before one that was given. Whoever follows holds
    the row of the name, so that each match is given once.
    """
    with transaction.atomic():
        fold, _new = Fold.objects.select_for_update().get_or_create(name=name)
        ended = Match.objects.filter(status=Match.Status.FINISHED, finished_at__lte=now() - lag)
        # The first condition is the second's, said so that an index serves it.
        since = fold.at or BEGINNING
        ended = ended.filter(finished_at__gte=since).filter(Q(finished_at__gt=since) | Q(pk__gt=fold.match))
        matches = list(ended.order_by("finished_at", "pk").prefetch_related("seats__user", "departures")[:limit])
        if matches:
            act(matches)
            fold.at, fold.match = matches[-1].finished_at, matches[-1].pk
            fold.save()
    return len(matches)


def again(name: str, forget: Callable[[], object], act: Callable[[list[Match]], object], lag: timedelta = LAG) -> int:
    """Forgets what is kept and gives ``act`` all matches from the first on; their number. Nobody sees it half done."""
    total = 0
    with transaction.atomic():
        Fold.objects.select_for_update().get_or_create(name=name)
        Fold.objects.filter(name=name).update(at=None, match=0)
        forget()
        while done := follow(name, act, lag=lag):
            total += done
    return total
