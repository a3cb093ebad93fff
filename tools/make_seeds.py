"""Plays the demo matches anew and writes them to seeds/. To be run after a change of rules or bots.

python -m tools.make_seeds
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from games import titles, verify
from games.chance import Chance, seeded

FOLDER = Path(__file__).parent.parent / "seeds"
HOUR = 3600


@dataclass(frozen=True)
class Demo:
    """A demo match: who plays what, how far it has come, and when the last move was."""

    game: str
    names: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    rows: int = 10_000
    ago: int = HOUR
    seconds: int = 5 * HOUR


DEMOS = (
    Demo("red", ("Alena", "Bohous"), ago=3 * HOUR),
    Demo("red", ("Alena", "bot-ada"), {"game": "advanced"}, ago=20 * HOUR, seconds=900),
    Demo("red", ("Ctibor", "Dana", "bot-ada"), {"game": "basic", "icons": True}, ago=30 * HOUR),
    Demo(
        "red", ("Alena", "Bohous", "Ctibor", "Dana"), {"game": "advanced", "icons": True}, ago=50 * HOUR, seconds=HOUR
    ),
    Demo("red", ("Bohous", "Dana"), {"game": "advanced"}, rows=9, ago=2 * HOUR),
    Demo("red", ("Alena", "Ctibor", "bot-bela"), {"game": "advanced", "icons": True}, rows=24, ago=5 * HOUR),
    Demo("red", ("Alena", "Bohous", "Ctibor", "Dana"), rows=6, ago=HOUR),
    Demo("barvosauri", ("Alena", "Bohous", "bot-ada"), ago=9 * HOUR, seconds=2 * HOUR),
    Demo("barvosauri", ("Ctibor", "Dana"), rows=15, ago=4 * HOUR),
    Demo("power_cards", ("Bohous", "Dana", "bot-ada"), {"max_rounds": 40}, ago=27 * HOUR, seconds=HOUR),
    Demo("power_cards", ("Alena", "Ctibor"), rows=12, ago=6 * HOUR),
)


def played(index: int, demo: Demo) -> dict[str, Any]:
    """The record of one demo match; the same every time."""
    title = titles.find([titles.HERE])[demo.game]
    chance: Chance = seeded(1000 + index)
    mark = sha256(f"demo {index}".encode())
    bots = [name.startswith("bot-") for name in demo.names]

    def choose(state: Any, seat: int) -> list[str]:
        return title.bot(title.game, title.game.observe(state, seat), chance)

    entropy = [sha256(mark.digest() + name.encode()).digest()[:16] for name in demo.names]
    # A running match must not stop at a bot's turn: the sweep would move on at once.
    rows = demo.rows
    while True:
        record = verify.make(
            title.game,
            demo.options,
            match_id=f"demo{mark.hexdigest()[:6]}",
            seed=mark.digest(),
            entropy=entropy,
            names=demo.names,
            choose=choose,
            rows=rows,
            seconds=demo.seconds,
        )
        if record["outcome"] is not None or not _bot_waits(title, record, demo, bots):
            return record | {"demo": {"ago": demo.ago, "days": 3}}
        rows += 1
        chance = seeded(1000 + index)


def _bot_waits(title: titles.Title, record: dict[str, Any], demo: Demo, bots: list[bool]) -> bool:
    """Whether the bot's turn is next in a running record."""
    state = verify.last_state(record, title.game)
    active = title.game.active_seat(state)
    return active is not None and bots[record["seats"][active]["joined"]]


def main() -> None:
    """Writes one file a match."""
    FOLDER.mkdir(exist_ok=True)
    for index, demo in enumerate(DEMOS):
        record = played(index, demo)
        path = FOLDER / f"{index:02d}_{demo.game}_{len(demo.names)}.json"
        path.write_text(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
        print(f"{path.name}: {len(record['rows'])} rows, {'finished' if record['outcome'] else 'running'}")


if __name__ == "__main__":
    main()
