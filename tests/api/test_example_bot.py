"""The example bot: copied elsewhere and run by itself, it plays every game to its end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
import uvicorn

from config.asgi import application
from games import live, registry
from games.models import Match
from games.services import api_bots, lobby
from tests.conftest import move
from tests.waiting import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]

EXAMPLE = Path(__file__).parents[2] / "docs" / "example_bot.py"


@pytest.fixture
def site():
    """The address of the site, served as ``./play`` does, by a thread of the test."""
    before = live._loop
    with socket.create_server(("localhost", 0)) as listening:
        config = uvicorn.Config(application, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        wait_for(lambda: server.started)
        yield f"http://localhost:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(15)
    live._loop = before


@pytest.mark.usefixtures("unlimited")
def test_the_example_plays_every_game_to_its_end(site, alice, bob, tmp_path):
    assert len(EXAMPLE.read_text().splitlines()) <= 60
    games = list(registry.all_titles())
    bot, token = api_bots.make(bob, "Roby", api_bots.Facts(about="", games=games, everybody=True))
    program = tmp_path / EXAMPLE.name
    shutil.copy(EXAMPLE, program)
    environment = {"PATH": os.environ["PATH"], "NA_TAHU_URL": site, "NA_TAHU_TOKEN": token}
    with (tmp_path / "said").open("w") as said:
        running = subprocess.Popen(
            [sys.executable, "-I", program], cwd=tmp_path, env=environment, stdout=said, stderr=subprocess.STDOUT
        )
        try:
            for game in games:
                match = lobby.create(alice, lobby.Proposal(game, 2, 0), [bot.user])
                play(match, alice)
            assert running.poll() is None
        finally:
            running.kill()
            running.wait(10)
    assert (tmp_path / "said").read_text() == ""
    assert set(Match.objects.values_list("game", "status")) == {(game, "finished") for game in games}
    assert not Match.objects.filter(end_reason__in=["resign", "timeout"]).exists()


def play(match: Match, player) -> None:
    """Plays for the player until the match is over; the bot plays for itself."""
    while (found := wait_for(partial(turn_or_end, match, player))).status == Match.Status.PLAYING:
        move(found)


def turn_or_end(match: Match, player) -> Match | None:
    """The match when it waits for the player, or is over."""
    found = Match.objects.get(pk=match.pk)
    if found.status == Match.Status.PLAYING and not found.seats.filter(number=found.active_seat, user=player).exists():
        return None
    return None if found.status == Match.Status.OPEN else found
