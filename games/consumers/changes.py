"""What is new for a user: which of their matches are at another version, and how much waits for them.

Events are hints. They say that a match is at a version, and no more; whoever
wants to know what happened asks for it, by the doors that everybody uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet

from accounts.models import User
from games import lists
from games.models import Match, Move, Seat
from games.now import now
from games.services import notices

OVERLAP = timedelta(seconds=15)
"""A row counts as new for so long before the moment of a cursor: longer than any transaction, so that none is missed
that was being written then. What is told twice does no harm."""

OLDEST = timedelta(days=7)
"""For how long one may have been away and still be told what changed; who was away longer is told everything."""

AHEAD = timedelta(minutes=1)
"""By how much a cursor may be ahead of the clock, as after a change of the database's."""

MOST = 500
"""Matches of one user that are followed, the latest begun."""

GOING_ON = (Match.Status.OPEN, Match.Status.PLAYING, Match.Status.QUARANTINED)

Known = dict[int, tuple[str, int, str]]
"""Slug, version and status by match."""


class BadCursor(ValueError):
    """The text is no cursor of ours."""


@dataclass(frozen=True)
class Event:
    """Something to say: its ``kind`` and numbers; ``cursor`` of the last of several says up to when all is told."""

    kind: str
    data: dict[str, Any]
    cursor: str = ""


def counts(user: User) -> dict[str, int]:
    """How many matches wait for the user, to how many they are invited, and how many notices they have not seen."""
    return {
        "turns": lists.my_turns(user).order_by().count(),
        "asked": lists.invitations(user).order_by().count(),
        "notices": notices.unseen(user).count(),
    }


def cursor_of(moment: datetime) -> str:
    """The cursor of who was told everything up to a moment."""
    return str(int(moment.timestamp() * 1000))


def moment_of(cursor: str) -> datetime:
    """The moment of a cursor. Raises BadCursor."""
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 13):
        raise BadCursor
    return datetime.fromtimestamp(int(cursor) / 1000, UTC)


class Changes:
    """What one user has been told, to find what is new."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.known: Known = {}
        self.counts: dict[str, int] = {}

    def first(self, cursor: str = "") -> list[Event]:
        """How everything stands; with a ``cursor`` only what is new since then. Raises BadCursor.

        Who was away for too long is told to "reset": everything follows, and what does not is over.
        """
        moment = now()
        since = moment_of(cursor) if cursor else None
        if since is not None and since > moment + AHEAD:
            raise BadCursor
        self.known = _known(self._mine())
        told, begins = self.known, list[Event]()
        if since is not None and since < moment - OLDEST:
            begins = [Event("reset", {})]
        elif since is not None:
            told = self._since(since - OVERLAP)
        self.counts = counts(self.user)
        return [*begins, *_events(told), self._last(moment)]

    def more(self) -> list[Event]:
        """What is new since the last time; nothing if nothing is."""
        moment = now()
        found, before = _known(self._mine()), self.known
        changed = {pk: facts for pk, facts in found.items() if before.get(pk) != facts}
        if gone := before.keys() - found.keys():
            left = _known(Seat.objects.filter(user=self.user, match__in=gone))
            # A match at which the user has no seat any more may be hidden from them: it is over as far as they know.
            changed |= {pk: left.get(pk, (before[pk][0], 0, str(Match.Status.CANCELLED))) for pk in gone}
        counted = counts(self.user)
        if not changed and counted == self.counts:
            return []
        self.known, self.counts = found, counted
        return [*_events(changed), self._last(moment)]

    def _mine(self) -> QuerySet[Seat]:
        """The user's seats at matches that go on, also such that they have left."""
        seats = Seat.objects.filter(user=self.user, finished_at=None, match__game__in=lists.known())
        return seats.filter(match__status__in=GOING_ON).order_by("-match")[:MOST]

    def _since(self, moment: datetime) -> Known:
        """Of the matches that go on those with a row since a moment, and those that wait for players: for them there
        are no rows; and the matches that ended since."""
        rows = Move.objects.filter(match__in=list(self.known), number=F("match__version"), at__gte=moment)
        changed = set(rows.values_list("match", flat=True))
        ended = Q(finished_at__gte=moment) | Q(finished_at=None, match__finished_at__gte=moment)
        over = Seat.objects.filter(ended, user=self.user, match__game__in=lists.known()).order_by("-match")[:MOST]
        going = {pk: facts for pk, facts in self.known.items() if pk in changed or facts[1] == 0}
        return going | _known(over)

    def _last(self, moment: datetime) -> Event:
        return Event("counts", dict(self.counts), cursor_of(moment))


def _known(seats: QuerySet[Seat]) -> Known:
    found = seats.values_list("match_id", "match__slug", "match__version", "match__status")
    return {pk: (slug, version, status) for pk, slug, version, status in found}


def _events(told: Known) -> list[Event]:
    return [
        Event("match", {"match": slug, "version": version, "status": status})
        for _pk, (slug, version, status) in sorted(told.items())
    ]
