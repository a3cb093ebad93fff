"""The socket of a page that was opened by the link of a mail: hints of this match, as long as the link holds."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from asgiref.testing import ApplicationCommunicator

from config.asgi import application
from games import links
from games.consumers import sockets
from games.services import mailing
from tests.client import Client
from tests.conftest import seated

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


async def _outputs(client, slug, meanwhile):
    """What the server does with a socket: accepts or closes, the first frame, and what comes after ``meanwhile``."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", cookies.encode())]
    scope = {"type": "websocket", "path": "/ws/", "query_string": f"match={slug}".encode(), "headers": headers}
    socket = ApplicationCommunicator(application, scope)
    await socket.send_input({"type": "websocket.connect"})
    first = await socket.receive_output(10)
    if first["type"] != "websocket.accept":
        return [first["type"]]
    frame = json.loads((await socket.receive_output(10))["text"])
    await asyncio.to_thread(meanwhile)
    while True:
        last = await socket.receive_output(10)
        if last["type"] == "websocket.close" or json.loads(last["text"]):
            break
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait(10)
    return [first["type"], frame, last]


def outputs(client, match, meanwhile):
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_outputs(client, match.slug, meanwhile))).result()


def test_it_tells_the_version_of_its_match_and_closes_when_the_link_is_void(alice, bob, settings, monkeypatch):
    settings.SITE_URL = "http://testserver"
    monkeypatch.setattr(sockets, "BEAT", 0.05)
    monkeypatch.setattr(sockets, "RECHECK_EVERY", 1)
    match = seated(alice, bob, audience="seated")
    client = Client()
    assert client.get(urlsplit(links.to_match(alice, match, match.version)).path).status_code == 302
    accepted, frame, closed = outputs(client, match, lambda: mailing.end_links(alice.pk))
    assert accepted == "websocket.accept"
    assert frame == {"match": match.slug, "version": 1, "status": "playing", "gathered": match.gathered}
    assert (closed["type"], closed["code"]) == ("websocket.close", sockets.ENDED)
    other = seated(alice, bob, audience="seated")
    assert outputs(client, other, lambda: None) == ["websocket.close"]
