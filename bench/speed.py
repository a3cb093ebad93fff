"""How fast the rules are: random steps a second, and the time to replay a log of 500 rows.

    python -m bench.speed

Time of the processor, which other work on the machine disturbs least; still, compare only what was measured side by
side.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from games import titles, verify
from games.bots import random_bot
from games.chance import Stream, seeded
from games.engine import Game

ROWS = 500


def steps_a_second(game: Game[Any], seats: int, seconds: float) -> float:
    """Steps of players and server a second in random matches, with the search for legal steps."""
    end = time.process_time() + seconds
    begun, steps, number = time.process_time(), 0, 0
    while time.process_time() < end:
        number += 1
        chance = seeded(number)
        state = game.setup(game.Options(), seats, chance)
        while game.outcome(state) is None:
            if game.active_seat(state) is None:
                state, _news = game.settle(state, chance)
            else:
                legal = game.legal_moves(state)
                state, _news = game.apply(state, legal[chance.roll(len(legal))])
            steps += 1
    return steps / (time.process_time() - begun)


def replay_milliseconds(game: Game[Any], seats: int) -> tuple[float, int]:
    """The time to replay matches of ROWS rows in all, in milliseconds, and the number of rows of the longest."""
    seed, entropy = b"\0" * 32, [bytes([number]) * 16 for number in range(seats)]
    spent, rows, longest, number = 0.0, 0, 0, 0
    while rows < ROWS:
        number += 1
        chance = seeded(number)
        record = verify.make(
            game,
            {},
            match_id="bench",
            seed=number.to_bytes(32, "big"),
            entropy=entropy,
            names=[str(seat) for seat in range(seats)],
            choose=lambda state, seat, chance=chance: random_bot(game, game.observe(state, seat), chance),
            rows=ROWS - rows,
        )
        seed = bytes.fromhex(record["seed"])
        mixed = [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
        begun = time.process_time()
        state: Any = None
        for row in record["rows"]:
            chance = Stream(seed, mixed, row["number"])
            state, _news = verify.advance(game, {}, seats, state, row["kind"], row["text"], chance)
        spent += time.process_time() - begun
        rows += len(record["rows"])
        longest = max(longest, len(record["rows"]))
    return spent * 1000, longest


def main() -> None:
    """Prints a line for each game and number of seats."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each game and number of seats")
    asked = parser.parse_args()
    for slug, title in titles.find([titles.HERE]).items():
        for seats in title.game.seat_counts:
            rate = steps_a_second(title.game, seats, asked.seconds)
            spent, longest = replay_milliseconds(title.game, seats)
            print(
                f"{slug}, {seats} seats: {rate:,.0f} steps a second; {ROWS} rows replay in {spent:.0f} ms"
                f" (longest match {longest} rows)",
                flush=True,
            )


if __name__ == "__main__":
    main()
