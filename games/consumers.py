"""Sockets: they only say how things stand. Read-only, for the session's user.

One socket a page: it tells how many matches wait for the user, to how many they
are invited and, on the page of a match, at which version that match is. Whatever is lost on the way
the page finds out by asking.
"""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import get_user
from django.http import Http404, HttpRequest

from games import access, lists, live
from games.models import Match
from games.services import notices

BEAT = 15.0
"""Seconds between two signs of life; a page that hears none for twice as long says that it is offline."""

RECHECK_EVERY = 3
"""Signs of life between two looks whether the session still holds: a lost hint is made good within 45 s."""

STALLED = 10.0
"""Seconds that a frame may take to leave; a socket that does not read is closed instead of queueing up."""

MOST_FRAMES = 10
"""Frames a page may send before it is taken for something else; ours send none."""

HINT_AHEAD = 1.0
"""Seconds by which the hint of a logout may be ahead of the end of the session."""

ENDED, POLICY, GOING = 4401, 1008, 1011


class Watcher(AsyncWebsocketConsumer):  # type: ignore[misc]
    """The socket of one page; ``?match=`` names the match it shows."""

    async def connect(self) -> None:
        """Takes the socket of a page; refuses it before it is open if the match is not theirs to see."""
        self.frames = 0
        self.match: Match | None = None
        self.linked = False
        self.user: Any = None
        self.life: asyncio.Task[None] | None = None
        self.joined: list[str] = []
        slug = parse_qs(self.scope["query_string"].decode("latin-1")).get("match", [""])[0]
        try:
            await self._know(slug)
        except Http404:
            await self.close()
            return
        await self._join()
        await self.accept()
        # Told only now, so that no row between the page and the subscription is missed.
        await self.look({})
        self.life = asyncio.create_task(self._live())

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _know(self, slug: str) -> None:
        """The session's user and the match; raises Http404."""
        user = _user_of(self.scope["session"])
        if user.is_authenticated:
            self.user = user
        if slug and not (slug.isascii() and slug.isalnum()):
            raise Http404
        if slug:
            table = access.match_for(user, slug, self.scope["session"])
            self.match, self.linked = table.match, table.by_link

    async def _join(self) -> None:
        if self.user is not None:
            self.joined.append(live.user_group(self.user.pk))
        if self.match is not None:
            self.joined.append(live.match_group(self.match.pk))
        for group in self.joined:
            await self.channel_layer.group_add(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answers that there is nothing to say here, and closes what goes on saying it."""
        self.frames += 1
        if self.frames > MOST_FRAMES:
            await self.close(POLICY)
        else:
            await self._say({"error": "read_only"})

    async def look(self, event: dict[str, Any]) -> None:
        """Something happened: tells the numbers as they are now, whatever the hint said."""
        await self._say(await self._numbers())

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _numbers(self) -> dict[str, Any]:
        numbers: dict[str, Any] = {}
        if self.user is not None:
            numbers["turns"] = lists.my_turns(self.user).order_by().count()
            numbers["asked"] = lists.invitations(self.user).order_by().count()
            numbers["notices"] = notices.unseen(self.user).count()
        if self.match is not None:
            seen = Match.objects.filter(pk=self.match.pk).only("version", "status", "gathered", "audience")
            found = seen.first()
            hidden = found is not None and found.audience == Match.Audience.SEATED and not self.linked
            if found and hidden and not found.seats.filter(user=self.user).exists():
                found = None  # who has given up the seat is a stranger again
            gone = {"version": 0, "status": Match.Status.CANCELLED}
            numbers |= {"match": self.match.slug, **(found.numbers if found else gone)}
        return numbers

    async def recheck(self, event: dict[str, Any]) -> None:
        """Closes the socket if its session ended: by logout, a new password, or its age."""
        if event:  # the hint comes while the session is being ended
            await asyncio.sleep(HINT_AHEAD)
        if (self.user is not None or self.linked) and not await self._still_valid():
            await self.close(ENDED)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _still_valid(self) -> bool:
        engine = import_module(settings.SESSION_ENGINE)
        fresh = engine.SessionStore(self.scope["session"].session_key)
        user = _user_of(fresh)
        if self.user is not None and user.pk != self.user.pk:
            return False
        if not self.linked or self.match is None:
            return True
        try:
            return access.match_for(user, self.match.slug, fresh).by_link
        except Http404:
            return False

    async def _live(self) -> None:
        """Signs of life, and now and then a look at the session."""
        count = 0
        while True:
            await asyncio.sleep(BEAT)
            count += 1
            if count % RECHECK_EVERY == 0:
                await self.recheck({})
            await self._say({})

    async def _say(self, value: dict[str, Any]) -> None:
        try:
            await asyncio.wait_for(self.send(json.dumps(value)), STALLED)
        except TimeoutError:
            await self.close(GOING)

    async def disconnect(self, code: int) -> None:
        """Leaves the groups."""
        if self.life is not None:
            self.life.cancel()
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)


def _user_of(session: Any) -> Any:
    """Who a session belongs to now; checks that the password is still the one it began with."""
    request = HttpRequest()
    request.session = session
    return get_user(request)
