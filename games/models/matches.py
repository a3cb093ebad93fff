"""A match with its seats and its append-only log, and what lists and sweeps read of them."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games import engine, registry
from games.chance import Stream
from games.clock import IDLE_NOTICE, LONGEST_PAUSE, Allowance
from games.titles import Title

SLUG_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
SLUG_LENGTH = 10

OPEN_FOR = timedelta(days=14)
"""How long a match waits for players."""


def new_slug() -> str:
    """A random name of a match, good for an address that nobody guesses (about 50 bits)."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _place in range(SLUG_LENGTH))


class Match(models.Model):
    """One sitting of a game. The log is the truth; what stands here besides is refreshed with every row of it."""

    class Status(models.TextChoices):
        OPEN = "open", _("waiting for players")
        PLAYING = "playing", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        QUARANTINED = "quarantined", _("stopped by a fault of ours")

    class Audience(models.TextChoices):
        PUBLIC = "public", _("everybody")
        LINK = "link", _("anyone with the link")
        SEATED = "seated", _("only the players")

    class LeavePolicy(models.TextChoices):
        BOT = "bot", _("a bot takes the seat")
        SUBSTITUTE = "substitute", _("somebody else may take the seat, else a bot")
        END = "end", _("the match ends")

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug)
    game = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField()
    options = models.JSONField(default=dict)
    seat_count = models.PositiveSmallIntegerField()
    audience = models.CharField(max_length=10, choices=Audience.choices, default=Audience.PUBLIC)
    listed = models.BooleanField(default=False)
    rated = models.BooleanField(default=False)
    # Whom the lobby offers it to: ratings as they are shown, and the least share of matches finished, in per cent.
    rating_from = models.PositiveSmallIntegerField(null=True)
    rating_to = models.PositiveSmallIntegerField(null=True)
    finish_share = models.PositiveSmallIntegerField(null=True)
    leave_policy = models.CharField(max_length=12, choices=LeavePolicy.choices)
    allowance = models.JSONField(default=dict)
    seed = models.BinaryField()
    commitment = models.CharField(max_length=64)

    status = models.CharField(max_length=12, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    active_seat = models.PositiveSmallIntegerField(null=True)
    active_bot = models.BooleanField(default=False)
    since_version = models.PositiveIntegerField(default=0)
    decision_at = models.DateTimeField(null=True)  # when the present decision began
    deadline = models.DateTimeField(null=True)
    credited_to = models.DateTimeField(null=True)  # the end of the last downtime that was credited
    paused_at = models.DateTimeField(null=True)  # since when it is paused by everybody's consent
    stopped = models.JSONField(default=list)  # pauses within the present decision: [from, to] as ISO texts in UTC
    # The mover's nights, free days and zone as they were when the decision began, if they were changed since.
    windows = models.JSONField(default=dict)
    granted = models.PositiveIntegerField(default=0)  # seconds that opponents gave for the present decision
    held_until = models.DateTimeField(null=True)  # until when no bot moves, so that who left can come back
    remind_at = models.DateTimeField(null=True)  # when the mover is reminded of the deadline, null if that was done
    auto_at = models.DateTimeField(null=True)  # when a move by wish of the active seat is looked for
    digest = models.CharField(max_length=64, default="")
    end_reason = models.CharField(max_length=40, default="", blank=True)
    gathered = models.PositiveIntegerField(
        default=0
    )  # counts what pages show and no row tells: seats, proposals, ratings
    # Of a match that goes on from an imported record: the id its commitment is for, and how many rows it took over.
    origin = models.CharField(max_length=40, default="", blank=True)
    origin_rows = models.PositiveIntegerField(null=True)
    rematch_of = models.ForeignKey("self", models.SET_NULL, null=True, related_name="rematches")

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    rated_at = models.DateTimeField(null=True)  # when the result was folded into the ratings

    class Meta:
        verbose_name_plural = "matches"
        indexes = (
            models.Index(
                "finished_at", "id", name="match_to_rate", condition=Q(rated=True, rated_at=None, status="finished")
            ),
            models.Index("deadline", name="match_due", condition=Q(status="playing")),
            models.Index("moved_at", name="match_bot_due", condition=Q(status="playing", active_bot=True)),
            models.Index("paused_at", name="match_paused", condition=Q(paused_at__isnull=False)),
            models.Index("remind_at", name="match_remind", condition=Q(status="playing")),
            models.Index("auto_at", name="match_auto_due", condition=Q(status="playing")),
            models.Index("audience", "finished_at", "id", name="match_finished"),
            models.Index("finished_at", "id", name="match_ended", condition=Q(status="finished")),
            models.Index("audience", "moved_at", "id", name="match_running", condition=Q(status="playing")),
            models.Index("created_at", name="match_waiting", condition=Q(status="open")),
            models.Index("id", name="match_listed", condition=Q(status="open", listed=True)),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.slug}"

    def get_absolute_url(self) -> str:
        """The page of the match."""
        return reverse("match", args=[self.slug])

    @property
    def title(self) -> Title:
        """The game's title."""
        return registry.title(self.game)

    @property
    def rules(self) -> engine.Game[Any]:
        """The rules the match began with."""
        return self.title.rules(self.rules_version)

    @property
    def clock(self) -> Allowance:
        """The time a turn has."""
        return Allowance.from_json(self.allowance)

    def told_deadline(self, moment: datetime) -> datetime | None:
        """The deadline, if it is shown: without a clock only when it comes near."""
        if self.deadline is None or (self.clock.none and self.deadline - moment > IDLE_NOTICE):
            return None
        return self.deadline

    @property
    def paused_until(self) -> datetime | None:
        """When the pause ends by itself at the latest; None if there is none."""
        return None if self.paused_at is None else self.paused_at + LONGEST_PAUSE

    @property
    def over(self) -> bool:
        """Whether the match has a result and everything is open."""
        return self.status == self.Status.FINISHED

    @property
    def numbers(self) -> dict[str, Any]:
        """What pages ask for to learn whether there is anything new to show."""
        return {"version": self.version, "status": self.status, "gathered": self.gathered}

    @property
    def waits_until(self) -> datetime:
        """Until when an open match waits for players."""
        return self.created_at + OPEN_FOR


class Seat(models.Model):
    """A numbered place at a match with a user; before the start the numbers are those of joining."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    joined = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats")
    bot_level = models.CharField(max_length=20, default="", blank=True)
    entropy = models.BinaryField()
    bank = models.PositiveIntegerField(null=True)  # seconds left, at the start of the seat's decision
    place = models.PositiveSmallIntegerField(null=True)
    left_version = models.PositiveIntegerField(null=True)
    left_how = models.CharField(max_length=10, default="", blank=True)
    vacant_until = models.DateTimeField(null=True)  # until when a left seat waits for a substitute
    auto = models.JSONField(default=list)  # which moves the player wants made without being asked
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("match_id", "number")
        constraints = (
            models.UniqueConstraint("match", "number", name="seat_number"),
            models.UniqueConstraint("match", "user", name="seat_user"),
        )
        indexes = (
            models.Index("user", "finished_at", "match", name="seat_history"),
            models.Index("vacant_until", name="seat_vacant", condition=Q(vacant_until__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"

    @property
    def plays_itself(self) -> bool:
        """Whether a bot decides for this seat: its own, or the one that took it over."""
        return bool(self.bot_level)

    @property
    def has_player(self) -> bool:
        """Whether a person plays here: neither a bot nor somebody who has left."""
        return not self.bot_level and self.left_version is None


class Move(models.Model):
    """A row of the log: what a seat submitted at once, or what happened to the match. Never changed."""

    class Kind(models.TextChoices):
        START = "start", _("start")
        PLAY = "play", _("move")
        RESIGN = "resign", _("resignation")
        TIMEOUT = "timeout", _("time-out")
        CLOCK = "clock", _("more time")
        CANCEL = "cancel", _("called off")
        PAUSE = "pause", _("pause")
        RESUME = "resume", _("end of a pause")
        TAKEOVER = "takeover", _("new player in a seat")
        RETURN = "return", _("return to a seat")

    class By(models.TextChoices):
        USER = "user", _("player")
        AUTO = "auto", _("player's wish")
        BOT = "bot", _("bot")
        SERVER = "server", _("server")

    match = models.ForeignKey(Match, models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    by = models.CharField(max_length=10, choices=By.choices)
    text = models.TextField(blank=True)
    news = models.JSONField(default=list)
    digest = models.CharField(max_length=64)
    key = models.UUIDField(null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("match_id", "number")
        constraints = (
            models.UniqueConstraint("match", "number", name="move_number"),
            models.UniqueConstraint("match", "seat", "key", name="move_key"),
        )

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number} {self.kind}"


def stream(match: Match, seats: list[Seat], row: int) -> Stream:
    """The chance of one log row of a match."""
    return Stream(bytes(match.seed), [bytes(seat.entropy) for seat in seats], row)
