"""What is read off the ratings and kept ready for pages: who stands where, and how a rating went week by week."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ratings import Skill


def week_of(moment: datetime) -> date:
    """The Monday of the week of a moment, in UTC."""
    day = moment.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


class Ranking(models.Model):
    """Where a user stands in one family and period. Made anew as a whole, see ``services.rankings``; never changed.

    ``position`` is a total order within the section, by which pages go; players of one shown rating share a ``rank``.
    Who is not in the first section has no rank.
    """

    class Period(models.TextChoices):
        ALL = "all", _("All time")
        QUARTER = "quarter", _("This quarter")

    class Section(models.IntegerChoices):
        RANKED = 0, _("Ranked")
        PROVISIONAL = 1, _("Provisional")
        INACTIVE = 2, _("Inactive")

    family = models.CharField(max_length=40)
    period = models.CharField(max_length=10, choices=Period.choices)
    edition = models.PositiveIntegerField()
    section = models.PositiveSmallIntegerField(choices=Section.choices)
    position = models.PositiveIntegerField()
    # Neither an index of its own nor a check in the database: each would cost more than all the rest, and the rows are
    # made of ratings, which have a user.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="rankings", db_index=False, db_constraint=False
    )
    rank = models.PositiveIntegerField(null=True)
    rank_before = models.PositiveIntegerField(null=True)  # at the end of last week; null for who had none then
    shown = models.IntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint("user", "family", "period", "edition", name="ranking_of_user"),)
        indexes = (models.Index("family", "period", "section", "position", name="ranking_order"),)

    def __str__(self) -> str:
        return f"{self.family} {self.period} {self.rank} {self.user_id}"

    @property
    def skill(self) -> Skill:
        """The skill as it was after the last match."""
        return Skill(self.mu, self.sigma)

    @property
    def moved(self) -> int | None:
        """By how many ranks the user has risen since the end of last week; None for who had no rank then, or has none.

        Negative for who has fallen.
        """
        return None if self.rank is None or self.rank_before is None else self.rank_before - self.rank

    @property
    def steps(self) -> int:
        """By how many ranks, up or down."""
        return abs(self.moved or 0)


class RankingRun(models.Model):
    """How the rankings were made last: when, from what, in which week and quarter. One row, locked meanwhile."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField(null=True)
    took = models.FloatField(default=0)  # seconds
    edition = models.PositiveIntegerField(default=0)
    newest = models.PositiveBigIntegerField(default=0)  # the last RatingChange that is in them
    week = models.DateField(null=True)
    quarter = models.DateField(null=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.at}"


class RatingWeek(models.Model):
    """The rating of a user in one family at the end of a week in which it changed: a long history in few rows."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rating_weeks")
    family = models.CharField(max_length=40)
    week = models.DateField()  # its Monday
    mu = models.FloatField()
    sigma = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("user", "week", "family", name="rating_week"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.family} {self.week}"
