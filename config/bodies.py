"""A limit on bodies before anything reads them: an endless upload would fill the disk of the serving process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class LimitBodies:
    """ASGI: cuts off a body longer than ``most`` bytes; the application then sees a client that went away.

    ``longer`` has the addresses, by path, at which bodies may be longer.
    """

    def __init__(self, app: App, most: int, longer: Mapping[str, int] | None = None) -> None:
        self.app = app
        self.most = most
        self.longer = longer or {}

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Passes the request on, counting what is received; answers 413 itself when it is too much."""
        received = 0
        refused = False
        most = self.longer.get(scope.get("path", ""), self.most)

        async def counted() -> Mapping[str, Any]:
            nonlocal received, refused
            message = await receive()
            received += len(message.get("body", b""))
            if received <= most:
                return message
            if not refused:
                refused = True
                headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
                await send({"type": "http.response.start", "status": 413, "headers": headers})
                await send({"type": "http.response.body", "body": b"The request is too large.\n"})
            return {"type": "http.disconnect"}

        async def sent(message: Mapping[str, Any]) -> None:
            if not refused:
                await send(message)

        await self.app(scope, counted, sent)
