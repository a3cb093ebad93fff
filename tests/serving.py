"""The site as a process of its own, with a database of its own, to be killed and started again."""

from __future__ import annotations

import atexit
import os
import re
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, LiteralString, cast
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.reading import Page, chosen_turn
from tests.waiting import SWEPT

ROOT = Path(__file__).parent.parent
ADDRESS = re.compile(r"http://localhost:(\d+)/")

_prepared: dict[str, Path] = {}
"""Folders to copy from, by where further games are."""


class Server:
    """``manage.py serve`` on a free port, with its data in ``folder``."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "secret_key").write_text(secrets.token_urlsafe(50))
        clean = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        self.environment = {
            **clean,
            "NA_TAHU_VAR": str(folder),
            "SWEEP_BOTS_SECONDS": "0.1",
            "LIMITS_TIMES": "100",  # all visitors of a test come from one address
            "PYTHONUNBUFFERED": "1",
            **environment,
        }
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self._prepare()

    def _prepare(self) -> None:
        """An empty database and the collected assets: made once a run, since both take seconds, then copied.

        A database on PostgreSQL has its tables already, see ``Postgres.site``.
        """
        games = self.environment.get("GAME_PATHS", "")
        if games not in _prepared:
            fresh = Path(tempfile.mkdtemp(prefix="site-"))
            atexit.register(shutil.rmtree, fresh)
            shutil.copy(self.folder / "secret_key", fresh)
            environment = {**self.environment, "NA_TAHU_VAR": str(fresh)}
            environment.pop("DATABASE_URL", None)
            for command in (["migrate", "--verbosity=0"], ["collectstatic", "--noinput", "--verbosity=0"]):
                subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)
            _prepared[games] = fresh
        shutil.copytree(_prepared[games] / "static", self.folder / "static")
        if "DATABASE_URL" not in self.environment:
            shutil.copy(_prepared[games] / "db.sqlite3", self.folder)

    def manage(self, *arguments: str, seconds: int = 120) -> str:
        """The output of a management command on the same data; raises CalledProcessError if it fails."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, text=True, stdout=subprocess.PIPE, timeout=seconds
        )
        return done.stdout

    def start(self, *arguments: str, healthy: bool = True) -> None:
        """Starts it, on the same port as before if it ran, and waits until it answers (and work is being done)."""
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), *arguments]
        with (self.folder / "serve.log").open("a") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=log
            )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := ADDRESS.search(line):
                self.port = int(found[1])
                break
        end = time.monotonic() + SWEPT
        with httpx.Client(timeout=SWEPT) as client:
            while time.monotonic() < end:
                try:
                    answer = client.get(f"{self.url}/healthz")
                    if answer.status_code == 200 or not healthy:
                        return
                except httpx.TransportError:
                    assert self.process.poll() is None, "the server ended by itself"
                time.sleep(0.05)
        self.kill()
        raise AssertionError("the server did not get healthy: " + (self.folder / "serve.log").read_text()[-2000:])

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://localhost:{self.port}"

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives, straight from the database; places for values are %s."""
        address = self.environment.get("DATABASE_URL", "")
        if address:
            with psycopg.connect(address) as session:
                cursor = session.execute(cast(LiteralString, sql), values)
                return cursor.fetchall() if cursor.description else []
        with closing(sqlite3.connect(self.folder / "db.sqlite3", timeout=20)) as database, database:
            return database.execute(sql.replace("%s", "?"), values).fetchall()

    def death(self, seconds: float = SWEPT) -> int:
        """Waits until the process ends by itself; its exit code, negative for a signal."""
        assert self.process is not None
        self.process.communicate(timeout=seconds)
        return self.process.returncode

    def kill(self) -> None:
        """kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate(timeout=SWEPT)

    def stop(self) -> int:
        """Stops it as Ctrl-C does; its exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=SWEPT)
        return self.process.returncode


class Player:
    """A visitor without JavaScript, over the network."""

    def __init__(self, server: Server) -> None:
        self.chance = Random(5)
        self.client = httpx.Client(base_url=server.url, follow_redirects=False, timeout=SWEPT)

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_error: object) -> None:
        self.client.close()

    def page(self, url: str) -> Page:
        """The page at an address."""
        answer = self.client.get(url)
        assert answer.status_code == 200, (url, answer.status_code)
        return Page(answer.text)

    def begin(self) -> str:
        """Clicks the button of the front page; the address of the match."""
        form = self.page("/").form(action="/play-now/")
        answer = self.client.post(form.action, data=form.fields)
        assert answer.status_code == 302, answer.status_code
        return urlsplit(answer.headers["location"]).path

    def invite(self, friend: Player, game: str = "red", **options: str) -> str:
        """Makes a match of two and seats the friend, who comes by the link; the address of the match."""
        form = self.page(f"/new/{game}/").form(field="seats")
        answer = self.client.post(f"/new/{game}/", data={**form.fields, "seats": "2", "bots": "0", **options})
        assert answer.status_code == 302, answer.status_code
        url = urlsplit(answer.headers["location"]).path
        shown = re.findall(r'value="([^"]*/join/[^"]*)"', self.client.get(url).text)
        invitation = urlsplit(shown[0]).path
        answer = friend.client.post(invitation, data=friend.page(invitation).forms[-1].fields)
        assert answer.status_code == 302, answer.status_code
        return url

    def call_off(self, url: str) -> None:
        """Calls off a match that has just begun."""
        form = self.page(f"{url}cancel/").form(field="version")
        answer = self.client.post(f"{url}cancel/", data=form.fields)
        assert answer.status_code == 302, answer.status_code

    def turn(self, url: str) -> dict[str, str] | None:
        """The fields of a turn that the pages offer; None while it is not this player's turn."""
        form = chosen_turn(self.page, url, self.chance)
        return None if form is None else form.fields

    def send(self, url: str, fields: dict[str, str]) -> int:
        """Submits a turn; the status of the answer. Raises httpx.TransportError if none comes."""
        return self.client.post(url, data=fields).status_code


def turn_or_end(player: Player, url: str) -> dict[str, str] | str | None:
    """The next turn of the player, or "over"; None while the bot thinks."""
    answer = player.client.get(url + "version.json").json()
    return "over" if answer["status"] == "finished" else player.turn(url)


def needed(program: str) -> str:
    """The path of a system program; without it the test is skipped loudly, in CI it fails."""
    path = shutil.which(program)
    if path is None:
        raise missing(program)
    return path


def missing(package: str) -> BaseException:
    """What to raise in a test whose system package is not there."""
    sentence = f"{package} is not installed: ./play test says how to get it"
    return pytest.fail.Exception(sentence) if os.environ.get("CI") == "true" else pytest.skip.Exception(sentence)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Redis:
    """A Redis of the test's own, without files: whenever it starts it is empty."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.start()

    def start(self) -> None:
        """Starts it, on the same port as before if it was killed, and waits until it answers."""
        command = [needed("redis-server"), "--port", str(self.port), "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen([*command, "--bind", "127.0.0.1"], stdout=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("Redis did not start")

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> None:
        """Ends it."""
        self.process.terminate()
        self.process.wait(10)
