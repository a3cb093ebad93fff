"""Bodies that never end are cut off before they fill a disk."""

from __future__ import annotations

import asyncio

from config.bodies import LimitBodies


def exchange(most: int, chunks: list[bytes], path: str = "/") -> tuple[list[bytes], list[int]]:
    """What the application reads and the statuses that are sent."""
    read: list[bytes] = []
    statuses: list[int] = []

    async def app(scope, receive, send):
        while (message := await receive())["type"] == "http.request":
            read.append(message["body"])
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def run():
        queue = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
        queue[-1]["more_body"] = False

        async def receive():
            return queue.pop(0)

        async def send(message):
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        await LimitBodies(app, most, {"/import/": 12})({"type": "http", "path": path}, receive, send)

    asyncio.run(run())
    return read, statuses


def test_a_body_within_the_limit_passes():
    assert exchange(10, [b"12345", b"67890"]) == ([b"12345", b"67890"], [200])


def test_a_body_beyond_the_limit_is_cut_off_and_answered_once():
    assert exchange(10, [b"12345", b"67890", b"1", b"2"]) == ([b"12345", b"67890"], [413])


def test_where_files_are_brought_a_body_may_be_longer_but_not_endless():
    assert exchange(10, [b"12345", b"67890", b"12"], "/import/")[1] == [200]
    assert exchange(10, [b"12345", b"67890", b"123"], "/import/") == ([b"12345", b"67890"], [413])
    assert exchange(10, [b"12345", b"67890", b"12"], "/import")[1] == [413]
