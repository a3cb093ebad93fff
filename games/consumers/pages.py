"""The sockets of pages: they only say how things stand. Read-only, for the session's user.

One socket a page: it tells how many matches wait for the user, to how many they
are invited and, on the page of a match, at which version that match is. Whatever is lost on the way
the page finds out by asking.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.http import Http404, HttpRequest

from accounts import visitors
from games import access, live
from games.consumers import sockets
from games.consumers.changes import counts
from games.consumers.sockets import Living, ReadOnly, user_of
from games.models import Match

MOST, MOST_OF_NOBODY = 50, 500
"""Pages that one user, or all who are nobody behind one address, may have open in one process."""

_open: Counter[str] = Counter()


def _who(scope: Mapping[str, Any], user: Any) -> tuple[str, int]:
    """As whom a socket is counted, and how many of them there may be."""
    if user is not None:
        return f"user:{user.pk}", MOST
    request = HttpRequest()
    headers = dict(scope.get("headers", ()))
    request.META["REMOTE_ADDR"] = (scope.get("client") or ("",))[0]
    request.META["HTTP_X_FORWARDED_FOR"] = headers.get(b"x-forwarded-for", b"").decode("latin-1")
    return f"house:{visitors.house(request)}", MOST_OF_NOBODY


class Watcher(Living, ReadOnly):
    """The socket of one page; ``?match=`` names the match it shows."""

    async def connect(self) -> None:
        """Takes the socket of a page; refuses it before it is open if the match is not theirs to see, or as one too
        many."""
        self.match: Match | None = None
        self.linked = False
        self.user: Any = None
        self.joined: list[str] = []
        self.counted = ""
        slug = parse_qs(self.scope["query_string"].decode("latin-1")).get("match", [""])[0]
        try:
            await self._know(slug)
        except Http404:
            await self.close()
            return
        who, most = _who(self.scope, self.user)
        if _open[who] >= most:
            await self.close()
            return
        self.counted = who
        _open[who] += 1
        await self._join()
        await self.accept()
        # Told only now, so that no row between the page and the subscription is missed.
        await self.look({})
        self.live_on()

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _know(self, slug: str) -> None:
        """The session's user and the match; raises Http404."""
        user = user_of(self.scope["session"])
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

    async def look(self, event: dict[str, Any]) -> None:
        """Something happened: tells the numbers as they are now, whatever the hint said."""
        await self.say(await self._numbers())

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _numbers(self) -> dict[str, Any]:
        numbers: dict[str, Any] = {}
        if self.user is not None:
            numbers |= counts(self.user)
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
            await asyncio.sleep(sockets.HINT_AHEAD)
        if (self.user is not None or self.linked) and not await self._still_valid():
            await self.close(sockets.ENDED)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _still_valid(self) -> bool:
        fresh = sockets.session_now(self.scope["session"].session_key)
        user = user_of(fresh)
        if self.user is not None and user.pk != self.user.pk:
            return False
        if not self.linked or self.match is None:
            return True
        try:
            return access.match_for(user, self.match.slug, fresh).by_link
        except Http404:
            return False

    async def sign(self) -> None:
        """An empty frame."""
        await self.say({})

    async def look_again(self) -> None:
        """Looks at the session; for what is new the page itself asks every minute."""
        await self.recheck({})

    async def disconnect(self, code: int) -> None:
        """Leaves the groups, and counts no more."""
        if self.counted:
            _open[self.counted] -= 1
            if not _open[self.counted]:
                del _open[self.counted]
            self.counted = ""
        self.let_go()
        for group in self.joined:
            await self.channel_layer.group_discard(group, self.channel_name)
