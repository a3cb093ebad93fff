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
    shared = {"DATABASE_URL": postgres.database(f"site-{uuid4()}"), "NA_TAHU_SECRET_KEY": "k" * 50}
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


def test_of_a_move_on_two_pages_and_the_time_out_exactly_one_happens(pages, sweeper, thorough, capsys):
    rounds = 300 if thorough else 10
    won: Counter[str] = Counter()
    with ThreadPoolExecutor(3) as pool:
        for number in range(0, rounds, PAIR):
            for outcome in played(pages, sweeper, pool, min(PAIR, rounds - number), number):
                won[outcome] += 1
    assert sum(won.values()) == rounds
    assert set(won) <= {"play", "timeout"}
    if thorough:
        assert len(won) == 2, "one of them was always first: the rounds prove nothing"
        with capsys.disabled():
            print(f"\n{rounds} rounds on two page processes: {dict(won)}")
    assert json.loads(pages[0].manage("verify", "--json"))["differences"] == []


def played(pages, sweeper, pool, rounds, first) -> Iterator[str]:
    """What won in each of these rounds between the same two players."""
    names = (f"ann{first}", f"ben{first}")
    sessions = logged_in(pages[0], names)
    for number, match in enumerate(matches(pages[0], names, rounds), start=first):
        token = "t" * 32
        cookies = {"sessionid": sessions[match["mover"]], "csrftoken": token}
        fields = {"csrfmiddlewaretoken": token, "steps": match["steps"], "version": "1"}
        yield one_round(pages, sweeper, pool, match["slug"], cookies, fields, number)


def one_round(pages, sweeper, pool, slug, cookies, fields, number) -> str:
    """The same turn is sent to both pages while the clock runs out and is looked after: the kind of the row it gave."""
    # The move stops counting two seconds behind the deadline; about then all three begin.
    offset = -2 + (number % 10) * 0.012 - 0.02
    pages[0].ask(DUE, offset, offset, slug)
    barrier = threading.Barrier(3)

    def post(page: Server) -> int:
        barrier.wait(10)
        body = {**fields, "key": str(uuid4())}
        return httpx.post(f"{page.url}/match/{slug}/", data=body, cookies=cookies, timeout=20).status_code

    def sweep() -> int:
        barrier.wait(10)
        return swept(sweeper)

    calls = [partial(post, pages[0]), partial(post, pages[1]), sweep]
    first, second, closed = (call.result(30) for call in [pool.submit(call) for call in calls])
    statuses = sorted((first, second))
    if kinds(pages[0], slug) == ["start"]:
        closed += swept(sweeper)  # it came a moment too early
    _start, won = kinds(pages[0], slug)
    assert closed == (won == "timeout")
    if won == "play":
        assert statuses == [302, 409]
    else:
        assert set(statuses) <= {404, 409}  # too late, or out already: who has left acts for nobody
    return won
