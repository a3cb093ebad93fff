"""Who is first wins, alone: simultaneous posts on one version, a move against the clock, two sweeps."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from games import tasks
from games.clock import GRACE
from games.models import Match, Move
from games.now import now
from games.services import records, turns
from tests.client import Client
from tests.conftest import post_body, seated, steps_for
from tests.racing import around, at_once, clients_of, due_at, outcome, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

AT_ONCE = 10


def posted(client: Client, match: Match, body: dict[str, str]) -> tuple[int, str]:
    """Status and target of a posted turn."""
    answer = client.post(match.get_absolute_url(), body)
    return answer.status_code, answer.get("Location", "")


def test_of_ten_posts_on_one_version_one_wins(alice, bob, rounds):
    clients = {user.pk: clients_of(user, AT_ONCE) for user in (alice, bob)}
    match = seated(alice, bob)
    for number in range(rounds):
        if match.status != "playing":
            match = seated(alice, bob)
        mover = match.seats.get(number=match.active_seat).user_id
        bodies = [post_body(match, steps_for(match, number)) for _each in range(AT_ONCE)]
        calls = [partial(posted, client, match, body) for client, body in zip(clients[mover], bodies, strict=True)]
        assert sorted(status for status, _url in at_once(calls)) == [302] + [409] * (AT_ONCE - 1)
        before = match.version
        match.refresh_from_db()
        assert match.version == before + 1 == match.moves.count()
    assert records.differences(match) == []


def test_the_same_post_ten_times_at_once_is_one_row_and_ten_same_answers(alice, bob, rounds):
    for number in range(max(rounds // 3, 5)):
        match = seated(alice, bob)
        user = match.seats.get(number=match.active_seat).user
        body = post_body(match, steps_for(match, number), uuid4())
        answers = at_once([partial(posted, client, match, body) for client in clients_of(user, AT_ONCE)])
        assert answers == [(302, match.get_absolute_url())] * AT_ONCE
        assert match.moves.count() == 2


def test_of_a_move_and_the_time_out_exactly_one_happens(alice, bob, rounds):
    seen = set()
    for number in range(rounds):
        match = seated(alice, bob)
        seat, steps = match.active_seat, steps_for(match, number)
        due_at(match, now() - GRACE + around(number))
        move = outcome(partial(turns.play, match.pk, seat, steps, version=1, key=uuid4()))
        results = race(number, [move, tasks.deadlines])
        match.refresh_from_db()
        kinds = list(match.moves.exclude(kind="start").values_list("kind", flat=True))
        assert kinds in (["play"], ["timeout"], [])
        assert isinstance(results[0], Move) == (kinds == ["play"])
        assert results[1] == (kinds == ["timeout"])
        assert match.version == 1 + len(kinds)
        seen.update(kinds)
        match.delete()  # what neither of them took would be overdue in the next round
    assert seen == {"play", "timeout"}


def test_two_sweeps_at_once_move_each_bot_once(alice, rounds):
    for _round in range(max(rounds // 5, 4)):
        matches = [seated(alice, bots=2) for _each in range(4)]
        at_once([tasks.bots] * 3)
        for match in matches:
            match.refresh_from_db()
            numbers = list(match.moves.order_by("number").values_list("number", flat=True))
            assert numbers == list(range(1, match.version + 1))
            assert records.differences(match) == []
