"""Who plays: people with an account, guests of one browser, and bots."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts import names, zones

GUEST_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody mixes up when reading them aloud."""


class PeopleManager(UserManager["User"]):
    """Makes users of each kind."""

    def create_guest(self) -> User:
        """A new guest with a random name and no way to log in but this browser's session."""
        mark = "".join(secrets.choice(GUEST_ALPHABET) for _place in range(8))
        guest = self.model(username=f"guest-{mark}", mark=mark, kind=User.Kind.GUEST)
        guest.set_unusable_password()
        guest.save(using=self._db)
        return guest

    def bot(self, name: str) -> User:
        """The bot of this name, made when it is first asked for."""
        user, _new = self.get_or_create(
            username=f"bot-{name.lower()}", defaults={"kind": User.Kind.BOT, "password": "!"}
        )
        return user


class User(AbstractUser):
    """A user: ``username`` is unique without regard to case; ``kind`` tells people, guests and bots apart.

    A guest who signs up has the new user name at once and stays a guest, by
    the ``mark``, until the address is verified: it is the same row all along.
    """

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        GUEST = "guest", _("guest")
        BOT = "bot", _("bot")

    class Theme(models.TextChoices):
        AUTO = "auto", _("as the device")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class Size(models.TextChoices):
        NORMAL = "normal", _("normal")
        LARGE = "large", _("large")

    class Order(models.TextChoices):
        COLOUR = "colour", _("by colour")
        NUMBER = "number", _("by number")

    class Profile(models.TextChoices):
        PUBLIC = "public", _("everybody")
        PLAYERS = "players", _("players with an account")
        HIDDEN = "hidden", _("only me")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("user name"),
        max_length=names.LONGEST,
        unique=True,
        validators=[names.check],
        error_messages={"unique": names.TAKEN},
    )
    skeleton = models.CharField(max_length=names.LONGEST, unique=True, null=True, editable=False)  # noqa: DJ001 - unique
    mark = models.CharField(max_length=8, default="", blank=True, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSON)
    seen_at = models.DateTimeField(default=timezone.now)
    claimed_at = models.DateTimeField(null=True, editable=False)  # a guest with a name whose address is not verified
    owner = models.ForeignKey("self", models.CASCADE, null=True, editable=False, related_name="bots")  # of a bot by API

    zone = models.CharField(_("time zone"), max_length=40, default="", blank=True)
    language = models.CharField(_("language"), max_length=10, default="", blank=True)
    theme = models.CharField(_("colours"), max_length=5, choices=Theme.choices, default=Theme.AUTO)
    confirm = models.BooleanField(_("ask before a turn is sent"), default=True)
    size = models.CharField(_("size of the pieces"), max_length=6, choices=Size.choices, default=Size.NORMAL)
    order = models.CharField(_("order of the hand"), max_length=6, choices=Order.choices, default=Order.COLOUR)
    sound = models.BooleanField(_("a sound on my turn"), default=False)
    profile = models.CharField(_("who sees my profile"), max_length=7, choices=Profile.choices, default=Profile.PUBLIC)

    night_from = models.PositiveSmallIntegerField(null=True, blank=True)  # minutes of the local day, both or neither
    night_to = models.PositiveSmallIntegerField(null=True, blank=True)
    free_days = models.CharField(max_length=7, default="", blank=True)  # weekdays as digits, 0 is Monday
    auto_holiday = models.BooleanField(default=True)

    # How notices reach the user.
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True)  # minutes of the local day, both or neither
    quiet_to = models.PositiveSmallIntegerField(null=True, blank=True)
    reminder_share = models.PositiveSmallIntegerField(default=25)  # per cent of the time allowed that are left then
    mail_delay = models.PositiveSmallIntegerField(default=15)  # minutes in which others may join one mail
    mailed_at = models.DateTimeField(null=True, editable=False)  # the last mail with all that waited
    mail_off_at = models.DateTimeField(null=True, editable=False)  # since when the address takes no mail
    mail_off_why = models.CharField(max_length=20, default="", blank=True, editable=False)
    links_round = models.PositiveIntegerField(default=0, editable=False)  # links in mails of an earlier round are void

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        constraints = (models.UniqueConstraint(Lower("username"), name="username_without_case"),)
        indexes = (models.Index("kind", "seen_at", name="user_kind_seen"),)

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keeps ``skeleton`` with the name; the names of guests and bots cannot be chosen and have none."""
        self.skeleton = None if names.reserved(self.username) else names.skeleton(self.username)
        if (fields := kwargs.get("update_fields")) is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "skeleton"}
        super().save(*args, **kwargs)

    @property
    def is_guest(self) -> bool:
        """Whether this user exists only in one browser."""
        return self.kind == self.Kind.GUEST

    @property
    def is_bot(self) -> bool:
        """Whether a program plays for this user."""
        return self.kind == self.Kind.BOT

    @property
    def is_house_bot(self) -> bool:
        """Whether that program is the site's own; all others belong to a person, move by the API and may be late."""
        return self.is_bot and self.owner_id is None

    @property
    def has_profile(self) -> bool:
        """Whether there is a page about this user: people with an account that is in use have one."""
        return self.kind == self.Kind.PERSON and self.is_active

    @property
    def name(self) -> str:
        """The name as it is shown: "Guest 7k2m", "Bot Ada", the user name otherwise."""
        if self.is_guest:
            return gettext("Guest %(mark)s") % {"mark": self.mark[:4]}
        if self.is_bot:
            house = self.username.removeprefix("bot-").capitalize()
            return gettext("Bot %(name)s") % {"name": house if self.is_house_bot else self.username}
        return self.username

    @property
    def zone_info(self) -> ZoneInfo | None:
        """The zone in which times are told; None for none, or for one that this machine does not know."""
        return zones.find(self.zone)

    def get_full_name(self) -> str:
        """The name as it is shown."""
        return self.name


class Holiday(models.Model):
    """Days on which a user's time stands still; ``spread_at`` is when the running matches were told, null until then.

    One that was taken back before it began ends when it starts.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="holidays")
    starts = models.DateTimeField()
    ends = models.DateTimeField()
    automatic = models.BooleanField(default=False)
    spread_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=models.Q(starts__lte=models.F("ends")), name="holiday_forwards"),
        )
        indexes = (
            models.Index("user", "ends", name="holiday_of_user"),
            models.Index("id", name="holiday_to_spread", condition=models.Q(spread_at=None)),
        )

    def __str__(self) -> str:
        return f"{self.user_id} {self.starts:%F} to {self.ends:%F}"


class Mail(models.Model):
    """A mail that was kept instead of sent: where there is no mail server, it is read on a page (see ``mail``)."""

    to = models.TextField()
    subject = models.TextField()
    body = models.TextField()
    html = models.TextField(default="", blank=True)
    headers = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.subject


class Bot(models.Model):
    """What is told of a bot by API: what it is, which games it plays, and whether everybody may challenge it."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="bot")
    about = models.CharField(max_length=200, default="", blank=True)
    games = models.JSONField(default=list)
    everybody = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.user.username


class Token(models.Model):
    """A key by which a program acts for a user (see ``tokens``). The key itself is not stored, only its hash."""

    class Scope(models.TextChoices):
        READ = "read", _("read what I may see")
        PLAY = "play", _("play for me: matches, moves, invitations")
        MANAGE = "manage", _("change my settings, notices and lists")

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=40)
    hash = models.CharField(max_length=64, unique=True)
    bound = models.CharField(max_length=64)  # to the password and the address that the user had
    scopes = models.CharField(max_length=40)  # words with blanks between
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
