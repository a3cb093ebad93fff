"""What happens in the serving process before the first request and after the last one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from config import embedded
from games import live

Message = MutableMapping[str, Any]

SWITCH = "NA_TAHU_EMBEDDED_WORKER"
"""Set to 1 by ``serve`` where this process also runs Celery."""


async def lifespan(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """ASGI's lifespan protocol: announcements go through the server's own loop; Celery starts and stops with it."""
    with_worker = os.environ.get(SWITCH) == "1"
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            live.use_loop(asyncio.get_running_loop())
            if with_worker:
                await asyncio.to_thread(embedded.start)
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            if with_worker:
                await asyncio.to_thread(embedded.stop)
            await send({"type": "lifespan.shutdown.complete"})
            return
