"""The same code with Celery in processes of its own, on Redis."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest

from tests.serving import ROOT, Player, Redis, Server, turn_or_end
from tests.waiting import wait_for


@pytest.fixture
def redis(tmp_path):
    """A Redis of our own."""
    redis = Redis(tmp_path)
    yield redis
    redis.stop()


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
    log = (tmp_path / "celery.log").open("w")
    commands = (["worker", "--concurrency=2", "--pool=prefork"], ["beat", f"--schedule={tmp_path / 'beat'}"])
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config", *command, "--loglevel=WARNING"],
            cwd=ROOT,
            env=server.environment,
            stdout=log,
            stderr=log,
        )
        for command in commands
    ]
    yield
    for process in started:
        process.terminate()
    for process in started:
        process.wait(20)
    log.close()


def test_a_match_is_played_with_worker_and_schedule_of_their_own(server, worker):
    with Player(server) as player:
        wait_for(lambda: player.client.get("/healthz").status_code == 200, 40)
        url = player.begin()
        turns = 0
        while (fields := wait_for(partial(turn_or_end, player, url))) != "over":
            assert player.send(url, fields) == 302
            turns += 1
    assert turns >= 1
