"""How reliably and how fast people play, kept up to date with every match that ends."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from statistics import median

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from accounts.zones import find
from games.models import Departure, Match, Move, Pace, Seat
from games.now import now
from games.services import tallies

ANSWERS = 200
"""So many of the last answers count."""

MATCHES = 30
"""In so many of the last matches they are looked for."""

FEWEST = 10
"""With fewer answers nothing is said of the pace."""


def update() -> int:
    """Takes up the matches that have ended since the last time; their number."""
    return tallies.follow("pace", _take)


def rebuild() -> int:
    """Makes all rows anew; the number of matches."""
    return tallies.again("pace", Pace.objects.all().delete, _take)


def _take(matches: list[Match]) -> None:
    seated = {seat.user_id for match in matches for seat in match.seats.all() if not seat.user.is_bot}
    users = User.objects.filter(pk__in=seated | {row.user_id for match in matches for row in match.departures.all()})
    moment = now()
    rows = [_measured(user, moment) for user in users.exclude(kind=User.Kind.BOT)]
    fields = ["finished", "left", "minutes", "hours", "at"]
    Pace.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user"], update_fields=fields)


def _measured(user: User, moment: datetime) -> Pace:
    """The row of a user as it should be now."""
    seats = Seat.objects.filter(user=user, finished_at__isnull=False, left_version=None)
    seats = seats.filter(_with_people(user, User.Kind.PERSON))  # a guest of one's own would finish any number with one
    gone = Departure.objects.filter(user=user, returned_at=None).filter(
        _with_people(user, User.Kind.PERSON, User.Kind.GUEST)
    )
    latest = seats.order_by("-finished_at", "-match_id").values_list("match", "number")[:MATCHES]
    found = sorted(answers(dict(latest)))[-ANSWERS:]
    zone, hours = find(user.zone), [0] * 24
    for at, _minutes in found:
        hours[at.astimezone(zone).hour if zone else at.hour] += 1
    usual = round(median(minutes for _at, minutes in found)) if len(found) >= FEWEST else None
    return Pace(user=user, finished=seats.count(), left=gone.count(), minutes=usual, hours=hours, at=moment)


def _with_people(user: User, *kinds: str) -> Exists:
    """That somebody else of these kinds sits at the match of a row."""
    others = Seat.objects.filter(match=OuterRef("match"), user__kind__in=kinds).exclude(user=user)
    return Exists(others.order_by())


Row = tuple[int, str, int | None, str, datetime]


def answers(seats: dict[int, int]) -> Iterable[tuple[datetime, float]]:
    """When each answer of these seats (by match) came, and after how many minutes; by one query.

    An answer is a move by hand after somebody else's row. What was played before a seat was taken over is not its
    player's.
    """
    logs: dict[int, list[Row]] = defaultdict(list)
    for match, number, kind, seat, by, at in _rows(seats):
        logs[match].append((number, kind, seat, by, at))
    for match, rows in logs.items():
        own = seats[match]
        begins = max((n for n, kind, seat, by, _at in rows if _seats_a_person(kind, by) and seat == own), default=0)
        for before, (number, kind, seat, by, at) in itertools.pairwise(rows):
            if number > begins and (kind, seat, by) == (Move.Kind.PLAY, own, Move.By.USER) and before[2] != own:
                yield at, (at - before[4]).total_seconds() / 60


def _seats_a_person(kind: str, by: str) -> bool:
    return kind == Move.Kind.TAKEOVER and by == Move.By.USER


def _rows(matches: Collection[int]) -> QuerySet[Move, tuple[int, int, str, int | None, str, datetime]]:
    rows = Move.objects.filter(match__in=list(matches)).order_by("match", "number")
    return rows.values_list("match", "number", "kind", "seat", "by", "at")
