"""The watchdog: it goes on watching whatever the database answers."""

from __future__ import annotations

import pytest
from django.db import InterfaceError, OperationalError

from config import watchdog


class Enough(Exception):
    """Ends the watch of the test."""


def test_a_connection_that_is_gone_ends_no_watch(monkeypatch):
    answers = iter([OperationalError("away"), InterfaceError("the connection is closed"), Enough()])

    def asked(_patience):
        raise next(answers)

    monkeypatch.setattr(watchdog, "_stands_still", asked)
    monkeypatch.setattr(watchdog, "close_old_connections", lambda: None)
    with pytest.raises(Enough):
        watchdog._watch(0.001)
