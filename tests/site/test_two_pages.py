"""Two page processes on one PostgreSQL, and a third that looks after clocks: of a move and the time-out one happens."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import uuid4

import httpx
import pytest

from games.clock import GRACE
from tests.serving import ROOT, Server
from tests.site.preparing import kinds, logged_in, matches

SWEEPER = """
import sys, django
django.setup()
from games import tasks
for _line in sys.stdin:
    print(tasks.deadlines(), flush=True)
"""
"""A worker that sweeps when it is told to, and answers with the number of time-outs."""

PAIR = 25
"""Rounds that one pair of players plays: nobody may move too often in a minute."""

DUE = (
    "UPDATE games_match SET deadline = clock_timestamp() + make_interval(secs => %s),"
    " decision_at = clock_timestamp() + make_interval(secs => %s) - interval '2 days' WHERE slug = %s"
)


@pytest.fixture
def pages(postgres, tmp_path) -> Iterator[list[Server]]:
    """Two page processes on one database."""
    shared = {"DATABASE_URL": postgres.site(), "NA_TAHU_SECRET_KEY": "k" * 50}
    servers = [Server(tmp_path / name, **shared) for name in ("one", "two")]
    for server in servers:
        server.start("--no-worker", healthy=False)
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture
def sweeper(pages) -> Iterator[subprocess.Popen[str]]:
    """The process that looks after clocks."""
    environment = {**pages[0].environment, "DJANGO_SETTINGS_MODULE": "config.settings"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", SWEEPER], cwd=ROOT, env=environment, text=True, **pipes)
    assert swept(process) == 0
    yield process
    process.communicate()


def swept(process: subprocess.Popen[str]) -> int:
    """Lets the sweeper sweep once; the number of time-outs."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return int(process.stdout.readline())


class Race:
    """The same turn is sent to both pages while its time runs out and the sweeper looks after it."""

    STEP = 0.02
    """Seconds by which the next move has more time or less, and twice as many each time that the same side wins again:
    so either may be first, however busy the machine is."""

    def __init__(self, pages: list[Server], sweeper: subprocess.Popen[str]) -> None:
        self.pages, self.sweeper = pages, sweeper
        self.left, self.step, self.before = 0.0, self.STEP, ""
        self.pool = ThreadPoolExecutor(3)
        self.clients = [httpx.Client(base_url=page.url, timeout=20) for page in pages]

    def close(self) -> None:
        """Ends its threads and connections."""
        self.pool.shutdown()
        for client in self.clients:
            client.close()

    def between(self, names: tuple[str, str], rounds: int) -> Iterator[str]:
        """What won in each of these rounds between the same two players."""
        sessions, token = logged_in(self.pages[0], names), "t" * 32
        for match in matches(self.pages[0], names, rounds):
            for client in self.clients:
                client.cookies = httpx.Cookies({"sessionid": sessions[match["mover"]], "csrftoken": token})
            won = self.round(match["slug"], {"csrfmiddlewaretoken": token, "steps": match["steps"], "version": "1"})
            self.step = min(2 * self.step, 1) if won == self.before else self.STEP
            self.left += self.step if won == "timeout" else -self.step
            self.before = won
            yield won

    def round(self, slug: str, fields: dict[str, str]) -> str:
        """The kind of the one row that it gave."""
        first = self.pages[0]
        first.ask("UPDATE games_heartbeat SET at = clock_timestamp()")  # the site never stood still
        until = self.left - GRACE.total_seconds()
        first.ask(DUE, until, until, slug)
        barrier = threading.Barrier(3)

        def post(client: httpx.Client) -> int:
            barrier.wait(10)
            return client.post(f"/match/{slug}/", data={**fields, "key": str(uuid4())}).status_code

        def sweep() -> int:
            barrier.wait(10)
            return swept(self.sweeper)

        calls = [self.pool.submit(call) for call in (*(partial(post, client) for client in self.clients), sweep)]
        *statuses, closed = (call.result(30) for call in calls)
        if kinds(first, slug) == ["start"]:
            closed += swept(self.sweeper)  # it came a moment too early
        _start, won = kinds(first, slug)
        assert closed == (won == "timeout")
        if won == "play":
            assert sorted(statuses) == [302, 409]
        else:
            assert set(statuses) <= {404, 409}  # too late, or out already: who has left acts for nobody
        return won


@pytest.fixture
def race(pages, sweeper) -> Iterator[Race]:
    """The race, on pages and clocks that run."""
    race = Race(pages, sweeper)
    yield race
    race.close()


def test_of_a_move_on_two_pages_and_the_time_out_exactly_one_happens(race, thorough, capsys):
    rounds = 300 if thorough else 10
    won = Counter[str]()
    for number in range(0, rounds, PAIR):
        won.update(race.between((f"ann{number}", f"ben{number}"), min(PAIR, rounds - number)))
    assert sum(won.values()) == rounds
    assert set(won) <= {"play", "timeout"}
    if thorough:
        assert len(won) == 2, "one of them was always first: the rounds prove nothing"
        with capsys.disabled():
            print(f"\n{rounds} rounds on two page processes: {dict(won)}")
    assert json.loads(race.pages[0].manage("verify", "--json"))["differences"] == []
