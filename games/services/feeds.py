"""Addresses at which calendars and feed readers find a user's turns: secret, and revocable by making new ones."""

from __future__ import annotations

import secrets

from accounts.models import User
from games.models import Feed, token_hash
from games.now import now


def of(user: User) -> Feed | None:
    """The user's feed; None if they never asked for one, or took it away."""
    return Feed.objects.filter(user=user).first()


def make(user: User) -> Feed:
    """A feed with new addresses; those that the user had before lead nowhere from now on."""
    feed = Feed(user=user, nonce=secrets.token_hex(16))
    facts = {"nonce": feed.nonce, "token_hash": token_hash(feed.token), "made_at": now()}
    return Feed.objects.update_or_create(user=user, defaults=facts)[0]


def take_away(user: User) -> None:
    """The user has no feed any more."""
    Feed.objects.filter(user=user).delete()


def by_token(token: str) -> Feed | None:
    """The feed with that token, with its user; None if there is none, or not any more."""
    return Feed.objects.select_related("user").filter(token_hash=token_hash(token), user__is_active=True).first()
