"""Rows of a site that stands or runs, prepared from outside: matches, and time that has passed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from tests.serving import ROOT, Server

DUE = "UPDATE games_match SET decision_at = '2025-01-01 00:00:00', deadline = '2025-01-03 00:00:00'"
"""Makes every turn overdue: two days for each, and they began long ago."""

_MATCHES = """
import json
from django.conf import settings
from accounts.models import User
from tests.conftest import seated, steps_for
users = [User.objects.get_or_create(username=name, defaults={{"password": "!"}})[0] for name in {names!r}]
settings.MATCHES_AT_ONCE = dict.fromkeys(settings.MATCHES_AT_ONCE, 10_000)
made = [seated(*users) for _each in range({number})]
names = {{seat.match_id: seat.user.username for match in made for seat in match.seats.select_related("user")
         if seat.number == match.active_seat}}
print(json.dumps([{{"slug": match.slug, "mover": names[match.pk], "steps": "; ".join(steps_for(match, number))}}
                  for number, match in enumerate(made)]))
"""

_SESSIONS = """
import json
from accounts.models import User
from tests.client import client_of
users = [User.objects.get_or_create(username=name, defaults={{"password": "!"}})[0] for name in {names!r}]
print(json.dumps({{user.username: client_of(user).cookies["sessionid"].value for user in users}}))
"""

_EARLIER = """
from datetime import timedelta
from django.db.models import F
from games.models import Downtime, Heartbeat, Match
span = timedelta(seconds={seconds})
for table, columns in ((Match, ("decision_at", "deadline", "credited_to")), (Downtime, ("starts", "ends")),
                       (Heartbeat, ("at",) if {silent} else ())):
    if columns:
        table.objects.update(**{{column: F(column) - span for column in columns}})
"""

_DUE_IN = """
from datetime import timedelta
from games.models import Match
from games.now import now
for match in Match.objects.filter(status="playing"):
    match.deadline = now() + timedelta(seconds={seconds})
    match.decision_at = match.deadline - timedelta(days=match.clock.days)
    match.save()
"""


def matches(server: Server, names: tuple[str, str], number: int) -> list[dict[str, str]]:
    """So many matches of two: the slug of each, the user who is to move, and a turn that may be made."""
    code = _MATCHES.format(names=names, number=number)
    made: list[dict[str, str]] = json.loads(server.manage("shell", "-c", code).splitlines()[-1])
    return made


def logged_in(server: Server, names: tuple[str, ...]) -> dict[str, str]:
    """The keys of sessions in which the users, made if need be, are logged in."""
    found: dict[str, str] = json.loads(server.manage("shell", "-c", _SESSIONS.format(names=names)).splitlines()[-1])
    return found


def earlier(server: Server, seconds: float, *, silent: bool) -> None:
    """Lets time pass: all that clocks are worked out from lies so much earlier. ``silent``: no sweep has come since."""
    server.manage("shell", "-c", _EARLIER.format(seconds=seconds, silent=silent))


def due_in(server: Server, seconds: float) -> None:
    """Begins the decisions that wait so that they are due in so many seconds."""
    server.manage("shell", "-c", _DUE_IN.format(seconds=seconds))


def kinds(server: Server, slug: str) -> list[str]:
    """The kinds of the rows of a match, which are numbered without a gap."""
    sql = (
        "SELECT games_move.number, kind FROM games_move JOIN games_match ON games_match.id = match_id"
        " WHERE slug = %s ORDER BY 1"
    )
    rows = server.ask(sql, slug)
    assert [number for number, _kind in rows] == list(range(1, len(rows) + 1))
    return [kind for _number, kind in rows]


@contextmanager
def held(server: Server) -> Iterator[None]:
    """While it lasts no process can write to a match: who wants to waits, and all go on together."""
    address = server.environment.get("DATABASE_URL", "")
    if address:
        with psycopg.connect(address) as session:
            session.execute("LOCK TABLE games_match IN EXCLUSIVE MODE")
            yield
        return
    with closing(sqlite3.connect(server.folder / "db.sqlite3", timeout=20, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield
        database.execute("ROLLBACK")


def health(server: Server) -> tuple[int, dict[str, Any]]:
    """What the command for monitors says: its exit status and its report."""
    done = subprocess.run(
        [sys.executable, "manage.py", "health", "--json"],
        cwd=ROOT,
        env=server.environment,
        text=True,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return done.returncode, json.loads(done.stdout)
