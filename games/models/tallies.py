"""What finished matches add up to, kept beside them: made by a sweep, and again from nothing at will."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Pace(models.Model):
    """How reliably and how fast a user plays with other people, by the matches that are over.

    ``minutes`` is the median of the last answers, null for few; ``hours`` counts them by the hour of the user's day.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="pace", primary_key=True)
    finished = models.PositiveIntegerField(default=0)
    left = models.PositiveIntegerField(default=0)
    minutes = models.PositiveIntegerField(null=True)
    hours = models.JSONField(default=list)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id}: {self.finished} finished, {self.left} left"


class Statistic(models.Model):
    """What the public matches of one game add up to, as of ``at``; ``facts`` is made by ``games.statistics``."""

    game = models.CharField(max_length=40, primary_key=True)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.game


class Achievement(models.Model):
    """Something that a user has done once, as ``games.achievements`` finds it in the history; ``at`` is when."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="achievements")
    name = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("user", "name", name="achievement_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.name}"
