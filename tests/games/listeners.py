"""Who listens in tests: streams and sockets as the server passes them on, without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from asgiref.testing import ApplicationCommunicator

from accounts import tokens
from config.asgi import application
from games import live
from tests.client import Client

PATH = "/api/v1/events"
OWN = "http://localhost"
"""Where the pages of the site come from."""


def token_of(user, *scopes: str) -> str:
    """A token's text."""
    return tokens.make(user, "test", scopes or ("read",), 30)[1]


def bearer(text: str) -> dict[str, str]:
    """The header of a program."""
    return {"authorization": f"Bearer {text}"}


def cookies(client: Client) -> dict[str, str]:
    """The header of a browser."""
    return {"cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())}


def of_page(client: Client) -> dict[str, str]:
    """The headers with which a page of the site opens its socket."""
    return cookies(client) | {"origin": OWN}


def asked(
    headers: dict[str, str], query: str = "", method: str = "GET", kind: str = "http", path: str = ""
) -> dict[str, Any]:
    """A request as the server passes it on; without a path for events."""
    told = {"host": "localhost", **headers}
    return {
        "type": kind,
        "path": path or (PATH if kind == "http" else "/ws/events"),
        "method": method,
        "query_string": query.encode(),
        "headers": [(name.encode(), text.encode()) for name, text in told.items()],
    }


def apart(work: Callable[[], Any]) -> Any:
    """What a coroutine gives, run in a thread with a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


class Stream:
    """A stream that is being read."""

    def __init__(self, talk: ApplicationCommunicator) -> None:
        self.talk, self.start, self.text = talk, {}, ""

    async def part(self) -> dict[str, Any]:
        """The next message of the answer."""
        return await self.talk.receive_output(10)

    async def events(self) -> list[tuple[str, dict[str, Any], str]]:
        """What the next part says: kind, data and id of each event; a sign of life is none."""
        text = (await self.part())["body"].decode()
        assert text.endswith("\n\n")
        found = []
        for block in text[:-2].split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if line != ":")
            if "event" in fields:
                found.append((fields["event"], json.loads(fields["data"]), fields.get("id", "")))
        return found

    async def ends(self) -> bool:
        """Reads to the end of the answer, which comes; whether nothing follows."""
        while (await self.part()).get("more_body"):
            pass
        await self.talk.wait(10)
        return True


@asynccontextmanager
async def stream(headers: dict[str, str], query: str = ""):
    """An open stream."""
    live.use_loop(asyncio.get_running_loop())
    talk = ApplicationCommunicator(application, asked(headers, query))
    await talk.send_input({"type": "http.request", "body": b"", "more_body": False})
    found = Stream(talk)
    found.start = await found.part()
    if found.start["status"] == 200:
        assert (await found.part())["body"] == b"retry: 5000\n\n"
    try:
        yield found
    finally:
        if not talk.future.done():
            await talk.send_input({"type": "http.disconnect"})
        await talk.wait(10)


@asynccontextmanager
async def socket(headers: dict[str, str], query: str = "", path: str = ""):
    """A socket, without a path of events, and how it was answered."""
    live.use_loop(asyncio.get_running_loop())
    talk = ApplicationCommunicator(application, asked(headers, query, kind="websocket", path=path))
    await talk.send_input({"type": "websocket.connect"})
    answer = await talk.receive_output(10)
    try:
        yield talk, answer["type"]
    finally:
        if not talk.future.done():
            await talk.send_input({"type": "websocket.disconnect", "code": 1000})
        await talk.wait(10)
