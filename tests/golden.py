"""The whole matches that are kept as files: where they are, and short ones to work with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games import verify

ROOT = Path(__file__).parent.parent
GOLDEN = sorted((ROOT / "tests" / "titles").glob("*/records/*.json"))
GAMES = ("red", "barvosauri", "power_cards")

LONG_ENOUGH = 8_000
"""Bytes of a record that has enough rows to tamper with."""

LONGEST = max(GOLDEN, key=lambda path: path.stat().st_size)
SHORT = {
    game: min(
        (path for path in GOLDEN if path.parts[-3] == game and path.stat().st_size > LONG_ENOUGH),
        key=lambda path: path.stat().st_size,
    )
    for game in GAMES
}

Record = dict[str, Any]


def golden(game: str = "red") -> Record:
    """A short whole record of the game."""
    value: Record = json.loads(SHORT[game].read_text("utf-8"))
    return value


def resealed(value: Record) -> Record:
    """The record with a checksum that fits: what who wants to deceive does last."""
    return value | {"checksum": verify.checksum(value)}
