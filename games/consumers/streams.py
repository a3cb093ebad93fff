"""Events for programs: as server-sent events, or by a socket. Both say the same."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from typing import Any

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from games.api import problems
from games.consumers import sockets
from games.consumers.changes import Event
from games.consumers.listening import Listening, header_of
from games.consumers.sockets import ReadOnly
from games.services.errors import Refused

HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-accel-buffering", b"no"),  # a proxy that gathers what it passes on would hold events back
]

MORE: defaultdict[int, list[tuple[bytes, bytes]]] = defaultdict(list)
MORE[401] = [(b"www-authenticate", b'Bearer realm="Na tahu"')]
MORE[405] = [(b"allow", b"GET")]
"""Headers that a refusal has besides, by its status."""

RETRY = 5000
"""Milliseconds after which a client connects again."""


class EventStream(Listening, AsyncConsumer):  # type: ignore[misc]
    """Server-sent events (``text/event-stream``)."""

    begun = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serves one request until it ends, or has to."""
        self.over = asyncio.Event()
        serving = asyncio.ensure_future(super().__call__(scope, receive, send))
        over = asyncio.ensure_future(self.over.wait())
        try:
            await asyncio.wait((serving, over), return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            for task in (serving, over):
                task.cancel()
            await asyncio.gather(serving, over, return_exceptions=True)
            await self.leave()

    async def http_request(self, message: dict[str, Any]) -> None:
        """Begins the stream at the first part of the request: a body, which may have no end, is not waited for."""
        if self.begun:
            return
        self.begun = True
        domain, _port = split_domain_port(header_of(self.scope, b"host"))
        if not validate_host(domain, settings.ALLOWED_HOSTS):
            await self._refuse(problems.document(400))
        if self.scope["method"] != "GET":
            await self._refuse(problems.document(405), *MORE[405])
        try:
            events = await self.begin()
        except Refused as refused:
            wait = getattr(refused, "wait", None)
            more = [*MORE[refused.status], *([(b"retry-after", b"%d" % wait)] if wait else [])]
            await self._refuse(problems.document(refused.status, refused.code, refused.sentence), *more)
            return
        headers = [(b"content-type", b"text/event-stream"), *HEADERS]
        await self.send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._write(f"retry: {RETRY}\n\n")
        await self.tell(events)
        self.live_on()

    async def http_disconnect(self, message: dict[str, Any]) -> None:
        """Whoever listened has gone."""
        raise StopConsumer

    async def tell(self, events: list[Event]) -> None:
        """Writes events; without any, a comment."""
        await self._write("".join(map(_written, events)) or ":\n\n")

    async def end(self) -> None:
        """Ends the answer, and with it the consumer."""
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})
        self.over.set()

    async def _write(self, text: str) -> None:
        sent = self.send({"type": "http.response.body", "body": text.encode(), "more_body": True})
        try:
            await asyncio.wait_for(sent, sockets.STALLED)
        except TimeoutError:  # who does not read is cut off
            self.over.set()

    async def _refuse(self, problem: dict[str, Any], *headers: tuple[bytes, bytes]) -> None:
        """Answers with a problem document. Raises StopConsumer."""
        kind = (b"content-type", problems.MEDIA_TYPE.encode())
        start = {"type": "http.response.start", "status": problem["status"], "headers": [kind, *HEADERS, *headers]}
        await self.send(start)
        await self.send({"type": "http.response.body", "body": json.dumps(problem).encode()})
        raise StopConsumer


class EventSocket(Listening, ReadOnly):
    """The same by a socket: frames with ``event``, ``data`` and, where one can go on from, ``id``."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serves one socket to its end."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self.leave()

    async def connect(self) -> None:
        """Takes the socket of a program or a page; refuses it before it is open if it says for nobody."""
        try:
            events = await self.begin()
        except Refused:
            await self.close()
            return
        await self.accept()
        await self.tell(events)
        self.live_on()

    async def tell(self, events: list[Event]) -> None:
        """A frame for each event; without any, an empty one."""
        for frame in [_framed(event) for event in events] or [{}]:
            await self.say(frame)

    async def end(self) -> None:
        """Closes the socket."""
        await self.close(sockets.ENDED)


def _written(event: Event) -> str:
    mark = f"id: {event.cursor}\n" if event.cursor else ""
    return f"event: {event.kind}\n{mark}data: {json.dumps(event.data)}\n\n"


def _framed(event: Event) -> dict[str, Any]:
    return {"event": event.kind, "data": event.data, **({"id": event.cursor} if event.cursor else {})}
