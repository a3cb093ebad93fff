"""A PostgreSQL of the tests' own, on a free port, in a folder that goes with it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import psycopg

from tests.serving import ROOT, free_port, missing
from tools.testing import found

UNPRIVILEGED = ("postgres", "nobody")
"""Users as whom it runs when the tests run as root, which it refuses to do itself; the first that exists."""

FAST = {
    "fsync": "off",  # of a server that ends with the tests nothing need survive a power cut
    "full_page_writes": "off",
    # "synchronous_commit" stays on: what was committed is there after ``crash``.
    "shared_buffers": "32MB",
    "max_connections": "200",
    "unix_socket_directories": "",
}


class Postgres:
    """A running server with one empty database; a test that wants another asks for ``database``."""

    def __init__(self) -> None:
        initdb = found("initdb")
        if initdb is None:
            raise missing("postgresql")
        self.folder = Path(tempfile.mkdtemp(prefix="na-tahu-postgres-"))
        self.user = _runs_as()
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self.data, self.port = self.folder / "data", free_port()
        self.program = Path(initdb).with_name("postgres")
        options = [
            "--auth=trust",
            "--username=na_tahu",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
            "-D",
            str(self.data),
        ]
        subprocess.run([initdb, *options], check=True, stdout=subprocess.DEVNULL, cwd=self.folder, user=self.user)
        self.log = (self.folder / "log").open("a")
        self.start()
        self.url = self.database("na_tahu")

    def start(self) -> None:
        """Starts it, on the same port and data as before if it crashed, and waits until it answers."""
        settings = [part for name, value in FAST.items() for part in ("-c", f"{name}={value}")]
        address = ["-h", "127.0.0.1", "-p", str(self.port)]
        command = [self.program, "-D", self.data, *address, *settings]
        self.process = subprocess.Popen(command, cwd=self.folder, stderr=self.log, user=self.user)
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 20
        while time.monotonic() < end and self.process.poll() is None:
            try:
                psycopg.connect(self._address("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-2000:]}")

    def _address(self, database: str) -> str:
        return f"postgres://na_tahu@127.0.0.1:{self.port}/{database}"

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self._address(name)

    def site(self) -> str:
        """The address of a new database with the tables of the site, which are made once and then copied."""
        fresh, name = "tables", f"site-{uuid4()}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [fresh]).rowcount:
                environment = {**os.environ, "DATABASE_URL": self.database(fresh)}
                migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
                subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE {fresh}')
        return self._address(name)

    def crash(self) -> None:
        """Ends it at once, with whatever is going on in it."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(10)

    def stop(self) -> None:
        """Ends it and removes its folder."""
        self.process.send_signal(signal.SIGINT)  # "fast": it ends the sessions that are left
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.crash()
        self.log.close()
        shutil.rmtree(self.folder)


def _runs_as() -> str | None:
    """The user to run as; None for the one who asks."""
    if os.geteuid():
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in known)
