"""A game is one folder: dropped on a path of GAME_PATHS it is there, and played to the end on the plain table."""

from __future__ import annotations

from functools import partial

import pytest

from tests.serving import ROOT, Player, Server, turn_or_end
from tests.waiting import wait_for


@pytest.fixture
def server(tmp_path):
    """The site with a folder of further games."""
    server = Server(tmp_path / "var", GAME_PATHS=str(ROOT / "tests" / "toys"))
    server.start()
    yield server
    server.stop()


def test_a_folder_is_a_game(server):
    with Player(server) as player:
        assert any("/new/sticks/" in link.href for link in player.page("/new/").links)
        form = player.page("/new/sticks/").form(field="seats")
        answer = player.client.post(
            "/new/sticks/", data={**form.fields, "seats": "3", "bots": "2", "option_heap": "21"}
        )
        assert answer.status_code == 302
        url = answer.headers["location"]
        turns = 0
        while (fields := wait_for(partial(turn_or_end, player, url))) != "over":
            assert player.send(url, fields) == 302
            turns += 1
        assert turns >= 2
        assert "took the last stick" in player.page(url).text
        assert player.client.get("/rules/sticks/").status_code == 200
    assert "0 differences" in server.manage("verify")
