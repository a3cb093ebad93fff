"""PostgreSQL crashes and comes back: who asks meanwhile is told to come again, and nothing is half done."""

from __future__ import annotations

import json

import pytest

from tests.serving import Player, Server
from tests.waiting import wait_for


@pytest.fixture
def server(postgres, tmp_path):
    """The pages on a PostgreSQL that may crash, without a worker."""
    server = Server(tmp_path / "var", DATABASE_URL=postgres.site())
    server.start("--no-worker", healthy=False)
    yield server
    server.stop()


def test_a_turn_is_made_once_though_the_database_crashes(postgres, server):
    with Player(server) as alice, Player(server) as bob:
        url = alice.invite(bob)
        player = alice if alice.turn(url) else bob
        fields = player.turn(url)
        assert fields is not None
        postgres.crash()
        try:
            away = player.client.post(url, data=fields)
            assert (away.status_code, away.headers["retry-after"]) == (503, "5")
        finally:
            postgres.start()
        wait_for(lambda: player.send(url, fields) == 302, 30)
        assert player.send(url, fields) == 302
        assert player.client.get(url + "version.json").json()["version"] == 2
    assert json.loads(server.manage("verify", "--json"))["differences"] == []
