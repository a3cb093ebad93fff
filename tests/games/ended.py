"""Finished matches as lists read them, without a log; matches that are sure to run still; records that are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from accounts.models import User
from games.models import Match, Record, Seat
from games.services import importing, records
from tests.conftest import play_out, seated
from tests.golden import SHORT

NUMBERS = count(1)

RED = {"game": "basic", "icons": False}


def ended(
    users: Sequence[User], places: Sequence[int], at: datetime, *, left: Sequence[int] = (), **facts: Any
) -> Match:
    """A finished match of the users with their places; ``left`` are the numbers of seats that were given up."""
    facts = {"game": "red", "options": RED, "version": 30, "rated": False, **facts}
    match = Match.objects.create(
        slug=f"ended{next(NUMBERS)}", rules_version=1, seat_count=len(users), leave_policy="bot", seed=b"",
        commitment="", status="finished", created_at=at, started_at=at, moved_at=at, finished_at=at, **facts,
    )  # fmt: skip
    seats = []
    for number, (user, place) in enumerate(zip(users, places, strict=True)):
        gone = {"left_version": 5, "left_how": "resign"} if number in left else {}
        seats.append(
            Seat(match=match, number=number, joined=number, user=user, entropy=b"", place=place, finished_at=at, **gone)
        )
    Seat.objects.bulk_create(seats)
    return match


def unfinished(*users: Any, rows: int, **proposal: Any) -> Match:
    """A match of the users that still runs with so many rows: one that ended sooner is tried again with other moves."""
    for number in range(100):
        match = play_out(seated(*users, **proposal), number, rows=rows)
        if match.status == "playing":
            return match
        match.delete()
    raise AssertionError(f"no match has {rows} rows")


def demo(game: str) -> Match:
    """A finished public match of a game with its whole log, at the cost of reading it: one of the demo matches."""
    found = (json.loads(path.read_text("utf-8")) for path in sorted(Path("seeds").glob(f"*_{game}_*.json")))
    return records.load(next(record for record in found if record["outcome"]), ago=timedelta(hours=1))


def kept(user: Any, game: str = "red") -> Record:
    """A short golden record of the game that the user keeps."""
    return importing.keep(user, SHORT[game].read_bytes())
