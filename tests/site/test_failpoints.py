"""Death at the worst moments: whatever was answered is in the log, whatever is repeated is there once."""

from __future__ import annotations

import json
import signal
from functools import partial

import httpx
import pytest

from games.failpoints import reach
from tests.serving import Player, Server, turn_or_end
from tests.waiting import wait_for

STORED = {
    "before_lock": False,
    "after_lock": False,
    "before_commit": False,
    "after_commit": True,
    "before_answer": True,
}
"""The points on the way of a posted turn, and whether its row is there when the process dies at them."""


@pytest.fixture(scope="module")
def server(database, tmp_path_factory):
    """The site without sweeps: nobody but the two people moves."""
    server = Server(tmp_path_factory.mktemp("points") / "var", **database)
    yield server
    assert json.loads(server.manage("verify", "--json"))["differences"] == []


def numbers(server: Server, url: str) -> list[int]:
    """The numbers of the rows of a match."""
    sql = (
        "SELECT games_move.number FROM games_move JOIN games_match ON games_match.id = match_id"
        " WHERE slug = %s ORDER BY 1"
    )
    return [number for (number,) in server.ask(sql, url.split("/")[2])]


def texts(server: Server, key: str) -> list[str]:
    """What the rows with a key say: one, or none."""
    stored = key if "DATABASE_URL" in server.environment else key.replace("-", "")
    return [text for (text,) in server.ask("SELECT text FROM games_move WHERE key = %s", stored)]


def play_until_death(players: list[Player], url: str) -> tuple[dict[str, str], dict[str, str], Player]:
    """Plays by turns until an answer is missing: the turns acknowledged (key: steps), the one without, and whose."""
    acknowledged: dict[str, str] = {}
    for _round in range(10):
        for player in players:
            fields = player.turn(url)
            if fields is None:
                continue
            try:
                assert player.send(url, fields) == 302
            except httpx.TransportError:
                return acknowledged, fields, player
            acknowledged[fields["key"]] = fields["steps"]
    raise AssertionError("nobody died")


@pytest.mark.parametrize("point", STORED)
def test_the_same_post_after_a_death_gives_the_one_true_answer(server, point):
    # The first pass of the others is the start of the match, which is not answered by this view.
    server.environment["FAIL_AT"] = f"{point}:{2 if point == 'before_answer' else 3}"
    server.start("--no-worker", healthy=False)
    with Player(server) as alice, Player(server) as bob:
        url = alice.invite(bob, option_game="advanced")  # which is never over after a turn
        acknowledged, cut, player = play_until_death([alice, bob], url)
        assert server.death() == -signal.SIGKILL
        assert len(acknowledged) == 1
        del server.environment["FAIL_AT"]
        server.start("--no-worker", healthy=False)
        assert texts(server, cut["key"]) == [cut["steps"]] * STORED[point]
        for _time in range(2):
            assert player.send(url, cut) == 302
            assert texts(server, cut["key"]) == [cut["steps"]]
            assert numbers(server, url) == [1, 2, 3]
        for key, steps in acknowledged.items():
            assert texts(server, key) == [steps]
        version = alice.client.get(url + "version.json").json()
        assert version == bob.client.get(url + "version.json").json()
        assert (version["version"], version["status"]) == (3, "playing")
        if version["status"] == "playing":
            other = bob if player is alice else alice
            assert any(
                follower.send(url, fields) == 302 for follower in (other, player) if (fields := follower.turn(url))
            )
    assert server.stop() == 0


@pytest.fixture
def sweeping(tmp_path):
    """The site with its sweeps."""
    server = Server(tmp_path / "var")
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


def play_until_cut_off(player: Player, url: str) -> None:
    """Plays against the bots until no answer comes."""
    try:
        while (fields := wait_for(partial(turn_or_end, player, url))) != "over":
            assert player.send(url, fields) == 302
    except httpx.TransportError:
        return
    raise AssertionError("the match was over before the server died")


@pytest.mark.parametrize("point", ["after_claim:1", "before_commit:3", "after_commit:3"])
def test_bots_go_on_after_a_death_in_their_move(sweeping, point):
    sweeping.environment["FAIL_AT"] = point
    sweeping.start()
    with Player(sweeping) as player:
        url = player.begin()
        play_until_cut_off(player, url)
        assert sweeping.death() == -signal.SIGKILL
        left = numbers(sweeping, url)
        del sweeping.environment["FAIL_AT"]
        sweeping.start()
        wait_for(partial(turn_or_end, player, url))
        assert numbers(sweeping, url)[: len(left)] == left == list(range(1, len(left) + 1))
    assert json.loads(sweeping.manage("verify", "--json"))["differences"] == []


def test_a_time_out_happens_once_though_the_sweep_died_in_it(sweeping):
    sweeping.environment["FAIL_AT"] = "after_claim"
    sweeping.start()
    with Player(sweeping) as alice, Player(sweeping) as bob:
        url = alice.invite(bob)
        overdue = "UPDATE games_match SET decision_at = '2025-01-01 00:00:00', deadline = '2025-01-03 00:00:00'"
        sweeping.ask(f"{overdue} WHERE slug = %s", url.split("/")[2])
        assert sweeping.death() == -signal.SIGKILL
        assert numbers(sweeping, url) == [1]
        del sweeping.environment["FAIL_AT"]
        sweeping.start()
        over = {"version": 2, "status": "finished"}.items()
        wait_for(lambda: over <= alice.client.get(url + "version.json").json().items())
    kinds = sweeping.ask("SELECT kind FROM games_move ORDER BY number")
    assert kinds.count(("timeout",)) == 1
    assert json.loads(sweeping.manage("verify", "--json"))["differences"] == []


def test_nothing_happens_at_a_point_that_is_not_named(settings):
    for named in ("", "before_lock", "before_commit:9"):
        settings.FAIL_AT = named
        reach("before_commit")
