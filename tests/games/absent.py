"""Who is not here, so that notices leave by other ways."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games.models import Match, Notice
from games.now import now
from tests.conftest import move, seated


def away(*users: Any) -> None:
    """They were here long ago."""
    for user in users:
        type(user).objects.filter(pk=user.pk).update(seen_at=now() - timedelta(hours=1))


@pytest.fixture
def match(clock: Any, alice: Any, bob: Any) -> Match:
    """A match in which it is alice's turn, with nothing told before; nobody is here."""
    match = seated(alice, bob)
    if match.seats.get(user=alice).number != match.active_seat:
        move(match)
    Notice.objects.filter(user=bob).delete()
    away(alice, bob)
    return Match.objects.get(pk=match.pk)
