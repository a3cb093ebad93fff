"""A position of Barvosauři in which every kind of turn can be looked at."""

from __future__ import annotations

from typing import Any

from games.titles.barvosauri.state import Options, Seat, State


def position(phase: str = "move", **changes: Any) -> State:
    """A position in which Anna has rolled red; she stands on red and green, holds a red card, and no pack is empty."""
    facts: dict[str, Any] = {
        "options": Options(),
        "phase": phase,
        "active": 0,
        "rolled": "R",
        "pair": "R" if phase in ("harvest", "fill") else None,
        "owed": (),
        "refreshed": False,
        "took": False,
        "since_take": 0,
        "display": ("R", "B", "Y", "O"),
        "deck": tuple("PROYGBPROYGBPOYGBP"),
        "known_bottom": 0,
        "seats": (Seat(("R1", "G2"), ("R",)), Seat(("G1", "O1"), ("G",))),
        "how": None,
    }
    return State(**facts | changes)
