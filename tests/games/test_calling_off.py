"""Calling off a match that has hardly begun: it counts for nobody."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from games import access, histories
from games.models import Match, Move
from games.services import leaving, records, turns
from games.services.errors import NotRunning, StaleMatch, TooLate
from tests.client import Client
from tests.conftest import move, seated, steps_for
from tests.racing import at_once, outcome


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def number_of(match, user) -> int:
    return match.seats.get(user=user).number


def cancel_url(match) -> str:
    return match.get_absolute_url() + "cancel/"


def test_a_match_called_off_has_no_result_and_stays_true(alice, bob):
    match = move(seated(alice, bob, game="barvosauri"))
    row = leaving.call_off(match.pk, number_of(match, alice), version=2)
    match.refresh_from_db()
    assert (row.kind, row.number, row.news) == ("cancel", 3, [{"what": "cancelled", "seat": row.seat}])
    assert (match.status, match.end_reason, match.active_seat, match.deadline) == ("cancelled", "cancelled", None, None)
    assert [(seat.place, seat.finished_at) for seat in match.seats.all()] == [(None, None)] * 2
    assert records.differences(match) == []
    assert histories.entries(alice, alice) == []
    assert histories.entries(bob, bob) == []


@pytest.mark.parametrize(
    ("column", "value", "what"), [("status", "finished", "outcome"), ("end_reason", "", "end reason")]
)
def test_verification_finds_columns_that_do_not_follow(alice, bob, column, value, what):
    match = seated(alice, bob)
    leaving.call_off(match.pk, 0, version=1)
    Match.objects.filter(pk=match.pk).update(**{column: value})
    assert what in [found.what for found in records.differences(Match.objects.get(pk=match.pk))]


def test_a_running_match_that_says_it_was_called_off_is_found(alice, bob):
    match = seated(alice, bob)
    Match.objects.filter(pk=match.pk).update(status="cancelled")
    assert "status" in [found.what for found in records.differences(Match.objects.get(pk=match.pk))]


def test_once_everybody_has_moved_it_is_too_late(alice, bob):
    match = seated(alice, bob, game="barvosauri")
    while leaving.is_early(match, match.moves.all()):
        match = move(match)
    assert set(match.moves.filter(kind="play").values_list("seat", flat=True)) == {0, 1}
    with pytest.raises(TooLate):
        leaving.call_off(match.pk, 0, version=match.version)
    answer = logged_in(alice).post(cancel_url(match), {"version": match.version})
    assert answer.status_code == 409
    assert "it can be given up, but not be called off any more" in answer.content.decode()
    assert "Call the match off" not in logged_in(alice).get(match.get_absolute_url()).content.decode()
    assert Match.objects.get(pk=match.pk).status == "playing"


def test_a_seat_that_is_never_asked_does_not_keep_the_way_out_open(alice, bob):
    match = seated(alice, bob)
    rows = [Move(kind="play", seat=0, number=number) for number in range(2, 5)]
    match.version = 4
    assert leaving.is_early(match, rows)
    match.version = 5
    assert not leaving.is_early(match, rows)


def test_on_the_version_one_sees_and_by_who_sits_there(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    with pytest.raises(StaleMatch):
        leaving.call_off(match.pk, 0, version=0)
    leaving.resign(match.pk, number_of(match, alice), version=1)
    with pytest.raises(NotRunning):
        leaving.call_off(match.pk, number_of(match, alice), version=2)
    leaving.call_off(match.pk, number_of(match, bob), version=2)
    with pytest.raises(NotRunning):
        leaving.call_off(match.pk, number_of(match, charlie), version=3)
    assert records.differences(Match.objects.get(pk=match.pk)) == []


def test_bots_do_not_move_in_it_any_more(alice):
    match = seated(alice, bots=2)
    leaving.call_off(match.pk, number_of(match, alice), version=match.version)
    match.refresh_from_db()
    assert match.active_bot is False
    assert turns.play_bots(match.pk) == 0


def test_the_pages_ask_first_and_tell_the_others(alice, bob, charlie):
    match = seated(alice, bob)
    mine, theirs, stranger = logged_in(alice), logged_in(bob), logged_in(charlie)
    assert f'href="{cancel_url(match)}"' in mine.get(match.get_absolute_url()).content.decode()
    assert f'href="{cancel_url(match)}"' not in stranger.get(match.get_absolute_url()).content.decode()
    assert stranger.post(cancel_url(match), {"version": 1}).status_code == 404
    asked = mine.get(cancel_url(match)).content.decode()
    assert "counts for nobody" in asked
    assert Match.objects.get(pk=match.pk).status == "playing"
    assert mine.post(cancel_url(match), {"version": "x"}).status_code == 400
    stale = mine.post(cancel_url(match), {"version": 0})
    assert stale.status_code == 409
    assert "The match has moved on since you looked." in stale.content.decode()
    assert mine.post(cancel_url(match), {"version": 1}).status_code == 302
    again = mine.post(cancel_url(match), {"version": 1})
    assert (again.status_code, again.headers["location"]) == (302, match.get_absolute_url())
    assert theirs.post(cancel_url(match), {"version": 1}).status_code in (404, 409)
    assert "You called this match off before everybody had moved" in mine.get(match.get_absolute_url()).content.decode()
    sentence = "alice called this match off before everybody had moved; it counts for nobody."
    assert sentence in theirs.get(match.get_absolute_url()).content.decode()
    assert sentence in theirs.get("/turns/").content.decode()
    assert (
        '<b class="who">alice</b> calls the match off.'
        in theirs.get(match.get_absolute_url() + "log/").content.decode()
    )
    assert theirs.post(match.get_absolute_url(), {"steps": "PASS", "version": 1, "key": ""}).status_code in (400, 409)


def test_what_was_hidden_stays_hidden(alice, bob, charlie):
    match = seated(alice, bob)
    leaving.call_off(match.pk, number_of(match, alice), version=1)
    seen_by = [access.match_for(user, match.slug).viewer for user in (alice, bob, charlie)]
    assert seen_by == [number_of(match, alice), number_of(match, bob), None]


@pytest.mark.django_db(transaction=True)
def test_of_calling_off_and_a_move_one_wins(alice, bob, rounds):
    for _round in range(rounds):
        match = seated(alice, bob, game="barvosauri")
        mover, steps = match.active_seat, steps_for(match)
        call_off = partial(leaving.call_off, match.pk, 1 - mover, version=1)
        play = partial(turns.play, match.pk, mover, steps, version=1, key=uuid4())
        results = at_once([outcome(call_off), outcome(play)])
        assert sum(isinstance(result, Move) for result in results) == 1
        match.refresh_from_db()
        assert (match.version, match.status) == (2, "cancelled" if isinstance(results[0], Move) else "playing")
        assert records.differences(match) == []
