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


def due_at(match: Match, moment: datetime) -> None:
    """Moves the decision that a match waits for back in time, so that it is due at ``moment``."""
    begun = moment - timedelta(days=match.clock.days or 0)
    Match.objects.filter(pk=match.pk).update(decision_at=begun, deadline=moment)
