"""Writes the golden records of every title: ``python -m tests.titles.make_records [slug ...]``.

A title's ``wanted.py`` names what it wants: ``WANTED``, a mapping of file name to (options, seats, test of a record).
Run once; after a change of the rules the old records must still be true, so a file that exists is left alone.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from pathlib import Path
from typing import Any

from bench.strength import saving_bot
from games import verify
from games.bots import random_bot
from games.chance import ENTROPY_BYTES, Stream
from tests.titles.walks import TITLES

HERE = Path(__file__).parent
NAMES = ("Alice", "Bob", "Charlie", "Dana")
TRIES = 100_000


def played(slug: str, options: dict[str, Any], seats: int, number: int) -> dict[str, Any]:
    """The record of one match; the number decides everything. One in three is played by seats that may give up."""
    game = TITLES[slug].game
    label = f"{slug} {json.dumps(options, sort_keys=True)} {seats} {number}".encode()
    seed = hashlib.sha256(label).digest()
    entropy = [hashlib.sha256(label + bytes([seat])).digest()[:ENTROPY_BYTES] for seat in range(seats)]
    own = Stream(hashlib.sha256(b"choice" + label).digest(), (), 0)
    bot = saving_bot if number % 3 else random_bot
    return verify.make(
        game,
        options,
        match_id=f"{slug}{seats}x{number}",
        seed=seed,
        entropy=entropy,
        names=NAMES[:seats],
        choose=lambda state, seat: bot(game, game.observe(state, seat), own),
    )


def text(record: dict[str, Any]) -> str:
    """The record as JSON, one row a line."""
    rows = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in record["rows"])
    head = json.dumps({key: value for key, value in record.items() if key != "rows"}, ensure_ascii=False, indent=1)
    return f'{head[:-2]},\n "rows": [\n{rows}\n]\n}}\n'


def main(slugs: list[str]) -> None:
    """Writes what is missing."""
    for slug in slugs or list(TITLES):
        folder = HERE / slug / "records"
        folder.mkdir(exist_ok=True)
        wanted = importlib.import_module(f"tests.titles.{slug}.wanted").WANTED
        for name, (options, seats, wants) in wanted.items():
            path = folder / f"{name}.json"
            if not path.exists():
                record = next(made for number in range(TRIES) if wants(made := played(slug, options, seats, number)))
                path.write_text(text(record), "utf-8")
                print(f"{path.relative_to(HERE)}: {len(record['rows'])} rows, {record['outcome']}")


if __name__ == "__main__":
    main(sys.argv[1:])
