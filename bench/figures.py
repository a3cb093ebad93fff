"""What matches of each game are like: length, endings, the starter's share, and the bot against a player at random.

    python -m bench.figures                         # every game and seat count, 2,000 matches each
    python -m bench.figures --game red --count 200

All seats play at random for the first figures; one seat is the title's bot
for the last. The same arguments give the same figures.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from bench.strength import at_random, share
from games import engine, titles
from games.chance import seeded
from games.engine import Game


@dataclass(frozen=True)
class Match:
    """One simulated match: rows that seats made, how it ended, the wins of who moved first (a shared one in part)."""

    rows: int
    ending: str
    starter: float


def played(game: Game[Any], options: Any, seats: int, seed: int) -> Match:
    """A match in which every seat plays at random."""
    chance = seeded(seed)
    state, _news = engine.start(game, options, seats, chance)
    first, rows = game.active_seat(state), 0
    while (seat := game.active_seat(state)) is not None:
        while game.active_seat(state) == seat:
            for step in at_random(game, state, chance):
                state, _news = game.apply(state, step)
        state, _news = engine.settled(game, state, chance)
        rows += 1
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - nobody is active and nothing is owed
    won = [number for number, place in enumerate(outcome.places) if place == 1]
    return Match(rows, outcome.reason, (first in won) / len(won))


def main() -> None:
    """Prints one line for each game and number of seats, with the default options."""
    parser = argparse.ArgumentParser(prog="python -m bench.figures", description=__doc__.split("\n")[0])
    parser.add_argument("--game", action="append", help="only this game (repeatable)")
    parser.add_argument("--count", type=int, default=2000, help="matches for each figure")
    asked = parser.parse_args()
    for slug, title in titles.find([titles.HERE]).items():
        if asked.game and slug not in asked.game:
            continue
        for seats in title.game.seat_counts:
            options = title.game.Options()
            matches = [played(title.game, options, seats, seed) for seed in range(asked.count)]
            rows = [match.rows for match in matches]
            endings = Counter(match.ending for match in matches).most_common()
            starter = sum(match.starter for match in matches) / asked.count
            bot = share(title.game, options, title.bot, at_random, seats=seats, count=asked.count, whole=True)
            told = ", ".join(f"{ending} {number / asked.count:.1%}" for ending, number in endings)
            print(
                f"{slug}, {seats} seats: moves median {median(rows):.0f}, 95 % {quantiles(rows, n=20)[-1]:.0f},"
                f" most {max(rows)}; ends by {told}; starter wins {starter:.1%}; bot against random {bot:.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
