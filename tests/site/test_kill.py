"""kill -9 in mid-play: no acknowledged move is lost, none is made twice, and the bots go on after a restart."""

from __future__ import annotations

import json
import random
import sqlite3
import threading
from contextlib import closing
from functools import partial

import httpx
import pytest

from tests.serving import Player, Server, turn_or_end
from tests.waiting import wait_for


@pytest.fixture
def server(tmp_path):
    """The site, running."""
    server = Server(tmp_path / "var", SWEEP_BOTS_SECONDS="0.1")
    server.start()
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


def logged(server, url):
    """The keys of the rows that people made in a match, as the database has them."""
    with closing(sqlite3.connect(f"file:{server.folder / 'db.sqlite3'}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT m.key FROM games_move m JOIN games_match g ON g.id = m.match_id"
            " WHERE g.slug = ? AND m.key NOT NULL",
            (url.split("/")[2],),
        )
        return [key for (key,) in rows]


def test_no_acknowledged_move_is_lost(server, thorough):
    chance = random.Random(11)
    acknowledged: list[tuple[str, str]] = []
    for _round in range(60 if thorough else 5):
        with Player(server) as player:
            url, cut = play_until_killed(server, player, chance, acknowledged)
            server.start()
            for there, key in acknowledged:
                assert logged(server, there).count(key.replace("-", "")) == 1
            if cut:
                # The answer was cut off: the same form again gives the one true answer.
                stored = logged(server, url).count(cut["key"].replace("-", ""))
                answer = player.send(url, cut)
                assert answer == 302 if stored else answer in (302, 409)
                assert logged(server, url).count(cut["key"].replace("-", "")) <= 1
            if url:
                # Whoever's turn it was, the bot goes on.
                wait_for(partial(turn_or_end, player, url))
    assert len(acknowledged) >= (60 if thorough else 5)
    assert json.loads(server.manage("verify", "--json"))["differences"] == []


def play_until_killed(server, player, chance, acknowledged):
    """Plays on until the server is killed about one of the next turns; the match, and the form that got no answer."""
    killer = threading.Timer(chance.uniform(0, 0.3), server.kill)
    last_calm = len(acknowledged) + chance.randint(1, 4)
    url, fields = "", None
    try:
        while True:
            url = player.begin()
            while (fields := wait_for(partial(turn_or_end, player, url))) != "over":
                if len(acknowledged) >= last_calm and not killer.is_alive():
                    killer.start()
                if player.send(url, fields) == 302:
                    acknowledged.append((url, fields["key"]))
                fields = None
    except httpx.TransportError:
        return url, fields if isinstance(fields, dict) else None
    finally:
        killer.join()
