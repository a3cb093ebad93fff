"""Celery's worker and schedule as threads of the serving process."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time

import pytest

from config import embedded, lifespan
from config.celery import app
from games.models import Heartbeat
from tests.serving import Server
from tests.waiting import wait_for


@pytest.fixture
def running(transactional_db):
    """Worker and schedule, running in this process."""
    embedded.start()
    yield
    embedded.stop()


@pytest.fixture
def ticks():
    """A task that is due ten times a second; the list grows with each run."""
    seen: list[float] = []

    @app.task(name="tests.tick")
    def tick():
        seen.append(time.monotonic())

    usual = app.conf.beat_schedule
    app.conf.beat_schedule = {"tick": {"task": tick.name, "schedule": 0.1, "options": {"expires": 1}}}
    yield seen
    app.conf.beat_schedule = usual
    app.tasks.unregister(tick.name)


def test_every_sweep_runs_when_it_starts(running):
    assert embedded.alive() is True
    wait_for(lambda: set(Heartbeat.objects.values_list("pk", flat=True)) >= {"bots", "deadlines", "guests"})


def test_the_process_it_is_a_part_of_is_not_watched(running):
    assert "watchdog" not in {thread.name for thread in threading.enumerate()}


def test_what_is_due_again_runs_again(ticks, running):
    wait_for(lambda: len(ticks) >= 5)


def test_without_it_nothing_is_said_about_life():
    assert embedded.alive() is None


def test_it_stops_soon_and_can_be_started_again(ticks, transactional_db):
    for _time in range(2):
        embedded.start()
        wait_for(lambda: ticks)
        began = time.monotonic()
        embedded.stop()
        assert time.monotonic() - began < 5
        assert embedded.alive() is None
        ticks.clear()


def test_a_worker_that_ends_is_started_again(ticks, running, monkeypatch):
    wait_for(lambda: ticks)
    app.control.shutdown(destination=[embedded.NAME])
    wait_for(lambda: embedded.alive() is False)
    wait_for(embedded.alive)
    ticks.clear()
    wait_for(lambda: ticks)


def test_a_schedule_that_breaks_is_started_again(ticks, running, monkeypatch, caplog):
    real = embedded.Service.start
    broken = []

    def break_once(service, *arguments):
        if not broken:
            broken.append(service)
            raise RuntimeError("broken on purpose")
        real(service, *arguments)

    monkeypatch.setattr(embedded.Service, "start", break_once)
    embedded._schedule.stop()
    wait_for(lambda: broken)
    ticks.clear()
    wait_for(lambda: ticks)
    assert "broken on purpose" in caplog.text


@pytest.mark.parametrize(("switch", "expected"), [("1", ["start", "stop"]), ("", [])])
def test_the_server_starts_and_stops_it(monkeypatch, switch, expected):
    done: list[str] = []
    monkeypatch.setenv(lifespan.SWITCH, switch)
    monkeypatch.setattr(embedded, "start", lambda: done.append("start"))
    monkeypatch.setattr(embedded, "stop", lambda: done.append("stop"))
    monkeypatch.setattr(lifespan.live, "use_loop", lambda loop: None)
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = []

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message["type"])

    asyncio.run(lifespan.lifespan({"type": "lifespan"}, receive, send))
    assert done == expected
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_after_kill_9_the_sweeps_go_on(tmp_path):
    server = Server(tmp_path / "var")
    server.start()
    server.kill()
    with sqlite3.connect(server.folder / "db.sqlite3") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.execute("DELETE FROM games_heartbeat")
    connection.close()
    server.start()  # returns when all sweeps have left a heartbeat again
    assert server.stop() == 0
