"""Who is first has the seat, alone: substitutes, the bot, who left and who moves, all at once."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from games.models import Departure, Match, Move, Seat
from games.services import records, returning, substitutes, turns
from tests.conftest import fresh, mover_of, seated, steps_for
from tests.games.leaving import gives_up, other_than, seat_of
from tests.racing import at_once, outcome, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

SUBSTITUTE = Match.LeavePolicy.SUBSTITUTE


def taken(match: Match, number: int, user: User):
    return outcome(partial(substitutes.take_over, match.pk, number, user))


def test_of_two_substitutes_one_sits_down(clock, alice, bob, person, rounds):
    users = [person(f"sub{number}") for number in range(4)]
    for number in range(max(rounds // 3, 5)):
        match = gives_up(seated(alice, bob, leave_policy=SUBSTITUTE), alice)
        seat = seat_of(match, alice).number
        results = at_once([taken(match, seat, user) for user in users])
        won = [user for user, result in zip(users, results, strict=True) if isinstance(result, Move)]
        assert len(won) == 1, (number, results)
        assert [result for result in results if not isinstance(result, Move)] == ["not_vacant"] * 3
        assert seat_of(match, won[0]).number == seat
        assert match.moves.filter(kind="takeover").count() == 1
        assert Departure.objects.get(match=match).taken_over == fresh(match).version
        assert records.differences(fresh(match)) == []


def test_one_who_takes_two_free_seats_at_once_has_one(clock, alice, bob, charlie, dora, rounds):
    for _round in range(max(rounds // 6, 5)):
        match = gives_up(gives_up(seated(alice, bob, charlie, leave_policy=SUBSTITUTE), alice), bob)
        seats = [seat_of(match, user).number for user in (alice, bob)]
        results = at_once([taken(match, seat, dora) for seat in seats])
        assert sum(isinstance(result, Move) for result in results) == 1
        assert "own_match" in results
        assert records.differences(fresh(match)) == []


def test_of_a_substitute_and_the_bot_one_has_the_seat(clock, alice, bob, dora, rounds):
    seen = set()
    for number in range(max(rounds // 3, 10)):
        match = gives_up(seated(alice, bob, leave_policy=SUBSTITUTE), alice)
        seat = seat_of(match, alice)
        Seat.objects.filter(pk=seat.pk).update(vacant_until=clock())
        result, bot = race(number, [taken(match, seat.number, dora), partial(substitutes.let_bot_in, seat.pk)])
        row = match.moves.get(kind="takeover")
        seen.add(row.by)
        assert (isinstance(result, Move), isinstance(bot, Move)) == (row.by == "user", row.by == "server")
        assert Seat.objects.get(pk=seat.pk).plays_itself == (row.by == "server")
        assert records.differences(fresh(match)) == []
        match.delete()
    assert seen == {"user", "server"}


def test_of_a_substitute_and_who_left_one_has_the_seat(clock, alice, bob, dora, rounds):
    for number in range(max(rounds // 3, 5)):
        match = gives_up(seated(alice, bob, leave_policy=SUBSTITUTE), alice)
        seat = seat_of(match, alice)
        calls = [taken(match, seat.number, dora), outcome(partial(returning.come_back, match.pk, alice))]
        results = at_once(calls if number % 2 else calls[::-1])
        assert sum(isinstance(result, Move) for result in results) == 1, results
        assert {"not_vacant", "taken_over"} & set(map(str, results))
        assert Seat.objects.get(pk=seat.pk).has_player
        assert records.differences(fresh(match)) == []


def test_a_substitute_sits_down_while_others_move(clock, alice, bob, charlie, dora, rounds):
    for _round in range(max(rounds // 5, 4)):
        match = seated(alice, bob, charlie, leave_policy=SUBSTITUTE)
        slow = other_than(match, mover_of(match))
        match = gives_up(match, slow)
        steps = steps_for(match)
        moved = outcome(partial(turns.play, match.pk, match.active_seat, steps, version=match.version, key=None))
        results = at_once([taken(match, seat_of(match, slow).number, dora), moved])
        assert isinstance(results[0], Move)  # looks again; the mover may have to
        assert isinstance(results[1], Move) or results[1] == "stale_version"
        assert records.differences(fresh(match)) == []
