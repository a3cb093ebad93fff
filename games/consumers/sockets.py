"""What all sockets share: they are read-only, show signs of life, and wait for nobody who does not read."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

BEAT = 15.0
"""Seconds between two signs of life; a page that hears none for twice as long says that it is offline."""

RECHECK_EVERY = 3
"""Signs of life between two looks whether the session still holds: a lost hint is made good within 45 s."""

STALLED = 10.0
"""Seconds that a frame may take to leave; who does not read is cut off instead of having things queue up."""

MOST_FRAMES = 10
"""Frames a page may send before it is taken for something else; ours send none."""

HINT_AHEAD = 1.0
"""Seconds by which the hint of a logout may be ahead of the end of the session."""

ENDED, POLICY, GOING = 4401, 1008, 1011


class Living(ABC):
    """What shows signs of life while somebody listens, and looks now and then whether it still may."""

    life: asyncio.Task[None] | None = None

    @abstractmethod
    async def sign(self) -> None:
        """Sends a sign of life."""

    @abstractmethod
    async def look_again(self) -> None:
        """Ends what no longer holds, and makes good what a lost hint was about."""

    def live_on(self) -> None:
        """From now on shows signs of life, until ``let_go``."""
        self.life = asyncio.create_task(self._live())

    def let_go(self) -> None:
        """Shows no more of them; harmless if it never did."""
        if self.life is not None:
            self.life.cancel()

    async def _live(self) -> None:
        count = 0
        while True:
            await asyncio.sleep(BEAT)
            count += 1
            if count % RECHECK_EVERY == 0:
                await self.look_again()
            await self.sign()


class ReadOnly(AsyncWebsocketConsumer):  # type: ignore[misc]
    """A socket that says something now and then, and takes nothing."""

    frames = 0

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answers that there is nothing to say here, and closes what goes on saying it."""
        self.frames += 1
        if self.frames > MOST_FRAMES:
            await self.close(POLICY)
        else:
            await self.say({"error": "read_only"})

    async def say(self, value: dict[str, Any]) -> None:
        """Sends a frame, or closes the socket of who does not read."""
        try:
            await asyncio.wait_for(self.send(json.dumps(value)), STALLED)
        except TimeoutError:
            await self.close(GOING)


def session_now(key: str | None) -> Any:
    """A session as it is by now, whatever a socket was opened with."""
    engine = import_module(settings.SESSION_ENGINE)
    return engine.SessionStore(key)


def user_of(session: Any) -> Any:
    """Who a session belongs to now; checks that the password is still the one it began with."""
    request = HttpRequest()
    request.session = session
    return get_user(request)
