"""The page and the API at the same moment: whoever comes by two doors has come once."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from games.models import Match
from games.services import api_bots, invitations, lobby, records
from tests.api.calling import Program
from tests.client import client_of
from tests.conftest import post_body, seated, steps_for
from tests.games.test_api_bots import bot_of
from tests.racing import at_once, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

EACH = 4
"""Posts by either door."""


def status(call) -> int:
    """How a request was answered."""
    return call().status_code


def test_one_key_by_both_doors_at_once_is_one_row(alice, bob, rounds):
    for number in range(max(rounds // 5, 3)):
        match = seated(alice, bob)
        user, key, steps = match.seats.get(number=match.active_seat).user, uuid4(), steps_for(match, number)
        body, program, client = post_body(match, steps, key), Program(user), client_of(user)
        by_page = partial(status, partial(client.post, match.get_absolute_url(), body))
        by_api = partial(status, partial(program.move, match.slug, 1, steps, key))
        assert at_once([by_page] * EACH + [by_api] * EACH) == [302] * EACH + [201] * EACH
        match.refresh_from_db()
        assert (match.version, match.moves.count(), match.moves.filter(key=key).count()) == (2, 2, 1)
        assert records.differences(match) == []


def test_the_last_seat_by_both_doors_at_once_is_taken_once(alice, bob, charlie, rounds):
    browsers = {user: client_of(user) for user in (bob, charlie)}
    programs = {user: Program(user) for user in (bob, charlie)}
    for _number in range(max(rounds // 5, 3)):
        match = lobby.create(alice, lobby.Proposal("red", 2, 0, listed=True))
        token = match.invitations.get().token
        calls = []
        for user in (bob, charlie):
            page = f"{match.get_absolute_url()}join/{token}/"
            calls.append(partial(status, partial(browsers[user].post, page)))
            calls.append(partial(status, partial(programs[user].post, f"/matches/{match.slug}/join", {"token": token})))
            calls.append(partial(status, partial(programs[user].post, f"/matches/{match.slug}/join")))
        answers = at_once(calls)
        assert max(answers) < 500, answers
        match.refresh_from_db()
        assert (match.status, match.version, match.seats.count()) == ("playing", 1, 2)
        assert records.differences(match) == []


def test_a_bot_that_is_removed_while_it_accepts_or_moves_sits_nowhere(alice, bob, rounds):
    for number in range(max(rounds // 5, 4)):
        bot, program = bot_of(bob, f"Roby{number}x{number}")
        running = lobby.create(alice, lobby.Proposal("red", 2, 0, days=2), [bot.user])
        invitations.accept(running.invitations.get(to=bot.user))
        running.refresh_from_db()
        waiting = lobby.create(alice, lobby.Proposal("red", 2, 0, days=2), [bot.user])
        asked = waiting.invitations.get(to=bot.user).pk
        steps = steps_for(running, number)

        def plays(program=program, asked=asked, slug=running.slug, steps=steps) -> tuple[int, int]:
            return program.post(f"/invitations/{asked}/accept").status_code, program.move(slug, 1, steps).status_code

        answers, _gone = race(number, [plays, partial(api_bots.remove, bot)])
        assert max(answers) < 500, answers
        for match in Match.objects.filter(pk__in=(running.pk, waiting.pk)):
            assert match.status in ("finished", "open"), match.status
            assert not match.seats.filter(user=bot.user, left_version=None).exists()
            assert match.version == 0 or records.differences(match) == []
        api_bots.Bot.objects.all().delete()
