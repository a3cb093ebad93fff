"""How long a move and an observation take by the API, next to the page that does the same, in one run.

    python -m bench.api                      # the median of 60 each, on SQLite and on a PostgreSQL of its own
    python -m bench.api --times 200 --game barvosauri
    python -m bench.api --beside FOLDER      # and a move in boardgame.io, which npm has installed in that folder

Time of the wall, from the request to the last byte of the answer, without a network: the site's own handlers are
called. A move waits for the disk, so compare only what was measured side by side. boardgame.io plays the smallest of
games there, keeps it in memory, and sends a move by a socket that is open; what is measured is the way to the other
player.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

ROOT = Path(__file__).parent.parent


def measure(game: str, times: int) -> None:
    """Prints, as JSON, the medians in milliseconds; run inside the site's process."""
    from django.test import Client

    from accounts import tokens, visitors
    from accounts.models import User
    from bench.gallery.scenes import UNUSABLE
    from games import engine, states
    from games.models import Match
    from games.services import limits, lobby

    limits.spend = lambda *_counted: None  # type: ignore[assignment] - the limits would end the run
    people = [User.objects.create(username=f"bench-{uuid4().hex[:8]}", password=UNUSABLE) for _each in range(2)]
    keys = {user.pk: tokens.make(user, "bench", ["read", "play"], 30)[1] for user in people}
    pages = {user.pk: Client(headers={"host": "localhost"}) for user in people}
    for user in people:
        pages[user.pk].force_login(user, backend=visitors.BACKEND)
    api = Client(headers={"host": "localhost"})
    spent: dict[str, list[float]] = {}

    def timed(name: str, call: Callable[[], Any], status: int) -> Any:
        begun = time.perf_counter()
        answer = call()
        spent.setdefault(name, []).append((time.perf_counter() - begun) * 1000)
        assert answer.status_code == status, (name, answer.status_code, answer.content[:500])  # noqa: S101
        return answer

    match: Match | None = None
    for number in range(2 * times):
        if match is None or match.status != Match.Status.PLAYING:
            made = lobby.create(people[0], lobby.Proposal(game, 2, 0, days=2))
            match = lobby.join(made.pk, people[1], made.invitations.get().token)
            match.refresh_from_db()
        seats = list(match.seats.all())
        mover = next(seat.user_id for seat in seats if seat.number == match.active_seat)
        steps = _steps(match, states.load(match, seats), number)
        url, path = match.get_absolute_url(), f"/api/v1/matches/{match.slug}"
        headers = {"Authorization": f"Bearer {keys[mover]}", "Idempotency-Key": str(uuid4())}
        page = pages[mover]
        timed("observation, API", lambda: api.get(f"{path}/observation", headers=headers), 200)  # noqa: B023
        timed("observation, page", lambda: page.get(url), 200)  # noqa: B023
        if number % 2:
            body = {"version": match.version, "steps": steps}
            sent = json.dumps(body)
            timed("move, API", lambda: api.post(f"{path}/moves", sent, "application/json", headers=headers), 201)  # noqa: B023
        else:
            form = urlencode({"steps": engine.join(steps), "version": match.version, "key": uuid4()})
            kind = "application/x-www-form-urlencoded"
            timed("move, page", lambda: page.post(url, form, kind), 302)  # noqa: B023
        match.refresh_from_db()
    print(json.dumps({name: median(found) for name, found in spent.items()}))


def _steps(match: Any, state: Any, number: int) -> list[str]:
    from bench.strength import saving_bot
    from games.chance import seeded

    observation = match.rules.observe(state, match.active_seat)
    return list(saving_bot(match.rules, observation, seeded(number)))


def run(game: str, times: int, **environment: str) -> dict[str, float]:
    """The medians of a fresh site with this environment."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "secret_key").write_text("x" * 50)
        clean = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        known = {**clean, "NA_TAHU_VAR": folder, "PYTHONPATH": str(ROOT), **environment}
        for command in (["migrate", "--verbosity=0"], ["collectstatic", "--noinput", "--verbosity=0"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=known, check=True)
        code = f"from bench.api import measure; measure({game!r}, {times})"
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
        done = subprocess.run(command, cwd=ROOT, env=known, check=True, text=True, stdout=subprocess.PIPE)
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return found


def beside(folder: Path, times: int) -> dict[str, float]:
    """The median of boardgame.io."""
    command = ["node", str(Path(__file__).with_name("boardgame_io.cjs")), str(times)]
    known = {**os.environ, "NODE_PATH": str(folder.resolve() / "node_modules")}
    done = subprocess.run(command, env=known, check=True, text=True, stdout=subprocess.PIPE, timeout=120)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _tell(game: str, where: str, found: dict[str, float]) -> None:
    told = "  ".join(f"{what} {spent:6.1f} ms" for what, spent in sorted(found.items()))
    print(f"{game:12} {where:11} {told}")


def main() -> None:
    """Prints a line for each database."""
    parser = argparse.ArgumentParser(prog="python -m bench.api", description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, default=60, help="moves by each door")
    parser.add_argument("--game", default="red")
    parser.add_argument("--beside", type=Path, help="where npm has installed boardgame.io")
    asked = parser.parse_args()
    from tests.postgres import Postgres

    server = Postgres()
    try:
        for name, environment in (("SQLite", {}), ("PostgreSQL", {"DATABASE_URL": server.url})):
            _tell(asked.game, name, run(asked.game, asked.times, **environment))
        if asked.beside:
            _tell("adding", "in memory", beside(asked.beside, asked.times))
    finally:
        server.stop()


if __name__ == "__main__":
    main()
