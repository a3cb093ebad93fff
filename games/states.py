"""From rows to states: replay, and a small memory of the states last used in this process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from django.db import DatabaseError

from games import verify
from games.models import Match, Move, Seat, stream

LIMIT = 512
"""States remembered in a process; one is a few kilobytes."""

_memory: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()


class UnknownRules(Exception):
    """This process does not have the game, or not this version of its rules: another one may, so nothing is wrong."""


class Unreplayable(Exception):
    """The log does not give the state it should: the match must be stopped and looked at."""


def load(match: Match, seats: list[Seat], version: int | None = None) -> Any:
    """The state after row ``version`` of a match (the newest by default).

    Costs nothing if this process has just seen it, a replay otherwise.
    Raises Unreplayable if the rules refuse a row or the last link of the
    chain does not fit, UnknownRules if this process lacks the game.
    """
    try:
        match.rules  # noqa: B018 - asked for whether it is there
    except KeyError as missing:
        raise UnknownRules(f"{match}: rules {match.rules_version}") from missing
    version = match.version if version is None else version
    head = match.digest if version == match.version else _digest_at(match, version)
    with _lock:
        if head in _memory:
            _memory.move_to_end(head)
            return _memory[head]
    state = _replay(match, seats, version, head)
    remember(head, state)
    return state


def remember(digest: str, state: Any) -> None:
    """Keeps the state of a committed row; the oldest go when there are too many."""
    with _lock:
        _memory[digest] = state
        _memory.move_to_end(digest)
        while len(_memory) > LIMIT:
            _memory.popitem(last=False)


def forget() -> None:
    """Empties the memory."""
    with _lock:
        _memory.clear()


def _digest_at(match: Match, version: int) -> str:
    found = Move.objects.filter(match=match, number=version).values_list("digest", flat=True).first()
    if found is None:
        raise Unreplayable(f"{match} has no row {version}")
    return found


def _replay(match: Match, seats: list[Seat], version: int, head: str) -> Any:
    rows = list(
        Move.objects.filter(match=match, number__lte=version)
        .order_by("number")
        .values("number", "kind", "seat", "text", "digest")
    )
    if [row["number"] for row in rows] != list(range(1, version + 1)):
        raise Unreplayable(f"{match}: rows are missing")
    state: Any = None
    try:
        for row in rows:
            if row["kind"] in verify.RULES:
                chance = stream(match, seats, row["number"])
                state, _news = verify.advance(
                    match.rules, match.options, len(seats), state, row["kind"], row["text"], chance
                )
    except DatabaseError:
        raise
    except Exception as broken:
        raise Unreplayable(f"{match} at row {row['number']}: {broken!r}") from broken
    last = rows[-1] | {"news": Move.objects.values_list("news", flat=True).get(match=match, number=version)}
    previous = rows[-2]["digest"] if version > 1 else match.commitment
    link = verify.digest(bytes(match.seed), previous, last, match.rules.observe(state, "open"))
    if not head == last["digest"] == link:
        raise Unreplayable(f"{match}: the digest of row {version} does not fit")
    return state
