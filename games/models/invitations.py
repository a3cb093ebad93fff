"""Ways to a seat of an open match."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match


def token_hash(token: str) -> str:
    """What is stored of the token of a link, to find it by."""
    return sha256(token.encode()).hexdigest()


class Invitations(models.QuerySet["Invitation"]):
    """Invitations, by what became of them."""

    def waiting(self, moment: datetime) -> Invitations:
        """Those that still hold and were not answered: for one user they keep a seat."""
        return self.filter(answer="", revoked_at=None, expires_at__gt=moment)


class Invitation(models.Model):
    """A way to a seat of an open match: for one user (``to``), whose seat is kept, or for whoever has the link.

    The token in a link is derived from the nonce and the secret key; stored
    is only its hash, by which it is found.
    """

    class Answer(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    match = models.ForeignKey(Match, models.CASCADE, related_name="invitations")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="invitations")
    nonce = models.CharField(max_length=32, default="", blank=True)
    token_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - unique where there is one
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer.choices, default="", blank=True)
    answered_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = Invitations.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint("match", name="invitation_link", condition=Q(to=None, revoked_at=None)),
            models.UniqueConstraint("match", "to", name="invitation_to", condition=Q(revoked_at=None)),
        )

    def __str__(self) -> str:
        return f"to {self.match_id}"

    @property
    def token(self) -> str:
        """128 bits that nobody can make from the database alone (hex)."""
        return salted_hmac("games.invitation", f"{self.match_id}:{self.nonce}", algorithm="sha256").hexdigest()[:32]

    def fate(self, moment: datetime) -> str:
        """What became of it: waiting, accepted, declined, withdrawn or expired."""
        if self.revoked_at is not None:
            return "withdrawn"
        return self.answer or ("waiting" if self.expires_at > moment else "expired")
