"""Coming back to a seat that one has left: once, and only as long as nobody has played on in it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from games import tasks
from games.models import Departure, Match, Move, Seat
from games.services import records, returning, substitutes, turns
from games.templatetags.games_tags import due
from tests.client import Client, client_of
from tests.conftest import fresh, move, mover_of, post_body, seated, steps_for
from tests.games.leaving import gives_up, html, other_than, runs_out, seat_of
from tests.racing import at_once, outcome, race

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

BACK = "Come back to your seat"


def back(who: Client, match: Match):
    """What the button gives."""
    return who.post(f"{match.get_absolute_url()}return/")


def test_who_ran_out_of_time_comes_back_within_the_hour(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie)
    slow = runs_out(clock, match)
    other, mine = client_of(other_than(match, slow)), client_of(slow)
    match = fresh(match)
    assert (match.active_bot, match.held_until) == (True, clock() + timedelta(hours=1))
    clock.forward(minutes=59)
    assert tasks.bots() == 0
    assert turns.play_bots(match.pk) == 0
    assert "The bot waits for you until" in html(mine, match)
    assert str(due(match.held_until, clock()))[:60] in html(other, match)
    assert BACK not in html(other, match)
    assert match.get_absolute_url() in mine.get("/turns/").content.decode()
    for sweep in ("bots", "deadlines", "open_tables"):
        getattr(tasks, sweep)()
    assert Client().get("/healthz").json()["idle_bots"] == 0
    assert back(mine, match)["Location"] == match.get_absolute_url()
    match = fresh(match)
    row = match.moves.last()
    assert (row.kind, row.by, match.since_version) == ("return", "user", row.number)
    assert (match.active_bot, match.held_until, match.deadline) == (False, None, clock() + timedelta(days=2))
    seat = seat_of(match, slow)
    assert (seat.left_version, seat.left_how, seat.bot_level) == (None, "", "")
    assert Departure.objects.get().returned_at == clock()
    assert "You come back to your seat." in html(mine, match)
    assert "comes back." in html(other, match)
    assert mine.post(match.get_absolute_url(), post_body(match, steps_for(match))).status_code == 302
    assert records.differences(fresh(match)) == []
    # Twice is harmless.
    assert back(mine, match).status_code == 302
    assert fresh(match).version == row.number + 1


def test_the_bot_waits_no_longer_than_an_hour_and_then_it_is_too_late(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie)
    slow = runs_out(clock, match)
    clock.forward(hours=1)
    assert tasks.bots() > 0
    match = fresh(match)
    assert match.held_until is None
    assert BACK not in html(client_of(slow), match)
    answer = back(client_of(slow), match)
    assert answer.status_code == 409
    assert "The bot has moved in your seat" in answer.content.decode()
    assert fresh(match).version == match.version
    assert records.differences(match) == []


def test_giving_up_holds_nothing_up_and_can_be_taken_back_all_the_same(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    slow = other_than(match, mover_of(match))
    before = fresh(match).deadline
    match = gives_up(match, slow)
    assert match.held_until is None
    assert back(client_of(slow), match).status_code == 302
    match = fresh(match)
    assert (match.deadline, match.since_version) == (before, 1)  # the turn of another goes on as it was
    assert records.differences(match) == []


def test_one_comes_back_once(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie)
    slow = runs_out(clock, match)
    assert back(client_of(slow), match).status_code == 302
    assert runs_out(clock, match) == slow
    assert BACK not in html(client_of(slow), match)
    answer = back(client_of(slow), match)
    assert answer.status_code == 409
    assert "a second time is not possible" in answer.content.decode()
    assert fresh(match).moves.filter(kind=Move.Kind.RETURN).count() == 1
    assert records.differences(fresh(match)) == []


@pytest.mark.parametrize("how", ["timeout", "resign"])
def test_while_the_seat_is_free_one_may_come_back_and_then_not(clock, alice, bob, person, how):
    match = seated(alice, bob, leave_policy="substitute")
    slow = runs_out(clock, match) if how == "timeout" else mover_of(match)
    if how == "resign":
        gives_up(match, slow)
    clock.forward(days=2)
    number = seat_of(match, slow).number
    assert BACK in html(client_of(slow), match)
    assert back(client_of(slow), match).status_code == 302
    assert fresh(match).deadline == clock() + timedelta(days=2)
    gives_up(match, slow)
    dora = person("dora")
    substitutes.take_over(match.pk, number, dora)
    answer = back(client_of(slow), match)
    assert answer.status_code == 409
    assert "Somebody else has taken over your seat" in answer.content.decode()
    assert seat_of(match, dora).number == number
    assert records.differences(fresh(match)) == []


def test_after_a_bot_got_the_free_seat_one_may_come_back_until_it_moves(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie, leave_policy="substitute")
    slow = other_than(match, mover_of(match))
    match = gives_up(match, slow)
    clock.forward(days=1, hours=23)
    match = move(match) if match.active_seat != seat_of(match, slow).number else match
    Seat.objects.filter(pk=seat_of(match, slow).pk).update(vacant_until=clock())
    tasks.deadlines()
    assert seat_of(match, slow).plays_itself
    assert back(client_of(slow), match).status_code == 302
    assert seat_of(match, slow).has_player
    assert records.differences(fresh(match)) == []


def test_nobody_comes_back_to_a_match_that_is_over(clock, alice, bob):
    match = seated(alice, bob)
    slow = runs_out(clock, match)
    match = fresh(match)
    assert match.status == "finished"
    assert BACK not in html(client_of(slow), match)
    assert back(client_of(slow), match).status_code == 409
    assert fresh(match).version == match.version


def test_strangers_and_players_change_nothing(clock, alice, bob, charlie, person):
    match = seated(alice, bob, charlie)
    slow = runs_out(clock, match)
    other = other_than(match, slow)
    assert back(Client(), match).status_code == 404
    assert back(client_of(person("dora")), match).status_code == 404
    assert client_of(slow).get(f"{match.get_absolute_url()}return/").status_code == 405
    assert back(client_of(other), match).status_code == 302  # sits there anyhow
    assert fresh(match).moves.filter(kind=Move.Kind.RETURN).count() == 0
    Match.objects.filter(pk=match.pk).update(audience="seated")
    assert back(client_of(person("emil")), match).status_code == 404


def test_a_bank_has_one_turns_hours_for_who_comes_back(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie, days=None, bank=(24, 6, 48))
    slow = runs_out(clock, match)
    returning.come_back(match.pk, slow)
    assert seat_of(match, slow).bank == 6 * 3600
    assert fresh(match).deadline == clock() + timedelta(hours=6)


def test_of_a_return_and_the_bots_move_one_happens(clock, alice, bob, charlie, rounds):
    seen = set()
    for number in range(max(rounds // 3, 10)):
        match = seated(alice, bob, charlie)
        slow = mover_of(match)
        match = gives_up(match, slow)
        comes = outcome(partial(returning.come_back, match.pk, slow))
        result, moved = race(number, [comes, partial(turns.play_bots, match.pk, 1)])
        assert (isinstance(result, Move), moved) in ((True, 0), (False, 1)), (result, moved)
        assert isinstance(result, Move) or result == "played_on"
        seen.add(moved)
        assert seat_of(match, slow).has_player == isinstance(result, Move)
        assert records.differences(fresh(match)) == []
        match.delete()
    assert seen == {0, 1}


def test_who_comes_back_twice_at_once_is_back_once(alice, bob, charlie, rounds):
    for _round in range(max(rounds // 6, 4)):
        match = gives_up(seated(alice, bob, charlie), alice)
        if match.active_bot:
            match.delete()
            continue
        results = at_once([outcome(partial(returning.come_back, match.pk, alice))] * 3)
        assert sum(isinstance(result, Move) for result in results) == 1
        assert match.moves.filter(kind=Move.Kind.RETURN).count() == 1
        assert records.differences(fresh(match)) == []
