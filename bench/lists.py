"""What pages cost with many matches in the database against few: both on PostgreSQL, in turns within one run.

    python -m bench.lists                                   # 10,000 and 1,000,000 matches: a quarter of an hour
    python -m bench.lists --few 1000 --many 50000 --rounds 15
    python -m bench.lists --databases postgres://...few postgres://...many     # loaded before by bench.load

It starts a PostgreSQL of its own and loads both databases (see bench.load). Ends with 1 if a page takes more than twice
as long with many, or more than 100 ms at the median. The visitor is who has played most.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode

RATIO, LIMIT = 2.0, 100.0
"""So many times slower with many matches a page may be, and so many milliseconds it may take at the median."""

COLUMNS = re.compile("SELECT .*? FROM")

ROOT = Path(__file__).resolve().parent.parent

NAMED: list[tuple[str, str, list[str], dict[str, str]]] = [
    ("front page", "front", [], {}),
    ("your turn", "dashboard", [], {}),
    ("lobby", "lobby", [], {}),
    ("lobby, one game", "lobby", [], {"game": "red", "option_game": "basic", "days": "2"}),
    ("watch", "watch", [], {}),
    ("history", "history", [], {}),
    ("history, of one game", "history", [], {"game": "red"}),
    ("lobby, where one fits", "lobby", [], {"fits": "yes", "finishes": "75"}),
    ("find an opponent", "find", [], {}),
    ("rankings", "rankings", [], {}),
    ("rankings of a game", "ranking", ["red"], {}),
    ("rankings, around me", "ranking", ["red"], {"around": "me"}),
    ("a player's rating", "player_rating", ["load-1", "red"], {}),
    ("profile", "profile", ["load-1"], {}),
    ("somebody's history", "history_of", ["load-2"], {"result": "won"}),
    ("head to head", "head_to_head", ["load-1", "load-2"], {}),
    ("statistics", "statistics", ["red"], {}),
]
"""Pages by (label, name of the address, its parts, query); those that this version does not have are left out."""


def addresses() -> dict[str, str]:
    """The pages to measure, by label."""
    from django.urls import NoReverseMatch, reverse

    from games.models import Match, Seat
    from games.views.pages import behind

    found = {}
    for label, name, parts, query in NAMED:
        try:
            found[label] = reverse(name, args=parts) + (f"?{urlencode(query)}" if query else "")
        except NoReverseMatch:
            print(f"no page is called {name}: {label} is left out", file=sys.stderr, flush=True)
    seats = Seat.objects.filter(user=1, finished_at__isnull=False).order_by("finished_at", "match_id")
    deep = seats[seats.count() // 10]
    assert deep.finished_at is not None  # noqa: S101 - only such are asked for
    found["history, far back"] = f"{reverse('history')}?{urlencode(behind(deep.finished_at, deep.match_id))}"
    logged = Match.objects.filter(moves__number=1, status="finished", seats__user=1, game="red", seat_count=2).latest(
        "pk"
    )
    found["a match that is over"] = logged.get_absolute_url()
    return found


def serve() -> None:
    """Answers on standard output what is asked on standard input: an address is fetched, and its time given."""
    import django

    django.setup()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User

    pages, client = addresses(), Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(pk=1))
    print(json.dumps(pages), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["explain"]:
            with CaptureQueriesContext(connection) as queries:
                client.get(asked["url"])
            print(json.dumps(queries.captured_queries), flush=True)
            continue
        begun = time.perf_counter()
        answer = client.get(asked["url"])
        spent = (time.perf_counter() - begun) * 1000
        assert answer.status_code == 200, (asked, answer.status_code)  # noqa: S101 - else nothing is measured
        print(json.dumps(spent), flush=True)


class Site:
    """A process with the site on one database."""

    def __init__(self, url: str) -> None:
        environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        command = [sys.executable, "-m", "bench.lists", "--serve"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment, cwd=ROOT)
        self.pages: dict[str, str] = self._answer()

    def ask(self, label: str, *, explain: bool = False) -> Any:
        """Milliseconds of a page; with ``explain`` its queries."""
        assert self.process.stdin is not None  # noqa: S101 - a pipe was asked for
        self.process.stdin.write(json.dumps({"url": self.pages[label], "explain": explain}) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self.process.stdout is not None  # noqa: S101 - a pipe was asked for
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("A site ended, see above.")
        return json.loads(line)

    def stop(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.wait()


def measure(few: Site, many: Site, rounds: int) -> bool:
    """Prints a line for each page; whether all keep within RATIO and LIMIT."""
    times: dict[tuple[str, bool], list[float]] = {}
    for number in range(rounds + 2):
        for label in few.pages:
            for site in (few, many) if number % 2 else (many, few):
                spent = site.ask(label)
                if number > 1:  # the first two fill memories
                    times.setdefault((label, site is many), []).append(spent)
    well = True
    print(f"{'milliseconds: median / 95 %':30}{'few':>16}{'many':>16}{'ratio':>8}")
    for label in few.pages:
        one, other = times[label, False], times[label, True]
        ratio = median(other) / median(one)
        well &= ratio <= RATIO and median(other) <= LIMIT
        shown = (f"{median(each):.1f} / {quantiles(each, n=20)[-1]:.1f}" for each in (one, other))
        print(f"{label:30}{next(shown):>16}{next(shown):>16}{ratio:8.2f}", flush=True)
    return well


def slowest(site: Site, number: int = 3) -> None:
    """Prints the queries that take longest of each page."""
    for label in site.pages:
        queries = sorted(site.ask(label, explain=True), key=lambda query: -float(query["time"]))
        print(f"\n{label}: {len(queries)} queries")
        for query in queries[:number]:
            print(f"  {query['time']} s  {COLUMNS.sub('SELECT ... FROM', query['sql'], count=1)[:1500]}")


def compare(databases: list[str], rounds: int, *, queries: bool) -> bool:
    """Measures two databases; whether all is well."""
    for url in databases:  # whatever tables and sweeps there are by now
        command = [sys.executable, "-m", "bench.load", "--settle", "--url", url]
        subprocess.run(command, check=True, cwd=ROOT)
    sites = [Site(url) for url in databases]
    try:
        well = measure(*sites, rounds)
        if queries:
            slowest(sites[1])
    finally:
        for site in sites:
            site.stop()
    return well


def main() -> None:
    """Loads, measures and says whether all is well by its exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.lists", description=__doc__.split("\n")[0])
    parser.add_argument("--few", type=int, default=10_000, help="matches in the one database")
    parser.add_argument("--many", type=int, default=1_000_000, help="matches in the other one")
    parser.add_argument("--databases", nargs=2, metavar="URL", help="two that are loaded: few matches, many matches")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--queries", action="store_true", help="also show the slowest queries of each page")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve()
        return
    if asked.databases:
        raise SystemExit(not compare(asked.databases, asked.rounds, queries=asked.queries))
    from tests.postgres import Postgres

    server = Postgres()
    try:
        databases = []
        for number in (asked.few, asked.many):
            databases.append(server.database(f"matches_{number}"))
            load = [sys.executable, "-m", "bench.load", "--matches", str(number), "--url", databases[-1]]
            subprocess.run(load, check=True, cwd=ROOT)
        well = compare(databases, asked.rounds, queries=asked.queries)
    finally:
        server.stop()
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
