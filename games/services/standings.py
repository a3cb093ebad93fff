"""Ratings as a fold: results and annulments in their order, each rated exactly once, and again from nothing at will."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from games import live, ratings
from games.models import OVERALL, Annulment, Fold, Match, Rating, RatingChange, RatingWeek, week_of
from games.now import now
from games.ratings import Skill

LAG = timedelta(seconds=15)
"""Results are rated so long after they came: longer than any transaction lasts, so that none appears before them."""

CHUNK = 200
"""Events that are read or written at once."""

RESULT, ANNULMENT = 0, 1


class Order(NamedTuple):
    """Where an event stands in the order of the fold."""

    at: datetime
    kind: int
    match: int


@dataclass(frozen=True)
class Event:
    """A finished match to be rated, or one whose result is taken back."""

    order: Order
    match: Match


class OutOfOrder(Exception):
    """An event that belongs before what is rated already."""


@dataclass
class Standings:
    """The ratings of some users while events are folded into them."""

    rows: dict[tuple[int, str], Rating] = field(default_factory=dict)

    def skill(self, user: int, family: str, at: datetime) -> Skill:
        """The skill with which a user comes to a match."""
        row = self.rows.get((user, family))
        return Skill() if row is None else row.skill.rested((at - row.last_at) / timedelta(days=1))

    def put(self, user: int, family: str, skill: Skill, at: datetime, matches: int) -> None:
        """The rating after an event."""
        row = self.rows.setdefault((user, family), Rating(user_id=user, family=family))
        row.mu, row.sigma, row.last_at = skill.mu, skill.sigma, at
        row.matches += matches
        row.sure_until = at + timedelta(days=skill.sure_days)


def participants(match: Match) -> list[tuple[int, int]]:
    """The users a match is rated for, with their places; reads seats and departures, prefetched if there are many.

    Who left and was replaced by a person comes after all who sat there at the end, the earliest last.
    """
    seats = list(match.seats.all())
    found = [(seat.user_id, seat.place or match.seat_count) for seat in seats]
    sits = {seat.number: seat.user_id for seat in seats}
    gone = [row for row in match.departures.all() if row.returned_at is None and sits[row.seat] != row.user_id]
    gone.sort(key=lambda row: -row.version)
    return found + [(row.user_id, len(seats) + place) for place, row in enumerate(gone, start=1)]


def families(match: Match) -> tuple[str, str]:
    """The families in which a match counts: its own, and all games together."""
    return match.title.family(match.options), OVERALL


def _rated(standings: Standings, match: Match) -> list[RatingChange]:
    """Folds a result in; what it changed."""
    assert match.finished_at is not None  # noqa: S101 - a finished match
    at, who = match.finished_at, participants(match)
    changes = []
    for family in families(match):
        before = [standings.skill(user, family, at) for user, _place in who]
        after = ratings.rate(before, [place for _user, place in who])
        hoped = ratings.expected(before)
        for (user, place), old, new, mean in zip(who, before, after, hoped, strict=True):
            standings.put(user, family, new, at, matches=1)
            changes.append(_change(match, user, family, RatingChange.Kind.RESULT, old, new, at, place, mean))
    return changes


def _annulled(standings: Standings, match: Match, at: datetime, changes: Iterable[RatingChange]) -> list[RatingChange]:
    """Folds an annulment in: takes back what the result, ``changes``, had moved."""
    entries = []
    for change in changes:
        old = standings.skill(change.user_id, change.family, at)
        new = ratings.undone(old, change.before, change.after)
        standings.put(change.user_id, change.family, new, at, matches=-1)
        entries.append(_change(match, change.user_id, change.family, RatingChange.Kind.ANNULMENT, old, new, at))
    return entries


def _change(
    match: Match,
    user: int,
    family: str,
    kind: RatingChange.Kind,
    before: Skill,
    after: Skill,
    at: datetime,
    place: int | None = None,
    expected: float | None = None,
) -> RatingChange:
    return RatingChange(
        match=match,
        user_id=user,
        family=family,
        kind=kind,
        place=place,
        expected=expected,
        mu_before=before.mu,
        sigma_before=before.sigma,
        mu_after=after.mu,
        sigma_after=after.sigma,
        at=at,
    )


def _events(*, rated: bool | None) -> Iterator[Event]:
    """The events in their order: all of them (None), or those not rated yet (False)."""
    matches = Match.objects.filter(status=Match.Status.FINISHED, rated=True)
    taken_back = Annulment.objects.filter(match__rated=True)
    if rated is False:
        border = now() - LAG
        matches = matches.filter(rated_at=None, finished_at__lte=border)
        taken_back = taken_back.filter(rated_at=None, at__lte=border)
    found = matches.order_by("finished_at", "pk").prefetch_related("seats", "departures")
    results = (Event(Order(m.finished_at, RESULT, m.pk), m) for m in found.iterator(chunk_size=CHUNK) if m.finished_at)
    rows = taken_back.select_related("match").order_by("at", "match")
    backs = (Event(Order(row.at, ANNULMENT, row.match_id), row.match) for row in rows.iterator(chunk_size=CHUNK))
    return heapq.merge(results, backs, key=lambda event: event.order)


def rate_due(limit: int = CHUNK) -> int:
    """Rates what is due, in order and exactly once; the number of events.

    Whoever rates holds the row of the fold. An event that comes before what is rated already makes all be rated again.
    """
    try:
        with transaction.atomic():
            fold, _new = Fold.objects.select_for_update().get_or_create(name="ratings")
            events = list(islice(_events(rated=False), limit))
            if not events:
                return 0
            if fold.at is not None and events[0].order < Order(fold.at, fold.kind, fold.match):
                raise OutOfOrder
            _fold_in(events)
            transaction.on_commit(partial(live.announce_all, [event.match.pk for event in events]), robust=True)
            fold.at, fold.kind, fold.match = events[-1].order
            fold.save()
            return len(events)
    except OutOfOrder:
        return rebuild()


def _fold_in(events: list[Event]) -> None:
    """Rates events and stores what they change."""
    standings = Standings()
    users = {user for event in events for user, _place in participants(event.match)}
    for row in Rating.objects.filter(user__in=users):
        standings.rows[row.user_id, row.family] = row
    back = [event.match.pk for event in events if event.order.kind == ANNULMENT]
    results = RatingChange.objects.filter(match__in=back, kind=RatingChange.Kind.RESULT)
    of_match: dict[int, list[RatingChange]] = {}
    for change in results.order_by("pk"):
        of_match.setdefault(change.match_id, []).append(change)
    changes: list[RatingChange] = []
    for event in events:
        if event.order.kind == RESULT:
            new = of_match[event.match.pk] = _rated(standings, event.match)
        else:
            new = _annulled(standings, event.match, event.order.at, of_match.get(event.match.pk, []))
        changes += new
    _store(standings, changes)
    moment = now()
    # ``gathered`` makes pages that are open fetch themselves anew: they show what became of the ratings.
    Match.objects.filter(pk__in=[event.match.pk for event in events]).update(gathered=F("gathered") + 1)
    Match.objects.filter(pk__in=[e.match.pk for e in events if e.order.kind == RESULT]).update(rated_at=moment)
    Annulment.objects.filter(match__in=back).update(rated_at=moment)


def _store(standings: Standings, changes: list[RatingChange]) -> None:
    RatingChange.objects.bulk_create(changes, batch_size=CHUNK)
    Rating.objects.bulk_create(
        standings.rows.values(),
        batch_size=CHUNK,
        update_conflicts=True,
        unique_fields=["user", "family"],
        update_fields=["mu", "sigma", "matches", "last_at", "sure_until"],
    )
    weeks = {(row.user_id, row.family, week_of(row.at)): row for row in changes}  # of each week its last change
    RatingWeek.objects.bulk_create(
        [
            RatingWeek(user_id=user, family=family, week=week, mu=row.mu_after, sigma=row.sigma_after, at=row.at)
            for (user, family, week), row in weeks.items()
        ],
        batch_size=CHUNK,
        update_conflicts=True,
        unique_fields=["user", "week", "family"],
        update_fields=["mu", "sigma", "at"],
    )


def rebuild() -> int:
    """Rates everything from nothing; the number of events. Nobody sees anything in between."""
    count = 0
    with transaction.atomic():
        fold, _new = Fold.objects.select_for_update().get_or_create(name="ratings")
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        RatingWeek.objects.all().delete()
        fold.at = None
        Match.objects.filter(rated_at__isnull=False).update(rated_at=None)
        Annulment.objects.filter(rated_at__isnull=False).update(rated_at=None)
        events = _events(rated=None)
        while chunk := list(islice(events, CHUNK)):
            _fold_in(chunk)
            fold.at, fold.kind, fold.match = chunk[-1].order
            count += len(chunk)
        fold.save()
    return count


def differences() -> list[str]:
    """Where the stored ratings are not what the results make of them; empty when all is true. Writes nothing."""
    found: list[str] = []
    standings, results = Standings(), dict[int, list[RatingChange]]()
    events = (event for event in _events(rated=None) if _is_rated(event))
    expected = 0
    while chunk := list(islice(events, CHUNK)):
        stored = _stored([event.match.pk for event in chunk])
        for event in chunk:
            if event.order.kind == RESULT:
                new = results[event.match.pk] = _rated(standings, event.match)
            else:
                new = _annulled(standings, event.match, event.order.at, results.get(event.match.pk, []))
            expected += len(new)
            found += [
                f"match {event.match.slug}: {row.kind} of user {row.user_id} in {row.family}"
                for row in new
                if stored.get((row.match_id, row.user_id, row.family, row.kind)) != _facts(row)
            ]
    if (extra := RatingChange.objects.count() - expected) > 0:
        found.append(f"{extra} changes of matches that are not rated")
    kept = {(row.user_id, row.family): row for row in Rating.objects.all()}
    for user, family in sorted({*kept, *standings.rows}):
        one, other = kept.get((user, family)), standings.rows.get((user, family))
        if one is None or other is None or (one.skill, one.matches) != (other.skill, other.matches):
            found.append(f"rating of user {user} in {family}")
    return found


def _is_rated(event: Event) -> bool:
    row = event.match if event.order.kind == RESULT else event.match.annulment
    return row.rated_at is not None


Facts = tuple[int | None, float, float, float, float]


def _facts(row: RatingChange) -> Facts:
    return row.place, row.mu_before, row.sigma_before, row.mu_after, row.sigma_after


def _stored(matches: list[int]) -> dict[tuple[int, int, str, str], Facts]:
    rows = RatingChange.objects.filter(match__in=matches)
    return {(row.match_id, row.user_id, row.family, row.kind): _facts(row) for row in rows}
