"""Tokens: how a program says for whom it acts. Shown once; what is stored is the hash of 32 random bytes.

A token ends at its time, when its user ends it, and with a new password or
address: as the sessions of other browsers do, for whoever took it must not
outlive the owner's reaction.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts import signals
from accounts.models import Token, User

PREFIX = "nt_"
"""How every token begins, so that it is known for one where it was left lying about."""

SHAPE = re.compile(r"nt_[A-Za-z0-9_-]{43}", re.ASCII)

MOST = 20
"""Tokens that a user may have at once."""

DAYS = (30, 90, 365)
"""How long a token may hold."""

EVERY = timedelta(minutes=1)
"""How exactly the last use is noted: a write with every request would cost more than it tells."""


class TooManyTokens(Exception):
    """The user has as many tokens as anybody may."""


def make(user: User, name: str, scopes: Iterable[str], days: int) -> tuple[Token, str]:
    """A new token and its text, which is nowhere to be had afterwards. Raises TooManyTokens.

    What has ended of the user's earlier ones is forgotten with it.
    """
    text = PREFIX + secrets.token_urlsafe(32)
    moment = timezone.now()
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)  # of two at once the second counts the first
        living = of(user)
        Token.objects.filter(user=user).exclude(pk__in=[token.pk for token in living]).delete()
        if len(living) >= MOST:
            raise TooManyTokens
        made = Token.objects.create(
            user=user,
            name=name,
            hash=_hash(text),
            bound=bound(user),
            scopes=" ".join(scope for scope in Token.Scope.values if scope in set(scopes)),
            made_at=moment,
            expires_at=moment + timedelta(days=days),
        )
    return made, text


def bound(user: User) -> str:
    """What a token of the user is bound to: another password or address makes another value.

    For a bot by API also another one of its owner: whoever got at its token was in the owner's account.
    """
    whose = [user] if user.owner is None else [user, user.owner]
    return _hash(":".join(f"{one.get_session_auth_hash()}:{one.email}" for one in whose))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def holds(token: Token) -> bool:
    """Whether the token, with its user fetched, is still worth anything."""
    user = token.user
    owned = user.owner is None or user.owner.is_active  # asked for bots only: others have no owner to fetch
    alive = user.is_active and owned and token.expires_at > timezone.now()
    return alive and constant_time_compare(token.bound, bound(token.user))


def find(text: str) -> Token | None:
    """The token with that text, with its user; None if there is none, or it holds no longer."""
    if SHAPE.fullmatch(text) is None:
        return None
    token = Token.objects.select_related("user").filter(hash=_hash(text)).first()
    return token if token is not None and holds(token) else None


def used(token: Token) -> None:
    """Notes that the token is being used, at most once in EVERY."""
    moment = timezone.now()
    if token.used_at is None or token.used_at < moment - EVERY:
        before = Q(used_at=None) | Q(used_at__lt=moment - EVERY)
        Token.objects.filter(before, pk=token.pk).update(used_at=moment)


def of(user: User) -> list[Token]:
    """The user's tokens that hold, the latest made first."""
    found = Token.objects.filter(user=user).select_related("user").order_by("-pk")
    return [token for token in found if holds(token)]


def end(user: User, pk: int) -> bool:
    """Ends a token of the user; whether there was one. Who listens to ``token_ended`` closes what hangs on it."""
    ended = bool(Token.objects.filter(user=user, pk=pk).delete()[0])
    if ended:
        signals.token_ended.send(User, user=user)
    return ended
