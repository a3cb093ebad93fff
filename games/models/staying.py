"""Who left a running match, what its players agree on beside the rules, and who was reminded by whom."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match


class Departure(models.Model):
    """A user left a seat of a running match: what counts against them, also when somebody else sits there by now."""

    class How(models.TextChoices):
        RESIGN = "resign", _("gave up")
        TIMEOUT = "timeout", _("ran out of time")

    match = models.ForeignKey(Match, models.CASCADE, related_name="departures")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="departures")
    version = models.PositiveIntegerField()
    how = models.CharField(max_length=10, choices=How.choices)
    at = models.DateTimeField()
    returned_at = models.DateTimeField(null=True)
    taken_over = models.PositiveIntegerField(null=True)  # the row by which somebody else got the seat

    class Meta:
        constraints = (models.UniqueConstraint("match", "version", name="departure_row"),)
        indexes = (models.Index("user", "how", "at", name="departure_of_user"),)

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.how}"


class Consent(models.Model):
    """A seat of a running match wants it paused or called off; it happens once all people at the table want it."""

    class Kind(models.TextChoices):
        PAUSE = "pause", _("pause")
        CANCEL = "cancel", _("call off")

    match = models.ForeignKey(Match, models.CASCADE, related_name="consents")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("match", "kind", "seat", name="consent_seat"),)

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat} {self.kind}"


class Nudge(models.Model):
    """A player asked the one whose turn it is to move; once a day (UTC) in a match."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="nudges")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="nudges")
    version = models.PositiveIntegerField()
    day = models.DateField()
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("match", "by", "day", name="nudge_day"),)

    def __str__(self) -> str:
        return f"{self.match_id} {self.by_id} to {self.to_id}"
