"""Matches with decks of a few cards, for endings that the real deck can hardly reach: in these all cards are alike in
what may be named, so every round is a tie. ``python -m tests.titles.power_cards.small_decks`` writes their records."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from games import verify
from games.bots import random_bot
from games.chance import ENTROPY_BYTES, seeded
from games.titles.power_cards.deck import Card
from games.titles.power_cards.rules import PowerCards
from tests.titles.make_records import NAMES, text

FOLDER = Path(__file__).parent / "small"


def alike(count: int) -> PowerCards:
    """The game with so many cards that tie in everything; none of them fits on another."""
    return PowerCards({f"x{n}": Card(n, f"x{n}", 5, 5, 5, 5, 5, "horizontal", "ice") for n in range(count)})


GAMES = {"dead-tie-2": (alike(4), 2), "dead-tie-3": (alike(6), 3), "dead-tie-4-left-over": (alike(9), 4)}


def record(name: str) -> dict[str, Any]:
    """A whole match of one of the games."""
    game, seats = GAMES[name]
    seed = hashlib.sha256(name.encode()).digest()
    entropy = [hashlib.sha256(seed + bytes([seat])).digest()[:ENTROPY_BYTES] for seat in range(seats)]
    own = seeded(1)
    return verify.make(
        game,
        {},
        match_id=name,
        seed=seed,
        entropy=entropy,
        names=NAMES[:seats],
        choose=lambda state, seat: random_bot(game, game.observe(state, seat), own),
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_text(text(record(name)), "utf-8")
