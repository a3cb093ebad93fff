"""What the results of rated matches say of their players: a fold over them, kept beside."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.ratings import MU, SIGMA, SURE, Skill

OVERALL = "overall"
"""The family of all games together."""


class Rating(models.Model):
    """The skill of a user in one family of games, as it was after the last match."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    family = models.CharField(max_length=40)
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    matches = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()
    sure_until = models.DateTimeField()  # from then on it is provisional, if no match follows

    class Meta:
        constraints = (models.UniqueConstraint("user", "family", name="rating_family"),)
        indexes = (models.Index(fields=["family", "-mu", "user"], name="rating_order"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.family} {self.skill.shown}"

    @property
    def skill(self) -> Skill:
        """The skill as it was after the last match."""
        return Skill(self.mu, self.sigma)


class RatingChange(models.Model):
    """What one match, or its annulment, did to the rating of one player in one family."""

    class Kind(models.TextChoices):
        RESULT = "result", _("result")
        ANNULMENT = "annulment", _("annulment")

    match = models.ForeignKey(Match, models.CASCADE, related_name="rating_changes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rating_changes")
    family = models.CharField(max_length=40)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.RESULT)
    place = models.PositiveSmallIntegerField(null=True)
    expected = models.FloatField(null=True)
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("match", "user", "family", "kind", name="rating_change_once"),)
        indexes = (
            models.Index("user", "family", "at", "id", name="rating_history"),
            models.Index(
                F("user"), F("family"), F("mu_after").desc(), name="rating_best", condition=Q(sigma_after__lte=SURE)
            ),
        )

    def __str__(self) -> str:
        return f"{self.match_id} {self.user_id} {self.family} {self.kind}"

    @property
    def before(self) -> Skill:
        """The skill before it."""
        return Skill(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Skill:
        """The skill after it."""
        return Skill(self.mu_after, self.sigma_after)


class Annulment(models.Model):
    """A rated match that shall not count: what it had moved is taken back by an entry of its own."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="annulment")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    why = models.CharField(max_length=200)
    at = models.DateTimeField()
    rated_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (models.Index("at", name="annulment_due", condition=Q(rated_at=None)),)

    def __str__(self) -> str:
        return f"{self.match_id}: {self.why}"


class Fold(models.Model):
    """How far the results are rated: the last event in the order of the fold. One row, locked by who rates."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField(null=True)
    kind = models.PositiveSmallIntegerField(default=0)
    match = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} up to {self.at} {self.match}"
