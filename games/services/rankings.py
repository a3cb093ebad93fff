"""The rankings: made anew from the ratings as a whole, by the database alone, and exchanged in one transaction."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.db import connection, transaction
from django.db.models import (
    Case,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Floor, Rank, RowNumber

from accounts.models import User
from games.models import Ranking, RankingRun, Rating, RatingChange, week_of
from games.now import now
from games.ratings import CENTRE, MU, SCALE, SURE

COLUMNS = (
    "family", "period", "edition", "section", "position", "user",
    "rank", "rank_before", "shown", "mu", "sigma", "matches",
)  # fmt: skip
"""What a row of a ranking has."""

ANYWAY = timedelta(hours=1)
"""After so long they are made anew also if nothing was rated: time alone makes a rating uncertain."""

SHARE = 20
"""They are not made anew before so many times as long has passed as it took: large ones are made less often."""

SHOWN = Cast(Floor(CENTRE + SCALE * (F("mu") - MU) + 0.5), IntegerField())
"""A rating as ``Skill.shown`` has it."""


def quarter_of(moment: datetime) -> date:
    """The first day of the calendar quarter of a moment, in UTC."""
    day = moment.astimezone(UTC).date()
    return date(day.year, day.month - (day.month - 1) % 3, 1)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _stale(run: RankingRun | None, moment: datetime) -> tuple[int, list[str]]:
    """The newest change of a rating, and the families whose rankings no longer tell the truth."""
    if run is not None and run.at is not None and moment - run.at < timedelta(seconds=SHARE * run.took):
        return run.newest, []
    newest: int = RatingChange.objects.aggregate(newest=Max("pk"))["newest"] or 0
    if run is None or run.at is None or newest < run.newest or moment - run.at >= ANYWAY:
        return newest, _families(Rating.objects.all(), Ranking.objects.all())
    if (run.week, run.quarter) != (week_of(moment), quarter_of(moment)):
        return newest, _families(Rating.objects.all(), Ranking.objects.all())
    if newest == run.newest:
        return newest, []
    return newest, _families(RatingChange.objects.filter(pk__gt=run.newest))


def _families(*rows: QuerySet[Rating] | QuerySet[Ranking] | QuerySet[RatingChange]) -> list[str]:
    return sorted({family for some in rows for family in some.order_by().values_list("family", flat=True).distinct()})


def refresh() -> int:
    """Makes the rankings anew in which anything has changed; the number of families. Doing it again changes nothing."""
    if not _stale(RankingRun.objects.filter(name="rankings").first(), now())[1]:
        return 0
    with transaction.atomic():
        run, _new = RankingRun.objects.select_for_update().get_or_create(name="rankings")
        moment = now()
        newest, families = _stale(run, moment)  # asked again behind the lock: another sweep may have done it
        if not families:
            return 0
        for family in families:
            for period in Ranking.Period:
                _exchange(family, period, run, moment)
        run.at, run.edition, run.newest = moment, run.edition + 1, newest
        run.took = (now() - moment) / timedelta(seconds=1)
        run.week, run.quarter = week_of(moment), quarter_of(moment)
        run.save()
    return len(families)


def _exchange(family: str, period: Ranking.Period, run: RankingRun, moment: datetime) -> None:
    """The new edition of one ranking instead of the old one."""
    _insert(_edition(family, period, run, moment))
    Ranking.objects.filter(family=family, period=period).exclude(edition=run.edition + 1).delete()


def _insert(rows: QuerySet[Rating]) -> None:
    """Stores what a query finds as rankings without fetching it: there may be hundreds of thousands."""
    sql, params = rows.values_list(*COLUMNS).query.sql_with_params()
    attributes = {field.name: field for field in Ranking._meta.concrete_fields}
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(attributes[name].column)) for name in COLUMNS)
    into = f"INSERT INTO {quote(Ranking._meta.db_table)} ({columns})"
    with connection.cursor() as cursor:
        cursor.execute(f"{into} {sql}", params)


def _edition(family: str, period: Ranking.Period, run: RankingRun, moment: datetime) -> QuerySet[Rating]:
    """The rows of the next edition, by column."""
    who = Rating.objects.filter(family=family, matches__gt=0, user__kind=User.Kind.PERSON, user__is_active=True)
    if period == Ranking.Period.QUARTER:
        since = _midnight(quarter_of(moment))
        played = RatingChange.objects.filter(user=OuterRef("user"), family=family, at__gte=since)
        played = played.filter(kind=RatingChange.Kind.RESULT, match__annulment=None)
        who = who.filter(Exists(played), last_at__gte=since)
    ranked = Ranking.Section.RANKED
    place = Window(Rank(), partition_by=F("section"), order_by=F("shown").desc())
    return who.annotate(
        period=Value(period.value),
        edition=Value(run.edition + 1),
        shown=SHOWN,
        section=Case(
            When(sure_until__gt=moment, then=Value(ranked.value)),
            When(sigma__gt=SURE, then=Value(Ranking.Section.PROVISIONAL.value)),
            default=Value(Ranking.Section.INACTIVE.value),
        ),
        position=Window(RowNumber(), partition_by=F("section"), order_by=(F("mu").desc(), F("user"))),
        rank=Case(When(section=ranked, then=place), output_field=IntegerField()),
        rank_before=_rank_before(family, period, run, moment),
    ).order_by()


def _rank_before(family: str, period: Ranking.Period, run: RankingRun, moment: datetime) -> Subquery | Value:
    """The rank at the end of last week: in a new week that of the last edition, then it is handed on."""
    if run.week is None or (period == Ranking.Period.QUARTER and run.quarter != quarter_of(moment)):
        return Value(None, output_field=IntegerField())
    old = Ranking.objects.filter(user=OuterRef("user"), family=family, period=period)
    return Subquery(old.values("rank_before" if run.week == week_of(moment) else "rank")[:1])
