"""Matches that come out the same whenever a test or a measurement is run."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from games import chance


def draw_from(luck: Random) -> None:
    """From now on the seeds and seats' bytes of this process come from ``luck``. Never for matches of real players."""
    chance.secrets = SimpleNamespace(token_bytes=luck.randbytes)  # type: ignore[attr-defined]
