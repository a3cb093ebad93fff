"""What all tests share: options, the three people, and a hand on the clock and the sweeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from bench.repeatable import draw_from
from bench.strength import saving_bot
from games import engine
from games.chance import seeded
from tests import emptying

LUCK = Random()
"""What matches of tests draw their seeds from."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """--cases FILE (repeatable) runs further case files; --thorough uses the large counts."""
    parser.addoption("--cases", action="append", default=[], help="a further file of cases, in the common notation")
    parser.addoption("--thorough", action="store_true", help="the large counts: more seeds, matches and rounds")


def pytest_configure(config: pytest.Config) -> None:
    """Gives each test the same seeds whenever it runs, so that it passes or fails for a reason; not with --thorough."""
    emptying.quickly()
    if not config.getoption("--thorough"):
        draw_from(LUCK)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test's luck is its own, whatever ran before it."""
    LUCK.seed(item.nodeid)


@pytest.fixture(autouse=True)
def _empty_memory() -> None:
    """No test finds states or limits that another one left."""
    from django.core.cache import cache

    from games import states

    states.forget()
    cache.clear()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Any]:
    """A Redis of our own."""
    from tests.serving import Redis

    server = Redis(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether the large counts were asked for."""
    return bool(request.config.getoption("--thorough"))


@pytest.fixture
def rounds(thorough: bool) -> int:
    """How often a race is run: no failure in n trials bounds its rate below 3/n."""
    return 300 if thorough else 30


@pytest.fixture
def unlimited(settings: Any) -> None:
    """Nobody is told to slow down."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, (10**9, 60))
    settings.RATED_TOGETHER = 10**9


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **span: float) -> None:
        """Moves the clock on, by the arguments of timedelta."""
        self.moment += timedelta(**span)


@pytest.fixture
def clock() -> Iterator[Clock]:
    """The site's clock, under control."""
    from games.now import replaced

    hand = Clock()
    with replaced(hand):
        yield hand


@pytest.fixture
def person(db: Any) -> Callable[[str], Any]:
    """Makes a user with an account."""
    from accounts.models import User

    return lambda name: User.objects.create(username=name, password="!")


@pytest.fixture
def alice(person: Callable[[str], Any]) -> Any:
    """The player whose view is tested."""
    return person("alice")


@pytest.fixture
def bob(person: Callable[[str], Any]) -> Any:
    """Her opponent."""
    return person("bob")


@pytest.fixture
def charlie(person: Callable[[str], Any]) -> Any:
    """A stranger."""
    return person("charlie")


@pytest.fixture
def dora(person: Callable[[str], Any]) -> Any:
    """Somebody who sits down later."""
    return person("dora")


def seated(*users: Any, bots: int = 0, **proposal: Any) -> Any:
    """A running match of the users and some bots; returns the Match."""
    from games.models import Match
    from games.services import lobby

    proposal = {"game": "red", "seats": len(users) + bots, "bots": bots, "days": 2, **proposal}
    match = lobby.create(users[0], lobby.Proposal(**proposal))
    for user in users[1:]:
        match = lobby.join(match.pk, user, match.invitations.get().token)
    return Match.objects.get(pk=match.pk)


def fresh(match: Any) -> Any:
    """The match as the database has it by now."""
    return type(match).objects.get(pk=match.pk)


def mover_of(match: Any) -> Any:
    """The user who is to move in the match by now."""
    return match.seats.select_related("user").get(number=fresh(match).active_seat).user


def steps_for(match: Any, number: int = 0) -> list[str]:
    """A random legal turn for whoever is to move, which gives nothing up as long as anything else is possible."""
    from games import states

    rules, seats = match.rules, list(match.seats.all())
    observation = rules.observe(states.load(match, seats), match.active_seat)
    return saving_bot(rules, observation, seeded(number * 1000 + match.version))


def move(match: Any, number: int = 0, steps: list[str] | None = None) -> Any:
    """Plays a random legal turn (or ``steps``) for whoever is to move; returns the match as it is then."""
    from games.services import turns

    chosen = steps_for(match, number) if steps is None else steps
    turns.play(match.pk, match.active_seat, chosen, version=match.version, key=uuid4())
    match.refresh_from_db()
    return match


def play_out(match: Any, number: int = 0, rows: int = 10_000) -> Any:
    """Random turns for every seat until the match is over or has so many rows."""
    while match.status == "playing" and match.version < rows:
        match = move(match, number)
    return match


def post_body(match: Any, steps: list[str], key: Any = None) -> dict[str, str]:
    """The fields of the form that submits a turn."""
    return {"steps": engine.join(steps), "version": str(match.version), "key": str(key or uuid4())}


@pytest.fixture
def client() -> Any:
    """A visitor who is nobody yet."""
    from tests.client import Client

    return Client()
