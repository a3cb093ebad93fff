"""The twenty pages used most: their queries, milliseconds and kilobytes, as the table of docs/performance.md.

    python -m bench.table                          # 10,000 matches in a PostgreSQL of its own: three minutes
    python -m bench.table --write                  # also puts the table into docs/performance.md
    python -m bench.table --matches 100000 --rounds 60

The visitor is who has played most. Their match of each game is in the middle, and it is their turn. Every page is
fetched once each round, so that what the machine does meanwhile meets all of them. Ends with 1 if a page takes longer
than LIMIT at the median.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.postgres import Postgres

ROOT = Path(__file__).resolve().parent.parent

PAGE = ROOT / "docs" / "performance.md"
"""Where the table stands, between the lines MARKS."""

MARKS = ("<!-- made by python -m bench.table -->\n", "<!-- end -->\n")

LIMIT = 100.0
"""Milliseconds a page may take at the median."""

NAMED: list[tuple[str, str, list[str]]] = [
    ("front page", "front", []),
    ("your turn", "dashboard", []),
    ("lobby", "lobby", []),
    ("new match", "new_match_for", ["red"]),
    ("rules of a game", "rules", ["power_cards"]),
    ("notices", "notices", []),
    ("watch", "watch", []),
    ("history", "history", []),
    ("rankings of a game", "ranking", ["red"]),
    ("profile", "profile", ["load-1"]),
    ("somebody else's profile", "profile", ["load-2"]),
    ("head to head", "head_to_head", ["load-1", "load-2"]),
    ("a player's rating", "player_rating", ["load-1", "red"]),
    ("settings", "settings", []),
]
"""Pages by (label, name of the address, its parts); those of matches are added to them."""


def addresses() -> dict[str, str]:
    """The pages by label, with a match of each game on the visitor's turn, which is made for it."""
    from django.urls import reverse

    from accounts.models import User
    from bench.gallery.scenes import in_the_middle
    from games.models import Match

    found = {label: reverse(name, args=parts) for label, name, parts in NAMED}
    people = list(User.objects.filter(pk__in=(1, 2)).order_by("pk"))
    for game in ("red", "barvosauri", "power_cards"):
        match = in_the_middle(game, people)
        found[f"match: {match.title.name}"] = match.get_absolute_url()
    found["is there anything new?"] = reverse("version", args=[match.slug])
    found["log of a match"] = reverse("log", args=[match.slug])
    over = Match.objects.filter(moves__number=1, status="finished", seats__user=1, seat_count=2).latest("pk")
    found["a match that is over"] = over.get_absolute_url()
    return found


def measure(rounds: int) -> None:
    """Prints (label, queries, milliseconds of each round, bytes as sent) of each page as JSON; run inside the site."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User

    client, pages = Client(headers={"host": "localhost"}), addresses()
    client.force_login(User.objects.get(pk=1))
    times: dict[str, list[float]] = {label: [] for label in pages}
    for number in range(rounds + 2):
        for label, url in pages.items():
            begun = time.perf_counter()
            answer = client.get(url)
            spent = (time.perf_counter() - begun) * 1000
            assert answer.status_code == 200, (url, answer.status_code)  # noqa: S101 - else nothing is measured
            if number > 1:  # the first two fill memories
                times[label].append(spent)
    rows = []
    for label, url in pages.items():
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(url)
        rows.append((label, len(queries), times[label], len(gzip.compress(answer.content))))
    print(json.dumps(rows))


def table(rows: list[Any]) -> str:
    """The rows in Markdown, the slowest first."""
    lines = ["| page | queries | ms, median | ms, 95 % | KB, compressed |", "|---|---|---|---|---|"]
    for label, queries, times, size in sorted(rows, key=lambda row: -median(row[2])):
        high = quantiles(times, n=20)[-1]
        lines.append(f"| {label} | {queries} | {median(times):.0f} | {high:.0f} | {size / 1024:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Loads, measures, prints the table; its exit status says whether all pages keep within the limit."""
    parser = argparse.ArgumentParser(prog="python -m bench.table", description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--database", metavar="URL", help="one that was loaded before by bench.load")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.relative_to(ROOT)}")
    asked = parser.parse_args()
    server = None if asked.database else Postgres()
    try:
        url = asked.database or server.database("matches")  # type: ignore[union-attr]
        load = [sys.executable, "-m", "bench.load", "--url", url]
        if server is not None:
            subprocess.run([*load, "--matches", str(asked.matches)], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        subprocess.run([*load, "--settle"], check=True, cwd=ROOT)
        code = f"from bench.table import measure; measure({asked.rounds})"
        environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        shell = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
        done = subprocess.run(shell, check=True, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE)
    finally:
        if server is not None:
            server.stop()
    rows = json.loads(done.stdout)
    print(table(rows), end="")
    if asked.write:
        between = re.compile(f"(?<={re.escape(MARKS[0])}).*(?={re.escape(MARKS[1])})", re.DOTALL)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(between.sub(lambda _old: table(rows), text), encoding="utf-8")
    raise SystemExit(any(median(times) > LIMIT for _label, _queries, times, _size in rows))


if __name__ == "__main__":
    main()
