"""What memory ``./play`` takes while people play against bots, hour after hour.

    python -m bench.memory                 # an hour
    python -m bench.memory --minutes 10 --people 3

The site runs as ``./play`` runs it, with its worker in threads of the same process, on SQLite. People without
JavaScript play by its pages, one after the other, a match of another game whenever one ends; each follows the links
that lead to a turn, so a turn is several pages. Ends with 1 if the memory grew by more than GROWTH after the first
sixth of the time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from tests.serving import Player, Server

GROWTH = 1.1
"""So many times the memory after the first sixth of the time is flat."""

PAUSE = 0.5
"""Seconds between two turns of all people: they leave the machine some time for the bots and others."""

GAMES = ("red", "barvosauri", "power_cards")


def resident(process: int) -> float:
    """The memory of a process in use, in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "VmRSS":
            return int(value.split()[0]) / 1024
    raise ProcessLookupError(process)


class Person:
    """Somebody who plays one match against bots after another."""

    def __init__(self, server: Server, number: int) -> None:
        self.player, self.games, self.url = Player(server), count(number), ""
        self.turns = self.matches = 0

    def act(self) -> None:
        """Makes a turn if one is to be made; begins another match if this one is over."""
        if not self.url or self.player.client.get(f"{self.url}version.json").json()["status"] == "finished":
            self._begin()
            return
        fields = self.player.turn(self.url)
        if fields is not None:
            self.player.send(self.url, fields)
            self.turns += 1

    def _begin(self) -> None:
        address = f"/new/{GAMES[next(self.games) % len(GAMES)]}/"
        fields = self.player.page(address).form(field="seats").fields
        answer = self.player.client.post(address, data={**fields, "seats": "3", "bots": "2"})
        assert answer.status_code == 302, answer.status_code  # noqa: S101 - else nothing is measured
        self.url = urlsplit(answer.headers["location"]).path
        self.matches += 1


def main() -> None:
    """Prints a line each tenth of the time; says by its exit status whether the memory stayed flat."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--people", type=int, default=6)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memory-") as data:
        server = Server(Path(data), LIMITS_TIMES="10000")
        server.start()
        try:
            people = [Person(server, number) for number in range(asked.people)]
            flat = _watch(server, people, asked.minutes * 60)
        finally:
            server.stop()
    raise SystemExit(not flat)


def _watch(server: Server, people: list[Person], seconds: float) -> bool:
    assert server.process is not None  # noqa: S101 - it was started
    begun, shown, first, now = time.monotonic(), 0, 0.0, 0.0
    while (spent := time.monotonic() - begun) < seconds:
        for person in people:
            person.act()
        time.sleep(PAUSE)
        now = resident(server.process.pid)
        if not first and spent >= seconds / 6:
            first = now
        if spent >= shown * seconds / 10:
            shown += 1
            turns, matches = sum(each.turns for each in people), sum(each.matches for each in people)
            print(f"{spent / 60:5.1f} min: {now:6.1f} MB, {turns} turns of people in {matches} matches", flush=True)
    print(f"{first:.1f} MB after a sixth of the time, {now:.1f} MB at the end: {now / first:.2f} times")
    return now <= first * GROWTH


if __name__ == "__main__":
    main()
