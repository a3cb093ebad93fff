"""Worker and schedule that look alive and do nothing: seen by the work that is not done, ended, and started again."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from tests.keeping import celery
from tests.proxy import Proxy
from tests.serving import Player, Server
from tests.waiting import wait_for

STANDSTILL = 30
"""Seconds without a sweep after which the processes end; the heartbeat is noted every 20."""

RECOVERED_WITHIN = 240
"""Seconds until the heartbeat must be back, whatever happened between worker and broker."""


@pytest.fixture
def between(redis):
    """What stands between Redis and all who use it."""
    proxy = Proxy(redis.port)
    yield proxy
    proxy.stop()


@pytest.fixture
def server(tmp_path, between):
    """The pages, which reach Redis only by what stands between."""
    url = f"redis://127.0.0.1:{between.port}/0"
    server = Server(tmp_path / "var", REDIS_URL=url, STANDSTILL_SECONDS=str(STANDSTILL))
    server.start("--no-worker", healthy=False)
    yield server
    server.stop()


def goes_on(server: Server, late: float = 0) -> None:
    """Waits for a sweep that ran at least ``late`` seconds after now: what was on its way before is done by then."""
    since = f"{datetime.now(UTC) + timedelta(seconds=late):%F %T}"
    beaten = "SELECT at FROM games_heartbeat WHERE sweep = 'bots' AND at > %s"
    wait_for(lambda: server.ask(beaten, since), RECOVERED_WITHIN)


def test_o31_work_goes_on_after_every_connection_to_redis_fell_silent(server, between, tmp_path):
    with celery(server, tmp_path), Player(server) as player:
        goes_on(server)
        between.lose()
        url = player.begin()
        assert player.client.get(url).status_code == 200
        goes_on(server, late=15)
        wait_for(lambda: player.client.get("/healthz").status_code == 200, RECOVERED_WITHIN)
    assert json.loads(server.manage("verify", "--json"))["differences"] == []


def test_o31_a_worker_that_lives_and_does_nothing_is_replaced(server, tmp_path):
    with celery(server, tmp_path) as (worker, _schedule):
        goes_on(server)
        first, stopped = worker.process.pid, worker.children
        assert stopped
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            goes_on(server, late=15)
            assert worker.process.pid != first
        finally:
            for pid in stopped:
                with suppress(ProcessLookupError):  # Celery may have done so itself
                    os.kill(pid, signal.SIGKILL)
