"""What people keep of others and of what they played: whom they follow, and their favourite matches."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.matches import Match


class Follow(models.Model):
    """A user wants to know what another one plays; it stays when that one hides, but then shows nothing."""

    follower = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="followed_by")
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint("follower", "followed", name="follow_once"),
            models.CheckConstraint(condition=~Q(follower=F("followed")), name="follow_another"),
        )

    def __str__(self) -> str:
        return f"{self.follower_id} follows {self.followed_id}"


class Favourite(models.Model):
    """A finished match that its player wants to find again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="favourites")
    match = models.ForeignKey(Match, models.CASCADE, related_name="favourites")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint("user", "match", name="favourite_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} likes {self.match_id}"
