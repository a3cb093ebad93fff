"""kill -9 in mid-play: no acknowledged move is lost, none is made twice, and the bots go on after a restart."""

from __future__ import annotations

import json
import random
import sqlite3
import threading

import httpx
import pytest

from tests.serving import Player, Server
from tests.waiting import wait_for


@pytest.fixture
def server(tmp_path):
    """The site, running."""
    server = Server(tmp_path / "var", SWEEP_BOTS_SECONDS="0.1")
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


def logged(server, slug):
    """The keys of the rows that people made, as the database has them."""
    with sqlite3.connect(f"file:{server.folder / 'db.sqlite3'}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT m.key FROM games_move m JOIN games_match g ON g.id = m.match_id"
            " WHERE g.slug = ? AND m.key NOT NULL",
            (slug,),
        )
        return [key for (key,) in rows]


def test_no_acknowledged_move_is_lost(server, thorough):
    chance = random.Random(11)
    acknowledged: list[tuple[str, str]] = []
    for _round in range(60 if thorough else 5):
        player = Player(server)
        killer = threading.Timer(chance.uniform(0.3, 1.5), server.kill)
        killer.start()
        url, fields = "", None
        try:
            while True:
                url = player.begin()
                while fields := wait_for(lambda: _turn_or_end(player, url)):  # noqa: B023 - called at once
                    if fields == "over":
                        break
                    if player.send(url, fields) == 302:
                        acknowledged.append((url, fields["key"]))
                    fields = None
        except httpx.TransportError:
            pass
        killer.join()
        server.start()
        for there, key in acknowledged:
            assert logged(server, there.split("/")[2]).count(key.replace("-", "")) == 1
        if isinstance(fields, dict):
            # The answer was cut off: the same form again gives the one true answer.
            assert player.send(url, fields) in (302, 403, 409)
            assert logged(server, url.split("/")[2]).count(fields["key"].replace("-", "")) <= 1
        if url:
            # Whoever's turn it was, the bot goes on.
            wait_for(lambda: _turn_or_end(player, url))  # noqa: B023 - called at once
    assert len(acknowledged) >= 3
    assert json.loads(server.manage("verify", "--json"))["differences"] == []


def _turn_or_end(player, url):
    """The next turn of the player, or "over"; None while the bot thinks."""
    answer = player.client.get(url + "version.json").json()
    if answer["status"] == "finished":
        return "over"
    return player.turn(url)
