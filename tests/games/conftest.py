"""What tests of pages and services share."""

from __future__ import annotations

import pytest

from games.consumers import sockets
from tests.games.mailing import Faulty, with_address


@pytest.fixture
def mailed(settings, clock, alice, bob):
    """alice and bob have addresses and have been away for days."""
    settings.SITE_URL = "https://play.example.org"
    settings.DEFAULT_FROM_EMAIL = "Na tahu <noreply@play.example.org>"
    with_address(alice, bob)


@pytest.fixture
def faulty(settings):
    """A mail server that tests can break."""
    settings.EMAIL_BACKEND = "tests.games.mailing.Faulty"
    yield Faulty
    Faulty.fault = None


@pytest.fixture
def quick(monkeypatch):
    """Whoever listens is shown signs of life and looked at again at once."""
    monkeypatch.setattr(sockets, "BEAT", 0.05)
    monkeypatch.setattr(sockets, "RECHECK_EVERY", 1)
    monkeypatch.setattr(sockets, "HINT_AHEAD", 0.01)
