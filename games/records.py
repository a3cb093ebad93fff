"""Matches as records: whole once they are over, before that as far as their viewer may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from accounts.models import User
from games import engine, verify
from games.models import Match, Move, Seat


def for_viewer(match: Match, seats: Iterable[Seat], viewer: engine.Viewer) -> dict[str, Any]:
    """The record as ``viewer`` may have it, by one query; the seats are given with their users."""
    return whole(match, seats) if match.over else so_far(match, seats, viewer)


def whole(match: Match, seats: Iterable[Seat]) -> dict[str, Any]:
    """The record with all secrets of the match, as ``verify.check`` reads it."""
    seats = list(seats)
    moves = list(match.moves.order_by("number"))
    record = {
        **_head(match),
        "seed": bytes(match.seed).hex(),
        "seats": [
            {"name": name_of(seat.user), "joined": seat.joined, "entropy": bytes(seat.entropy).hex()} for seat in seats
        ],
        "rows": [
            {
                "number": move.number,
                "kind": move.kind,
                "seat": move.seat,
                "text": move.text,
                "at": _since(moves[0], move),
                "news": move.news,
                "digest": move.digest,
            }
            for move in moves
        ],
        "outcome": {"places": [seat.place for seat in seats], "reason": match.end_reason} if match.over else None,
    }
    return record | {"checksum": verify.checksum(record)}


def so_far(match: Match, seats: Iterable[Seat], viewer: engine.Viewer) -> dict[str, Any]:
    """The record of a match without a result: neither seed nor texts nor digests, and only news for ``viewer``."""
    moves = list(match.moves.order_by("number"))
    return {
        **_head(match),
        "status": match.status,
        "viewer": viewer,
        "seats": [{"name": name_of(seat.user)} for seat in seats],
        "rows": [
            {
                "number": move.number,
                "kind": move.kind,
                "seat": move.seat,
                "at": _since(moves[0], move),
                "news": engine.seen(move.news, viewer),
            }
            for move in moves
        ],
        "outcome": None,
    }


def name_of(user: User) -> str:
    """How a record names a user, in every language alike: a guest by as much of the mark as pages show."""
    return f"guest-{user.mark[:4]}" if user.is_guest else user.username


def _head(match: Match) -> dict[str, Any]:
    """What is known of a match from the start."""
    return {
        "format": verify.FORMAT,
        "id": match.origin or match.slug,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": match.options,
        "commitment": match.commitment,
    }


def _since(first: Move, move: Move) -> float:
    """Seconds since the start, as every program writes them: whole, or to the thousandth."""
    seconds = round((move.at - first.at).total_seconds(), 3)
    return int(seconds) if seconds == int(seconds) else seconds
