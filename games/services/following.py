"""Whom a user follows."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import people
from games.models import Follow
from games.now import now
from games.services import capacity
from games.services.errors import Refused

MOST = 500
"""So many people whose profile they see a user may follow."""


class CannotFollow(Refused):
    """The user may not follow anybody, or not this one, or nobody more."""

    code = "cannot_follow"
    sentence = _("Following others needs an account.")


def follow(user: User, other: User) -> None:
    """Notes that ``user`` follows ``other``, whose profile they may see; harmless if they do. Raises CannotFollow."""
    if not user.has_profile:
        raise CannotFollow
    if user.pk == other.pk:
        raise CannotFollow(_("Nobody needs to follow themselves: your own matches are under “Your turn”."))
    with transaction.atomic():
        capacity.hold(user)  # of two at once the second counts the first
        if not Follow.objects.filter(follower=user, followed=other).exists():
            if people.followed(user).count() >= MOST:  # whom the user cannot see, they cannot leave out
                raise CannotFollow(_("You follow as many people as is possible. Leave one out first."))
            Follow.objects.create(follower=user, followed=other, at=now())


def unfollow(user: User, other: User) -> None:
    """Follows no more; harmless if it was not so."""
    Follow.objects.filter(follower=user, followed=other).delete()
