"""Records of matches that were played elsewhere, or here before, as somebody brought them."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse

from games.models.matches import SLUG_LENGTH, new_slug


class Record(models.Model):
    """A record that was found true when it came. It is no match: nothing that looks at matches ever meets it."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="records")
    game = models.CharField(max_length=40)
    rows = models.PositiveIntegerField()
    text = models.TextField()  # as it was checked: a JSON column may write numbers in another way
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index("owner", "id", name="record_of_owner"),)

    def __str__(self) -> str:
        return f"{self.game} {self.slug}"

    def get_absolute_url(self) -> str:
        """The page where it is played back."""
        return reverse("imported", args=[self.slug])

    @property
    def value(self) -> dict[str, Any]:
        """The record as ``verify.check`` reads it."""
        found: dict[str, Any] = json.loads(self.text)
        return found
