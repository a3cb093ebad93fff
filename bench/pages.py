"""How long the server works on the page of a long match, by game.

python -m bench.pages                    # milliseconds of each page, the median of 40
python -m bench.pages --version 500 --pages 100

Times are of the processor, so that they hold on a busy machine too; the table is found in the cache of states, as it is
for everybody who looks while a match goes on, and once from an empty one.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.serving import Server

LIMIT = 60.0
"""Milliseconds that the page of a match at version 200 may take."""

GAMES = ("red", "barvosauri", "power_cards")
TRIES = 3
"""Matches of each game; the longest is taken. Those of Red hardly last for 150 rows."""


def measure(game: str, version: int, pages: int) -> None:
    """Prints, as JSON, the times of the game's page; run inside the site's process by ``manage.py shell``."""
    from django.test import Client

    from accounts.models import User
    from bench.gallery.scenes import UNUSABLE, match
    from games import states
    from games.models import Match
    from games.services import turns

    people = [User.objects.create(username=f"{game}-{number}", password=UNUSABLE) for number in range(4)]
    longest = None
    for number in range(TRIES):
        played = match(game, people, **({"game": "advanced"} if game == "red" else {}))
        while played.status == Match.Status.PLAYING and played.version < version:
            steps = _steps(played, states.load(played, list(played.seats.all())), number)
            turns.play(played.pk, played.active_seat, steps, version=played.version, key=None)
            played.refresh_from_db()
        longest = played if longest is None or played.version > longest.version else longest
        if longest.version >= version:
            break
    assert longest is not None  # noqa: S101 (there is at least one try)
    client = Client(headers={"host": "localhost"})
    client.force_login(people[0])
    client.get("/")  # templates are read once
    states.forget()
    times = [_time(client, longest.get_absolute_url()) for _page in range(pages + 1)]
    print(json.dumps({"version": longest.version, "times": times}))


def _steps(played: Any, state: Any, number: int) -> list[str]:
    """A turn by chance: such matches last longer than those of good players."""
    from games.bots import random_bot
    from games.chance import seeded

    observation = played.rules.observe(state, played.active_seat)
    return list(random_bot(played.rules, observation, seeded(number * 10_000 + played.version)))


def _time(client: Any, url: str) -> float:
    begun = time.process_time()
    answer = client.get(url)
    spent = (time.process_time() - begun) * 1000
    assert answer.status_code == 200, answer.status_code  # noqa: S101 (a measurement of something else is none)
    return spent


def main() -> None:
    """Prints a line for each game; ends with 1 if one takes longer than the limit."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__.split("\n")[0])
    parser.add_argument("--version", type=int, default=200, help="rows of the log, if a match lasts so long")
    parser.add_argument("--pages", type=int, default=40, help="pages for each game")
    asked = parser.parse_args()
    slow = False
    with tempfile.TemporaryDirectory(prefix="pages-") as data:
        server = Server(Path(data))
        for game in GAMES:
            code = f"from bench.pages import measure; measure({game!r}, {asked.version}, {asked.pages})"
            found = json.loads(server.manage("shell", "-v0", "-c", code))
            first, *rest = found["times"]
            slow |= median(rest) > LIMIT
            print(
                f"{game}: {median(rest):.1f} ms a page at version {found['version']}; the first one {first:.0f} ms",
                flush=True,
            )
    raise SystemExit(int(slow))


if __name__ == "__main__":
    main()
