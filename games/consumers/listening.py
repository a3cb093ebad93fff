"""Listening to events: for whom, for how long, and how many at once."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.utils.translation import gettext_lazy as _

from accounts import tokens as held
from accounts.models import Token, User
from games import live
from games.api import tokens
from games.consumers import sockets
from games.consumers.changes import BadCursor, Changes, Event
from games.consumers.sockets import Living, user_of
from games.services import limits
from games.services.errors import BadRequest, Refused

MOST = 5
"""Streams and sockets of events that one user may have open in one process."""

_open: Counter[int] = Counter()


class Nobody(Refused):
    """Neither a token nor a session says for whom the events are."""

    code = "not_authenticated"
    status = 401
    sentence = _("This needs a token, or the session of a browser.")


class TooManyListeners(Refused):
    """The user has MOST streams open already."""

    code = "too_many_streams"
    status = 429
    wait = 60
    sentence = _("You have as many streams open as one can have. Close one of them first.")


@dataclass(frozen=True)
class Listener:
    """For whom events are, and what has to hold for it: a token, or else a session."""

    user: User
    token: int | None = None
    session: str | None = None

    def holds(self) -> bool:
        """Whether the token or the session is still worth something."""
        if self.token is not None:
            token = Token.objects.select_related("user").filter(pk=self.token).first()
            return token is not None and held.holds(token)
        return bool(user_of(sockets.session_now(self.session)).pk == self.user.pk)


def listener_of(scope: Mapping[str, Any]) -> Listener:
    """Who listens, which is counted. A token counts before a session.

    Raises BadToken, NeedsScope, Nobody, TooMany.
    """
    listener = _listener_of(scope)
    limits.spend("api", listener.user.pk)
    return listener


def _listener_of(scope: Mapping[str, Any]) -> Listener:
    if header := header_of(scope, b"authorization"):
        token = tokens.token_of(header)
        if token is not None:
            tokens.check(token, Token.Scope.READ)
            return Listener(token.user, token=token.pk)
    session = scope["session"]
    user = user_of(session)
    if not user.is_authenticated or not user.is_active:
        raise Nobody
    return Listener(user, session=session.session_key)


def header_of(scope: Mapping[str, Any], name: bytes) -> str:
    """A header of the request, "" if it has none."""
    return str(dict(scope["headers"]).get(name, b"").decode("latin-1"))


def cursor_of(scope: Mapping[str, Any]) -> str:
    """From where on to tell; what a browser sends when it connects again counts more than the address.

    Raises BadRequest for what is asked besides.
    """
    asked = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    if asked.keys() - {"since"} or any(len(texts) > 1 for texts in asked.values()):
        raise BadRequest(_("Only “since” can be asked for here, once."))
    return header_of(scope, b"last-event-id") or asked.get("since", [""])[0]


class Listening(Living):
    """A consumer that tells a user's events, in whichever form; ``tell`` and ``end`` are the form's."""

    scope: dict[str, Any]
    channel_layer: Any
    channel_name: str
    listener: Listener | None = None
    changes: Changes

    @abstractmethod
    async def tell(self, events: list[Event]) -> None:
        """Sends events; none is a sign of life."""

    @abstractmethod
    async def end(self) -> None:
        """Says no more."""

    async def begin(self) -> list[Event]:
        """Finds out who listens, and what is new for them. Raises Refused; then nothing is held."""
        cursor = cursor_of(self.scope)
        listener = await database_sync_to_async(listener_of)(self.scope)
        if _open[listener.user.pk] >= MOST:
            raise TooManyListeners
        _open[listener.user.pk] += 1
        self.listener, self.changes, self.lock = listener, Changes(listener.user), asyncio.Lock()
        await self.channel_layer.group_add(live.user_group(listener.user.pk), self.channel_name)
        try:
            events: list[Event] = await database_sync_to_async(self.changes.first)(cursor)
        except BadCursor:
            raise BadRequest(_("This is no place in the events to go on from.")) from None
        return events

    async def leave(self) -> None:
        """Gives back what ``begin`` holds; harmless without."""
        self.let_go()
        if self.listener is not None:
            _open[self.listener.user.pk] -= 1
            await self.channel_layer.group_discard(live.user_group(self.listener.user.pk), self.channel_name)
            self.listener = None

    async def look(self, event: dict[str, Any]) -> None:
        """Something happened: tells what is new, whatever the hint said."""
        async with self.lock:
            if found := await database_sync_to_async(self.changes.more)():
                await self.tell(found)

    async def recheck(self, event: dict[str, Any]) -> None:
        """Ends when the token or the session has."""
        if event:  # the hint comes while the session is being ended
            await asyncio.sleep(sockets.HINT_AHEAD)
        if self.listener is not None and not await database_sync_to_async(self.listener.holds)():
            await self.end()

    async def sign(self) -> None:
        """Tells that there is nothing to tell."""
        await self.tell([])

    async def look_again(self) -> None:
        """Looks at the token or the session, and for what is new."""
        await self.recheck({})
        await self.look({})
