"""Death while a push is on its way: nothing is lost, and there is at most one copy more, known as one."""

from __future__ import annotations

import signal
import subprocess

import pytest

from tests.pushing import KEY, Browser, first_to_move, push_service
from tests.serving import Player, Server

COPIES = {"after_claim_delivery": 1, "after_send": 2, "after_mark": 1}
"""The points on the way of a delivery, and how often it arrives when the process dies there once."""

SWEEP = "from games import tasks; tasks.deliveries()"


@pytest.fixture
def service():
    """The push service."""
    with push_service() as found:
        yield found


@pytest.fixture(scope="module")
def server(database, tmp_path_factory):
    """The site without sweeps, with a key for pushes, which may go to this machine."""
    folder = tmp_path_factory.mktemp("deaths") / "var"
    server = Server(folder, VAPID_PRIVATE_KEY=KEY, PUSH_ALLOW_LOOPBACK="1", **database)
    server.start("--no-worker", healthy=False)
    yield server
    server.stop()


def sweep(server: Server, fail_at: str = "") -> int:
    """Lets a process look what is due, which may be killed on the way; its exit code."""
    server.environment["FAIL_AT"] = fail_at
    try:
        server.manage("shell", "-v0", "-c", SWEEP)
    except subprocess.CalledProcessError as death:
        return death.returncode
    finally:
        del server.environment["FAIL_AT"]
    return 0


@pytest.mark.parametrize("point", COPIES)
def test_a_push_survives_the_death_of_its_sender(server, service, point):
    browser, path = Browser(), f"/{point}"
    with Player(server) as player, Player(server) as friend:
        player.begin()
        token = player.client.get("/settings/notices/devices/key.json").json()["token"]
        device = {"endpoint": service.endpoint(path), "csrfmiddlewaretoken": token, **browser.keys}
        assert player.client.post("/settings/notices/devices/add.json", data=device).status_code == 201
        url = first_to_move(server, player, friend)
    mine = "SELECT d.status, d.tries FROM games_delivery d JOIN games_notice n ON n.id = d.notice_id JOIN games_match m"
    mine += " ON m.id = n.match_id WHERE m.slug = %s AND n.kind = 'turn' AND d.channel = 'push'"
    # Of several matches that were begun only this one is to be told of: of the others no delivery is made out at all,
    # since the sender dies at the first that it takes, be it one that is not sent any more.
    other = "UPDATE games_notice SET routed_at = at WHERE match_id <> (SELECT id FROM games_match WHERE slug = %s)"
    server.ask(other, url.split("/")[2])
    assert sweep(server, f"{point}:1") == -signal.SIGKILL
    sent = point == "after_mark"
    assert server.ask(mine, url.split("/")[2]) == [("sent" if sent else "sending", 1)]
    # As long as the lease lasts nobody else sends it.
    assert sweep(server) == 0
    assert len(service.at(path)) == (0 if point == "after_claim_delivery" else 1)
    server.ask("UPDATE games_delivery SET lease_until = '2026-01-01 00:00:00' WHERE status = 'sending'")
    assert sweep(server) == 0
    assert server.ask(mine, url.split("/")[2]) == [("sent", 1 if sent else 2)]
    pushes = service.at(path)
    assert len(pushes) == COPIES[point]
    assert {browser.told(push.body)["url"] for push in pushes} == {url}
    assert len({push.headers["topic"] for push in pushes}) == 1
