"""Matches that somebody leaves, for the tests of what happens then."""

from __future__ import annotations

from typing import Any

from games import tasks
from games.models import Heartbeat, Match, Seat
from games.services import leaving
from tests.client import Client
from tests.conftest import fresh, move, mover_of, seated


def seat_of(match: Match, user: Any) -> Seat:
    """The seat of a user, as it is now."""
    return match.seats.get(user=user)


def gives_up(match: Match, user: Any) -> Match:
    """The user gives up; the match as it is then."""
    leaving.resign(match.pk, seat_of(match, user).number, version=fresh(match).version)
    return fresh(match)


def runs_out(clock: Any, match: Match) -> Any:
    """The clock goes on until whoever is to move has run out of time; returns who that was."""
    match = fresh(match)
    slow = match.seats.select_related("user").get(number=match.active_seat).user
    assert match.deadline is not None
    clock.moment = max(match.deadline, clock.moment)
    clock.forward(seconds=3)
    Heartbeat.objects.filter(pk="deadlines").update(at=clock.moment)  # the sweep has lived all along
    tasks.deadlines()
    assert match.departures.filter(user=slow, at=clock.moment).exists()
    return slow


def other_than(match: Match, *users: Any) -> Any:
    """A person of the match who is none of these."""
    return match.seats.exclude(user__in=users).exclude(user__kind="bot").select_related("user").first().user


def left_on_turn(*users: Any) -> Match:
    """A match of the users that waits for substitutes; the first has given it up on their turn."""
    match = seated(*users, leave_policy=Match.LeavePolicy.SUBSTITUTE)
    while mover_of(match) != users[0]:
        match = move(match)
    return gives_up(match, users[0])


def html(who: Client, match: Match, tail: str = "") -> str:
    """A page of the match."""
    text: str = who.get(match.get_absolute_url() + tail).content.decode()
    return text


def take_url(match: Match, number: int) -> str:
    """Where a seat of the match is taken over."""
    return f"{match.get_absolute_url()}take/{number}/"
