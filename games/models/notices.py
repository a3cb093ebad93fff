"""What is told to a user, once and under a key of its own, and each way by which it leaves the page."""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match


class Notice(models.Model):
    """One event told to one user. ``key`` says which event: the same is never told twice.

    ``facts`` is what the words need beside match and version. ``seen_at`` is
    when the user had it before their eyes, on the page of the match or in the list.
    """

    class Kind(models.TextChoices):
        TURN = "turn", _("your turn begins")
        REMINDER = "reminder", _("your time runs short")
        NUDGE = "nudge", _("somebody asks you to move")
        INVITED = "invited", _("an invitation")
        TABLE = "table", _("what happens at the table: somebody leaves, comes, or proposes something")
        ENDED = "ended", _("a match is over")
        DIGEST = "digest", _("a mail with all that waits")
        SITE = "site", _("something about your notices")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    match = models.ForeignKey(Match, models.CASCADE, null=True, related_name="notices")
    version = models.PositiveIntegerField(null=True)
    key = models.CharField(max_length=80)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)
    routed_at = models.DateTimeField(null=True)  # when its deliveries were made out

    class Meta:
        constraints = (models.UniqueConstraint("user", "key", name="notice_once"),)
        indexes = (
            models.Index(fields=["user", "-id"], name="notice_of_user"),
            models.Index("id", name="notice_to_route", condition=Q(routed_at=None)),
            models.Index("user", "match", name="notice_unseen", condition=Q(seen_at=None)),
            models.Index("at", name="notice_age"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.key}"


class Channel(models.TextChoices):
    """A way by which a notice leaves the page."""

    MAIL = "mail", _("by mail")
    PUSH = "push", _("on your devices")
    WEBHOOK = "webhook", _("by webhook")


class Delivery(models.Model):
    """How one notice leaves by one channel: a row that a sweep claims, with what became of it."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        CARRIED = "carried", _("in a mail with others")
        DROPPED = "dropped", _("not sent")
        PARKED = "parked", _("given up")

    notice = models.ForeignKey(Notice, models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel.choices)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    gathers = models.BooleanField(default=False)  # waits for others to go in one mail with them
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    why = models.CharField(max_length=20, default="", blank=True)  # why it was not sent, see delivery.words
    message_id = models.CharField(max_length=120, default="", blank=True)
    digest = models.ForeignKey(Notice, models.SET_NULL, null=True, related_name="carries")

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = (models.UniqueConstraint("notice", "channel", name="delivery_once"),)
        indexes = (
            models.Index("due_at", name="delivery_due", condition=Q(status="waiting", gathers=False)),
            models.Index("due_at", name="delivery_gathers", condition=Q(status="waiting", gathers=True)),
            models.Index("lease_until", name="delivery_leased", condition=Q(status="sending")),
        )

    def __str__(self) -> str:
        return f"{self.notice_id} {self.channel} {self.status}"

    @property
    def own_id(self) -> str:
        """Its Message-ID: the same at every try, so that a copy is known as one, and another for another address."""
        bound = f"{settings.SECRET_KEY}:{self.notice_id}:{self.channel}:{self.notice.user.email}"
        mark = sha256(bound.encode()).hexdigest()[:24]
        return f"<{self.notice_id}.{mark}@{urlsplit(settings.SITE_URL).hostname}>"


class Choice(models.Model):
    """Whether and how a user wants one kind of notice by one channel; without a row the defaults hold."""

    class Mode(models.TextChoices):
        OFF = "off", _("not at all")
        INSTANT = "instant", _("at once")
        DIGEST = "digest", _("together with others")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="choices")
    kind = models.CharField(max_length=10, choices=Notice.Kind.choices)
    channel = models.CharField(max_length=8, choices=Channel.choices)
    mode = models.CharField(max_length=8, choices=Mode.choices)

    class Meta:
        constraints = (models.UniqueConstraint("user", "kind", "channel", name="choice_cell"),)

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.channel} {self.mode}"


class MatchChoice(models.Model):
    """How a user wants the notices of one match, whatever the other choices are."""

    class Mode(models.TextChoices):
        MUTE = "mute", _("nothing of this match")
        INSTANT = "instant", _("at once")
        DIGEST = "digest", _("together with others")

    match = models.ForeignKey(Match, models.CASCADE, related_name="choices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="match_choices")
    mode = models.CharField(max_length=8, choices=Mode.choices)

    class Meta:
        constraints = (models.UniqueConstraint("match", "user", name="match_choice"),)

    def __str__(self) -> str:
        return f"{self.match_id} {self.user_id} {self.mode}"


class Device(models.Model):
    """A browser that takes pushes for a user; ``gone_at`` is when its push service said that it does no more.

    One that fails is left alone until ``rest_until``, and given up when it has failed for long.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    endpoint = models.URLField(max_length=1000)
    endpoint_hash = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=80, default="", blank=True)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)  # when a push was taken last
    failing_since = models.DateTimeField(null=True)
    rest_until = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.name}"


class Feed(models.Model):
    """A secret address of a user's turns for calendars and feed readers.

    The token is derived from the nonce and the secret key; stored is only its hash, by which it is found.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="feed")
    nonce = models.CharField(max_length=32)
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"of {self.user_id}"

    @property
    def token(self) -> str:
        """128 bits that nobody can make from the database alone (hex)."""
        return salted_hmac("games.feed", f"{self.user_id}:{self.nonce}", algorithm="sha256").hexdigest()[:32]
