"""Moves by wish against everything that may come at the same time: exactly one of them happens, no wish is lost."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from games import registry, tasks
from games.clock import GRACE
from games.models import Match, Move
from games.now import now
from games.services import leaving, records, turns, wishes
from games.wishes import Wish
from tests.conftest import seated, steps_for
from tests.racing import around, at_once, due_at, outcome, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]


@pytest.fixture(autouse=True)
def _always(monkeypatch):
    """A wish that fits everywhere: the bot's move."""
    title = registry.title("red")
    monkeypatch.setitem(title.wishes, "only", Wish("", "", title.bot))


def wishing(alice, bob):
    """A match whose mover's wish is due now; the match and the mover."""
    match = seated(alice, bob)
    user = match.seats.get(number=match.active_seat).user
    wishes.choose(match.pk, user, ["only"])
    Match.objects.filter(pk=match.pk).update(auto_at=now())
    match.refresh_from_db()
    return match, user


def made(match):
    """Kind and maker of every row behind the first."""
    return list(match.moves.exclude(number=1).values_list("kind", "by"))


def test_of_a_move_by_hand_and_one_by_wish_one_is_made(alice, bob, rounds):
    for number in range(rounds):
        match, _user = wishing(alice, bob)
        steps = steps_for(match, number)
        hand = outcome(partial(turns.play, match.pk, match.active_seat, steps, version=1, key=uuid4()))
        by_hand, swept = at_once([hand, tasks.wishes])
        rows = made(match)
        assert rows == ([("play", "auto")] if swept else [("play", "user")])
        assert isinstance(by_hand, Move) != bool(swept)


def test_two_sweeps_make_a_move_once(alice, bob, rounds):
    for _round in range(max(rounds // 5, 3)):
        matches = [wishing(alice, bob)[0] for _each in range(3)]
        assert sum(at_once([tasks.wishes] * 3)) == 3
        for match in matches:
            assert made(match) == [("play", "auto")]
            assert records.differences(Match.objects.get(pk=match.pk)) == []


def test_of_a_move_by_wish_and_the_time_out_one_happens(alice, bob, rounds):
    seen = set()
    for number in range(rounds):
        match, _user = wishing(alice, bob)
        due_at(match, now() - GRACE + around(number))
        race(number, [tasks.wishes, partial(leaving.time_out, match.pk)])
        rows = made(match)
        assert rows in ([("play", "auto")], [("timeout", "server")], [])
        seen.update(rows)
        match.delete()
    assert seen == {("play", "auto"), ("timeout", "server")}


def test_a_wish_chosen_while_the_other_moves_counts(alice, bob, rounds):
    for number in range(rounds):
        match = seated(alice, bob)
        other = match.seats.exclude(number=match.active_seat).get().user
        steps = steps_for(match, number)
        hand = partial(turns.play, match.pk, match.active_seat, steps, version=1, key=uuid4())
        at_once([hand, partial(wishes.choose, match.pk, other, ["only"])])
        match.refresh_from_db()
        if match.status == "playing":
            asked = match.seats.get(number=match.active_seat)
            assert (match.auto_at is not None) == (asked.user == other)


def test_a_wish_that_is_taken_back_in_time_is_not_granted(alice, bob, rounds):
    seen = set()
    for _round in range(rounds):
        match, user = wishing(alice, bob)
        _none, swept = at_once([partial(wishes.choose, match.pk, user, []), tasks.wishes])
        match.refresh_from_db()
        assert made(match) == [("play", "auto")] * swept
        assert match.auto_at is None
        assert tasks.wishes() == 0
        seen.add(swept)
        match.delete()
    assert seen


def test_a_wish_against_the_mover_who_leaves(alice, bob, charlie, rounds):
    for _round in range(rounds):
        match = seated(alice, bob, charlie)
        mover = match.seats.get(number=match.active_seat)
        wishes.choose(match.pk, mover.user, ["only"])
        Match.objects.filter(pk=match.pk).update(auto_at=now())
        leave = outcome(partial(leaving.resign, match.pk, mover.number, version=1))
        left, swept = at_once([leave, tasks.wishes])
        assert isinstance(left, Move) != bool(swept)
        assert match.moves.count() == 2
        assert match.seats.get(pk=mover.pk).auto == (["only"] if swept else [])
