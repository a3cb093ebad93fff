"""The socket of a page that was opened by the link of a mail: hints of this match, as long as the link holds."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import urlsplit

import pytest

from games import links
from games.consumers import sockets
from games.services import mailing
from tests.client import Client
from tests.conftest import seated
from tests.games.listeners import apart, of_page, socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def outputs(client, match, meanwhile):
    """What the server does with a socket: accepts or closes, the first frame, and what comes after ``meanwhile``."""

    async def work():
        async with socket(of_page(client), f"match={match.slug}", "/ws/") as (talk, answer):
            if answer != "websocket.accept":
                return [answer]
            frame = json.loads((await talk.receive_output(10))["text"])
            await asyncio.to_thread(meanwhile)
            while (last := await talk.receive_output(10))["type"] != "websocket.close":
                if json.loads(last["text"]):
                    break
            return [answer, frame, last]

    return apart(work)


def test_it_tells_the_version_of_its_match_and_closes_when_the_link_is_void(quick, alice, bob, settings):
    settings.SITE_URL = "http://testserver"
    match = seated(alice, bob, audience="seated")
    client = Client()
    assert client.get(urlsplit(links.to_match(alice, match, match.version)).path).status_code == 302
    accepted, frame, closed = outputs(client, match, lambda: mailing.end_links(alice.pk))
    assert accepted == "websocket.accept"
    assert frame == {"match": match.slug, "version": 1, "status": "playing", "gathered": match.gathered}
    assert (closed["type"], closed["code"]) == ("websocket.close", sockets.ENDED)
    other = seated(alice, bob, audience="seated")
    assert outputs(client, other, lambda: None) == ["websocket.close"]
