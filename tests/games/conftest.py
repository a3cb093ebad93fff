"""What tests of pages and services share."""

from __future__ import annotations

import pytest

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
