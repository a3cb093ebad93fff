"""Calls that begin together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, connections

from games.models import Match
from games.services.errors import Refused
from tests.client import Client, client_of


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """The results of calls that begin together, each in a thread with its own connection."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            barrier.wait(10)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def race(number: int, calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """The results of two calls in round ``number`` of a race.

    In the first two rounds one is over before the other begins, so that each
    has been first; in the others they begin together.
    """
    if number > 1:
        return at_once(calls)
    results = {place: calls[place]() for place in ((0, 1), (1, 0))[number]}
    return [results[0], results[1]]


def outcome(call: Callable[[], Any]) -> Callable[[], Any]:
    """The call, giving the code of a refusal instead of raising it."""

    def tried() -> Any:
        try:
            return call()
        except Refused as refused:
            return refused.code

    return tried


def clients_of(user: Any, number: int) -> list[Client]:
    """So many browsers of one user."""
    return [client_of(user) for _each in range(number)]


def around(number: int) -> timedelta:
    """From the moment at which a move stops counting to the deadline's own, in round ``number`` of ``race``.

    In the first two the move is in time, then too late; in the others the moment comes while they run.
    """
    if number < 2:
        return (timedelta(hours=1), -timedelta(hours=1))[number]
    return timedelta(milliseconds=number % 10 * 8 - 20)


def due_at(match: Match, moment: datetime) -> None:
    """Moves the decision that a match waits for back in time, so that it is due at ``moment``."""
    begun = moment - timedelta(days=match.clock.days or 0)
    Match.objects.filter(pk=match.pk).update(decision_at=begun, deadline=moment)
