"""Faults of clocks on comparable sites, by their numbers in our collection, against real processes and kill -9."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import httpx
import pytest

from tests.serving import ROOT, Player, Server
from tests.site.preparing import DUE, due_in, earlier, health, held, kinds, matches
from tests.waiting import wait_for

SWEEPS = 6
MINUTE, HOUR = 60, 3600


@pytest.fixture
def server(tmp_path):
    """The site, not running yet."""
    server = Server(tmp_path / "var")
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


def sweep(server: Server, **environment: str) -> subprocess.Popen[str]:
    """The command that does what is due, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "sweep", "deadlines", "--verbosity=2"],
        cwd=ROOT,
        env={**server.environment, **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def differences(server: Server) -> list[dict[str, str]]:
    """What ``manage.py verify`` finds."""
    found: list[dict[str, str]] = json.loads(server.manage("verify", "--json"))["differences"]
    return found


def test_o05_six_sweeps_and_the_worker_half_of_them_killed_close_a_turn_once(database, tmp_path):
    server = Server(tmp_path / "var", **database)
    made = matches(server, ("ann", "ben"), 50)
    server.ask(DUE)
    with held(server):
        server.start(healthy=False)
        # Half of them die in the midst of the first time-out that they have claimed.
        started = [sweep(server, **({"FAIL_AT": "after_claim"} if each % 2 else {})) for each in range(SWEEPS)]
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "deadlines ...\n"
    ends = [process.wait(60) for process in started]
    for process in started:
        process.communicate()
    assert set(ends[0::2]) == {0}
    assert set(ends[1::2]) <= {0, -signal.SIGKILL}
    assert -signal.SIGKILL in ends, "none of them died, so nothing was tried"
    assert server.manage("sweep", "deadlines").startswith("deadlines: ")
    assert [kinds(server, match["slug"]) for match in made] == [["start", "timeout"]] * 50
    assert differences(server) == []
    assert server.stop() == 0


def test_o07_nobody_loses_on_time_by_a_restart(server):
    server.start()
    with Player(server) as alice, Player(server) as bob:
        url = alice.invite(bob)
        slug = url.split("/")[2]
        slow, other = (alice, bob) if alice.turn(url) else (bob, alice)
        ((seat,),) = server.ask("SELECT active_seat FROM games_match WHERE slug = %s", slug)
        due_in(server, 30)
        server.kill()
        down = time.monotonic()
        earlier(server, 10 * MINUTE, silent=True)
        server.start()
        wait_for(lambda: kinds(server, slug) == ["start", "clock"])
        gone = time.monotonic() - down
        ((news,),) = server.ask("SELECT news FROM games_move WHERE kind = 'clock'")
        (told,) = json.loads(news)
        assert (told["why"], told["seat"]) == ("downtime", seat)
        assert 10 * MINUTE <= told["seconds"] <= 10 * MINUTE + gone + 1 + 20  # the last beat may be so old
        # The time it was due by the old reckoning is long over, and the player may still move.
        assert {"version": 2, "status": "playing"}.items() <= alice.client.get(url + "version.json").json().items()
        assert slow.turn(url) is not None
        earlier(server, 30 + gone + 40, silent=False)
        over = {"version": 3, "status": "finished"}.items()
        wait_for(lambda: over <= alice.client.get(url + "version.json").json().items(), 40)
        assert kinds(server, slug) == ["start", "clock", "timeout"]
        assert server.ask("SELECT seat FROM games_move WHERE kind = 'timeout'") == [(seat,)]
        assert "Your time ran out." in slow.page(url).text
        assert "Your time ran out." not in other.page(url).text
        assert "You have won." in other.page(url).text
    assert differences(server) == []


def test_an_hour_without_the_worker_is_an_hour_more(server):
    server.start()
    with Player(server) as alice, Player(server) as bob:
        url = alice.invite(bob)
        slug = url.split("/")[2]
        server.stop()
        stopped = time.monotonic()
        server.start("--no-worker", healthy=False)
        assert Counter(kinds(server, slug)) == {"start": 1}
        earlier(server, HOUR, silent=True)
        assert alice.client.get(url).status_code == 200
        server.stop()
        server.start()
        wait_for(lambda: kinds(server, slug) == ["start", "clock"])
        gone = time.monotonic() - stopped
        ((news,),) = server.ask("SELECT news FROM games_move WHERE kind = 'clock'")
        (told,) = json.loads(news)
        assert HOUR <= told["seconds"] <= HOUR + gone + 1 + 20
        assert "1 h" in alice.page(url).text
        assert "back to you" in alice.page(url).text + bob.page(url).text
    assert differences(server) == []


def test_o08_where_nobody_looks_after_clocks_it_shows_and_then_mends_itself(server, thorough):
    number = 1000 if thorough else 50
    server.start()
    assert health(server)[0] == 0
    server.stop()
    server.start("--no-worker", healthy=False)
    made = matches(server, ("ann", "ben"), number)
    earlier(server, 3 * MINUTE + 1, silent=True)
    status, report = health(server)
    assert (status, report["silent_sweeps"]) == (1, ["bots", "wishes", "deadlines"])
    assert httpx.get(f"{server.url}/healthz").status_code == 503
    # Overdue by more than the grace and a minute: that shows as well, though the sweeps look alive.
    due_in(server, -63)
    server.ask("UPDATE games_heartbeat SET at = CURRENT_TIMESTAMP")
    status, report = health(server)
    assert (status, report["overdue_decisions"], report["silent_sweeps"]) == (1, number, [])
    assert httpx.get(f"{server.url}/healthz").status_code == 503
    server.stop()
    server.start(healthy=False)
    wait_for(lambda: httpx.get(f"{server.url}/healthz").json()["overdue_decisions"] == 0, 120)
    wait_for(lambda: httpx.get(f"{server.url}/healthz").status_code == 200)
    assert health(server) == (0, {"ok": True, "silent_sweeps": [], "overdue_decisions": 0, "idle_bots": 0})
    assert [kinds(server, match["slug"]) for match in made] == [["start", "timeout"]] * number
