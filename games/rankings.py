"""What pages read of the rankings and of how ratings went; everything by as many queries for few as for many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from operator import itemgetter

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext

from accounts.models import User
from games import charts, registry
from games.charts import Chart, Point
from games.models import OVERALL, Match, Ranking, RankingRun, Rating, RatingChange, RatingWeek, Seat
from games.now import now
from games.people import Viewer, visible_to
from games.ratings import SCALE, SURE, Skill

PAGE = 50
"""Rows on one page of a ranking."""

NEAR = 12
"""So many are shown above and below oneself."""

MOST = 500
"""As many of those whom one follows are shown."""

RECENT = 100
"""The last changes of a rating are shown one by one; what was before them, week by week."""

YEARS = 5
"""How far back a chart goes."""

Period, Section = Ranking.Period, Ranking.Section


def families() -> dict[str, str]:
    """The families in which this site rates, each with its name in the reader's language; all games together first."""
    found: dict[str, str] = {OVERALL: gettext("All games")}
    for title in registry.all_titles().values():
        found |= {name: gettext(label) for name, label in title.families.items()}
    return found


def spread(skill: Skill) -> int:
    """How far from what is shown a rating may well be: one standard deviation."""
    return round(SCALE * skill.sigma)


def as_of() -> datetime | None:
    """Of when the rankings are; None before the first."""
    return RankingRun.objects.filter(name="rankings").values_list("at", flat=True).first()


def _shown(family: str, period: str, viewer: Viewer) -> QuerySet[Ranking]:
    """What ``viewer`` may see of a ranking, by position. Ranks count those as well who are not shown."""
    found = Ranking.objects.filter(visible_to(viewer, "user__"), family=family, period=period)
    return found.select_related("user").order_by("section", "position")


def rows(family: str, period: str, section: int, viewer: Viewer, after: int | None = None) -> QuerySet[Ranking]:
    """A page of one part of a ranking and one row more, from behind the position ``after``."""
    return _shown(family, period, viewer).filter(section=section, position__gt=after or 0)[: PAGE + 1]


def around(mine: Ranking, viewer: Viewer) -> QuerySet[Ranking]:
    """The row of somebody with those above and below it."""
    found = _shown(mine.family, mine.period, viewer).filter(section=mine.section)
    return found.filter(position__range=(mine.position - NEAR, mine.position + NEAR))


def followed(own: Ranking | None, user: User, family: str, period: str) -> list[Ranking]:
    """The rows of those whom the user follows and may see, and their own, in the order of the ranking."""
    found = list(_shown(family, period, user).filter(user__followed_by__follower=user)[:MOST])
    return sorted([*found, *([own] if own is not None else [])], key=lambda row: (row.section, row.position))


def mine(user: User, family: str, period: str) -> Ranking | None:
    """The row of a user; with ``total``, how many are in the same section."""
    last = Ranking.objects.filter(family=family, period=period, section=OuterRef("section")).order_by("-position")
    found = Ranking.objects.filter(user=user, family=family, period=period).select_related("user")
    return found.annotate(total=Subquery(last.values("position")[:1])).first()


@dataclass(frozen=True)
class Standing:
    """What a profile shows of a user in one family; ``chart`` is None before the second change."""

    family: str
    label: str
    skill: Skill
    provisional: bool
    spread: int
    matches: int
    best: int | None
    rank: int | None
    chart: Chart | None


def profile_ratings(user: User, only: str = "") -> list[Standing]:
    """The ratings of a user in all families that they have played in, all games together first; or in ``only`` one.

    Five queries; on SQLite four, and one a family.
    """
    sure = RatingChange.objects.filter(user=user, family=OuterRef("family"), sigma_after__lte=SURE)
    best = Subquery(sure.order_by("-mu_after").values("mu_after")[:1])
    ratings = Rating.objects.filter(user=user, matches__gt=0).annotate(best=best)
    kept = {rating.family: rating for rating in ratings}
    labels = {family: label for family, label in families().items() if family in kept and only in ("", family)}
    if not labels:
        return []
    moment = now()
    ranked = Ranking.objects.filter(user=user, period=Period.ALL).values_list("family", "rank")
    ranks = dict(ranked)
    lines = _lines(user, labels, moment)
    found = []
    for family, label in labels.items():
        rating = kept[family]
        skill = rating.skill.rested((moment - rating.last_at) / timedelta(days=1))
        found.append(
            Standing(
                family=family,
                label=label,
                skill=skill,
                provisional=skill.provisional,
                spread=spread(skill),
                matches=rating.matches,
                best=None if rating.best is None else Skill(rating.best, SURE).shown,
                rank=ranks.get(family),
                chart=_chart(lines[family], label),
            )
        )
    return found


def _chart(points: Sequence[Point], label: str) -> Chart | None:
    if not points or points[0].at == points[-1].at:
        return None  # no line yet
    values = [point.value for point in points]
    facts = {
        "family": label,
        "first": round(values[0]),
        "last": round(values[-1]),
        "low": round(min(values)),
        "high": round(max(values)),
    }
    # Translators: what a screen reader says of a picture of a rating over time.
    name = gettext("Rating in %(family)s: from %(first)d to %(last)d, between %(low)d and %(high)d") % facts
    return charts.line(points, name)


def _lines(user: User, labels: Iterable[str], moment: datetime) -> dict[str, list[Point]]:
    """How the ratings of a user went in these families, as points in the order of time."""
    old: dict[str, list[tuple[datetime, float, float]]] = {}
    since = (moment - timedelta(days=365 * YEARS)).date()
    weeks = RatingWeek.objects.filter(user=user, week__gte=since).order_by("week")
    for family, at, mu, sigma in weeks.values_list("family", "at", "mu", "sigma"):
        old.setdefault(family, []).append((at, mu, sigma))
    changes = RatingChange.objects.filter(user=user)
    facts = ("family", "at", "pk", "mu_after", "sigma_after", "mu_before", "sigma_before")
    parts = [changes.filter(family=family).order_by("-at", "-pk").values_list(*facts)[:RECENT] for family in labels]
    recent: dict[str, list[tuple[datetime, int, float, float, float, float]]] = {family: [] for family in labels}
    # One query where the database can join such parts; SQLite, which cannot, has no way to go for each.
    joins = connection.features.supports_slicing_ordering_in_compound and len(parts) > 1
    for family, *row in parts[0].union(*parts[1:], all=True) if joins else chain.from_iterable(parts):
        recent[family].append(tuple(row))
    found = {}
    for family, rows in recent.items():
        rows.sort(key=itemgetter(0, 1))
        points = [_point(at, mu, sigma) for at, _pk, mu, sigma, *_before in rows]
        if len(rows) == RECENT:
            points = [_point(*week) for week in old.get(family, ()) if week[0] < rows[0][0]] + points
        elif rows:
            points.insert(0, _point(rows[0][0], *rows[0][4:]))
        found[family] = points
    return found


def _point(at: datetime, mu: float, sigma: float) -> Point:
    skill = Skill(mu, sigma)
    return Point(at, skill.shown, not skill.provisional)


def changes(user: User, family: str, viewer: Viewer, before: tuple[datetime, int] | None) -> QuerySet[RatingChange]:
    """What moved a rating, the latest first, from behind (at, id) ``before``.

    ``open`` is true where ``viewer`` may know the address of the match: it is public, or theirs. Where it is only for
    those with the link, the address is the link.
    """
    own = viewer.pk if viewer is not None and viewer.is_authenticated else None
    sat = Exists(Seat.objects.filter(match=OuterRef("match"), user=own))
    found = RatingChange.objects.filter(user=user, family=family).select_related("match")
    found = found.annotate(open=Q(match__audience=Match.Audience.PUBLIC) | Q(sat))
    if before is not None:
        moment, pk = before
        found = found.filter(Q(at__lt=moment) | Q(at=moment, pk__lt=pk))
    return found.order_by("-at", "-pk")
