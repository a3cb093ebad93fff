"""Who plays: people with an account, guests of one browser, and bots."""

from __future__ import annotations

import re
import secrets
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

GUEST_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody mixes up when reading them aloud."""


class PeopleManager(UserManager["User"]):
    """Makes users of each kind."""

    def create_guest(self) -> User:
        """A new guest with a random name and no way to log in but this browser's session."""
        mark = "".join(secrets.choice(GUEST_ALPHABET) for _place in range(8))
        guest = self.model(username=f"guest-{mark}", kind=User.Kind.GUEST)
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
    """A user: ``username`` is unique without regard to case; ``kind`` tells people, guests and bots apart."""

    class Kind(models.TextChoices):
        PERSON = "person", _("person")
        GUEST = "guest", _("guest")
        BOT = "bot", _("bot")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("user name"),
        max_length=30,
        unique=True,
        validators=[RegexValidator(re.compile(r"[A-Za-z0-9_-]+\Z"), _("Only letters, digits, - and _ are allowed."))],
    )
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSON)
    seen_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        constraints = (models.UniqueConstraint(Lower("username"), name="username_without_case"),)
        indexes = (models.Index("kind", "seen_at", name="user_kind_seen"),)

    def __str__(self) -> str:
        return self.username

    @property
    def is_guest(self) -> bool:
        """Whether this user exists only in one browser."""
        return self.kind == self.Kind.GUEST

    @property
    def is_bot(self) -> bool:
        """Whether a program plays for this user."""
        return self.kind == self.Kind.BOT

    @property
    def name(self) -> str:
        """The name as it is shown: "Guest 7k2m", "Bot Ada", the user name otherwise."""
        if self.is_guest:
            return gettext("Guest %(mark)s") % {"mark": self.username.removeprefix("guest-")[:4]}
        if self.is_bot:
            return gettext("Bot %(name)s") % {"name": self.username.removeprefix("bot-").capitalize()}
        return self.username

    def get_full_name(self) -> str:
        """The name as it is shown."""
        return self.name
