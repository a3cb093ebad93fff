"""A connection that can be made bad: stands between a client and a server, and cuts, refuses or stalls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any


class Proxy:
    """Passes on what comes to its port to the server's, until it is told otherwise."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self._refusing = False
        self._round = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server = self._do(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def _do(self, what: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(10)

    @property
    def url(self) -> str:
        """The address of the server behind it."""
        return f"http://localhost:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refusing:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        held = {writer}
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
            held.add(back)
            self._writers |= held
            ways = [self._pass(reader, back), self._pass(there, writer, may_stall=True)]
            done, left = await asyncio.wait(map(asyncio.ensure_future, ways), return_when=asyncio.FIRST_COMPLETED)
            for way in left:
                way.cancel()
            for way in done:
                way.exception()  # looked at, so that nobody complains: a connection that broke is our business
        except (OSError, asyncio.CancelledError):
            pass  # the server is away, or the test is over
        finally:
            self._writers -= held
            self._tasks.discard(task)
            for end in held:
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, may_stall: bool = False) -> None:
        own = self._round
        while data := await reader.read(65536):
            if may_stall:
                await self._flowing.wait()
            if own != self._round:
                continue
            writer.write(data)
            await writer.drain()

    def cut(self) -> None:
        """Cuts every connection; new ones are passed on."""

        async def abort() -> None:
            for writer in list(self._writers):
                writer.transport.abort()

        self._do(abort())

    def refuse(self) -> None:
        """Cuts every connection and takes no new one."""
        self._refusing = True
        self.cut()

    def stall(self) -> None:
        """From now on nothing arrives from the server, though every connection stays open."""
        self._loop.call_soon_threadsafe(self._flowing.clear)

    def lose(self) -> None:
        """Every connection stays open, but nothing arrives by it any more, either way; new ones are passed on."""
        self._round += 1

    def restore(self) -> None:
        """All is well again."""
        self._refusing = False
        self._loop.call_soon_threadsafe(self._flowing.set)

    def stop(self) -> None:
        """Ends it, with all its connections."""

        async def end() -> None:
            self._server.close()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

        self._do(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
