"""The same code with Redis: Celery in processes of its own, and what happens when Redis dies."""

from __future__ import annotations

import json
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.keeping import celery
from tests.serving import Player, Redis, Server, turn_or_end
from tests.waiting import wait_for

STARTED_WITHIN = 120
"""Seconds for Celery's processes to start on a busy machine."""

RECOVERED_WITHIN = 90
"""Seconds after the return of Redis until bots move again on a busy machine: Celery waits longer each time it tries."""


@pytest.fixture
def server(tmp_path, redis):
    """The pages without a worker in the process."""
    server = Server(tmp_path / "var", REDIS_URL=redis.url)
    server.start("--no-worker", healthy=False)
    yield server
    server.stop()


@pytest.fixture
def worker(server, tmp_path):
    """Worker and schedule as processes."""
    with celery(server, tmp_path):
        yield


def whole_match(player: Player, redis: Redis, loss: bool) -> int:
    """Plays a match against bots to its end, with the loss of Redis at the first turn; the count of own turns.

    Bots may win before the player is asked at all: then there is no loss either.
    """
    url, turns = player.begin(), 0
    while (fields := wait_for(partial(turn_or_end, player, url), RECOVERED_WITHIN)) != "over":
        if loss and not turns:
            redis.kill()
        # Without Redis the turn is made, the pages are there, only the bots wait.
        assert player.send(url, fields) == 302
        assert player.client.get(url).status_code == 200
        assert player.client.get("/turns/").status_code == 200
        if loss and not turns:
            redis.start()  # empty
        turns += 1
    return turns


def test_o31_a_match_goes_on_with_worker_and_schedule_of_their_own_though_redis_dies(server, worker, redis):
    with Player(server) as player:
        wait_for(lambda: player.client.get("/healthz").status_code == 200, STARTED_WITHIN)
        for loss in (True, False):
            assert any(whole_match(player, redis, loss) for _attempt in range(5))
        wait_for(lambda: player.client.get("/healthz").status_code == 200, RECOVERED_WITHIN)
    assert json.loads(server.manage("verify", "--json"))["differences"] == []


def test_o31_the_embedded_worker_and_the_sockets_outlive_redis(tmp_path, redis):
    server = Server(tmp_path / "var", REDIS_URL=redis.url)
    server.start()
    with Player(server) as alice, Player(server) as bob:
        url = alice.invite(bob)
        address = f"ws://localhost:{server.port}/ws/?match={url.split('/')[2]}"
        with connect(address, origin=server.url, open_timeout=20) as socket:
            assert json.loads(socket.recv(timeout=20))["version"] == 1
            redis.kill()
            fields = alice.turn(url) or bob.turn(url)
            mover, rival = (alice, bob) if alice.turn(url) else (bob, alice)
            assert mover.send(url, fields) == 302
            assert mover.client.get(url + "version.json").json()["version"] == 2
            redis.start()
            # The next rows are told again, by this socket or, where the server gave it up, by the one after it.
            version = 2
            for player in (rival, mover, rival, mover):
                if fields := player.turn(url):
                    assert player.send(url, fields) == 302
                    version += 1
            assert version > 2
            try:
                told = partial(socket.recv, timeout=RECOVERED_WITHIN)
                while json.loads(told()).get("version") != version:
                    pass
            except (TimeoutError, ConnectionClosed):
                with connect(address, origin=server.url, open_timeout=20) as again:
                    assert json.loads(again.recv(timeout=20))["version"] == version
        # A bot that waited for its turn moves when the worker has its broker back.
        alone = alice.begin()
        wait_for(partial(turn_or_end, alice, alone), RECOVERED_WITHIN)
        redis.kill()
        if (fields := alice.turn(alone)) is not None:
            assert alice.send(alone, fields) == 302
        redis.start()
        wait_for(partial(turn_or_end, alice, alone), RECOVERED_WITHIN)
        wait_for(lambda: alice.client.get("/healthz").status_code == 200, RECOVERED_WITHIN)
    assert json.loads(server.manage("verify", "--json"))["differences"] == []
    assert server.stop() == 0
