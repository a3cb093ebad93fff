"""What tests of players who agree share: forms sent, and pages and rows looked at."""

from __future__ import annotations

from datetime import timedelta

from accounts.models import User
from games.models import Consent, Match
from games.services import consent
from tests.client import client_of
from tests.conftest import fresh

PAUSE, CANCEL = Consent.Kind.PAUSE, Consent.Kind.CANCEL
DAY = timedelta(days=1)


def number_of(match: Match, user: User) -> int:
    """The seat of the user."""
    return match.seats.get(user=user).number


def paused(match: Match) -> Match:
    """The match, paused by all its people."""
    for seat in consent.people(list(match.seats.all())):
        consent.propose(match.pk, seat, PAUSE, version=match.version)
    return fresh(match)


def post(user: User, match: Match, what: str, **fields: object) -> int:
    """Sends a form of the match's page; the status of the answer."""
    return client_of(user).post(f"{match.get_absolute_url()}{what}/", fields).status_code


def page(user: User, match: Match) -> str:
    """The page of the match as the user sees it."""
    return client_of(user).get(match.get_absolute_url()).content.decode()


def rows(match: Match) -> list[str]:
    """The kinds of the rows of the log."""
    return list(match.moves.order_by("number").values_list("kind", flat=True))


def shown_proposal(user: User, match: Match, kind: str) -> str:
    """The identity that the form for agreeing carries on the user's page."""
    html = page(user, match)
    form = html[html.index(f"agree/{kind}/") :]
    return form[form.index('name="proposal" value="') :].split('"')[3]
