"""Addresses of users to which notices are posted, for programs and chat rooms to read."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.models.notices import Notice

TAIL = 4
"""Characters of an address that are shown: whoever knows all of one of a chat room's may write there."""


class Webhook(models.Model):
    """An address that takes a user's notices; ``off_at`` is since when it is not asked, ``off_why`` empty if the user
    said so.

    One that fails is left alone until ``rest_until``; ``error`` is what went wrong last, a status or a code.
    """

    class Kind(models.TextChoices):
        JSON = "json", _("JSON, for a program of yours")
        DISCORD = "discord", _("Discord")
        SLACK = "slack", _("Slack")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    url = models.CharField(max_length=1000)
    nonce = models.CharField(max_length=32)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    rest_until = models.DateTimeField(null=True)
    error = models.CharField(max_length=12, default="", blank=True)
    off_at = models.DateTimeField(null=True)
    off_why = models.CharField(max_length=12, default="", blank=True)

    class Meta:
        indexes = (models.Index("user", name="webhook_on", condition=Q(off_at=None)),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.place}"

    @property
    def place(self) -> str:
        """How it is called: its host, and a little of the address to tell it from others there."""
        return f"{urlsplit(self.url).hostname} …{self.url[-TAIL:]}"

    @property
    def key(self) -> bytes:
        """What signs its posts; nobody can make it from the database alone."""
        return salted_hmac("games.webhook", f"{self.user_id}:{self.nonce}", algorithm="sha256").digest()

    @property
    def secret(self) -> str:
        """The key as its owner is shown it."""
        return f"whsec_{b64encode(self.key).decode()}"

    def post_id(self, what: object) -> str:
        """The id of a post about something: the same at every try, so that a copy is known as one."""
        return f"msg_{sha256(f'{settings.SECRET_KEY}:{self.pk}:{what}'.encode()).hexdigest()[:24]}"


class WebhookPost(models.Model):
    """That an address has taken a notice: when others have not, they alone are asked again."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="posts")
    notice = models.ForeignKey(Notice, models.CASCADE, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint("webhook", "notice", name="webhook_post_once"),)

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.notice_id}"
