"""Events: what a stream and a socket say, and from where on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.consumers import changes
from games.consumers.changes import Changes, cursor_of
from games.models import Match, Move
from games.services import leaving, lobby
from tests.client import client_of
from tests.conftest import move, play_out, seated
from tests.games.listeners import apart, bearer, cookies, of_page, socket, stream, token_of
from tests.twins import twin_world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def facts(match: Match) -> dict[str, Any]:
    """What an event says of a match."""
    match.refresh_from_db()
    return {"match": match.slug, "version": match.version, "status": match.status}


@pytest.mark.parametrize("who", ["token", "session"])
def test_a_stream_tells_how_all_stands_and_then_what_is_new(alice, bob, who):
    match, other = seated(alice, bob), seated(alice, bob)
    seated(bob, alice)
    before = [facts(one) for one in Match.objects.order_by("pk")]
    headers = bearer(token_of(alice)) if who == "token" else cookies(client_of(alice))

    async def work() -> None:
        async with stream(headers) as found:
            kinds = dict(found.start["headers"])
            assert kinds[b"content-type"] == b"text/event-stream"
            assert kinds[b"cache-control"] == b"no-store"
            first = await found.events()
            assert [data for kind, data, _mark in first if kind == "match"] == before
            assert first[-1][0] == "counts"
            assert first[-1][2].isdigit()
            assert not any(mark for _kind, _data, mark in first[:-1])
            await asyncio.to_thread(move, match)
            (kind, data, _mark), counted = await found.events()
            assert (kind, data) == ("match", await asyncio.to_thread(facts, match))
            assert counted[0] == "counts"
            await asyncio.to_thread(move, other)
            assert (await found.events())[0][1]["match"] == other.slug

    apart(work)


def told(user, cursor: str = "") -> list[tuple[str, dict[str, Any]]]:
    """What one is told first."""
    return [(event.kind, event.data) for event in Changes(user).first(cursor)]


def matches(events) -> list[dict[str, Any]]:
    """Of events those about matches."""
    return [data for kind, data in events if kind == "match"]


def test_from_a_cursor_on_only_what_is_new_is_told(clock, alice, bob):
    still, moves, ends, opened = (seated(alice, bob) for _each in range(3)), None, None, None
    still, moves, ends = still
    opened = lobby.create(alice, lobby.Proposal("red", 2, 0))
    cancelled = lobby.create(alice, lobby.Proposal("red", 2, 0))
    clock.forward(minutes=1)
    cursor = Changes(alice).first()[-1].cursor
    assert cursor == cursor_of(clock.moment)
    assert matches(told(alice, cursor)) == [facts(opened), facts(cancelled)]  # of those that wait there are no rows
    clock.forward(minutes=1)
    move(moves)
    leaving.resign(ends.pk, ends.seats.get(user=bob).number, version=ends.version)
    lobby.cancel(cancelled.pk, alice)
    assert matches(told(alice, cursor)) == [facts(moves), facts(ends), facts(opened), facts(cancelled)]
    assert facts(still) not in matches(told(alice, cursor))
    assert matches(told(bob, cursor)) == [facts(moves), facts(ends)]
    # What may still have been on its way when the cursor was given is told once more.
    clock.forward(seconds=10)
    assert facts(moves) in matches(told(alice, cursor_of(clock.moment)))
    clock.forward(seconds=10)
    assert matches(told(alice, cursor_of(clock.moment))) == [facts(opened)]


def test_who_was_away_for_too_long_is_told_everything(clock, alice, bob):
    match = seated(alice, bob)
    cursor = cursor_of(clock.moment)
    clock.forward(days=8)
    found = told(alice, cursor)
    assert found[0] == ("reset", {})
    assert matches(found) == [facts(match)]


def test_what_is_new_is_told_once_and_nothing_twice(alice, bob):
    match, seen = seated(alice, bob), Changes(alice)
    seen.first()
    assert seen.more() == []
    move(match)
    assert [event.data for event in seen.more() if event.kind == "match"] == [facts(match)]
    assert seen.more() == []
    play_out(match)
    assert [event.data for event in seen.more() if event.kind == "match"] == [facts(match)]
    assert seen.more() == []


def test_who_gives_up_the_seat_of_a_hidden_match_hears_no_more_of_it(alice, bob):
    match = lobby.create(alice, lobby.Proposal("red", 3, 0, audience="seated"))
    lobby.join(match.pk, bob, match.invitations.get().token)
    seen = Changes(bob)
    seen.first()
    lobby.leave(match.pk, bob)
    assert seen.more()[0].data == {"match": match.slug, "version": 0, "status": "cancelled"}
    match.refresh_from_db()
    Match.objects.filter(pk=match.pk).update(version=7)
    assert seen.more() == []


def test_strangers_are_told_of_nothing(alice, bob, charlie):
    seen = Changes(charlie)
    match = seated(alice, bob)
    assert told(charlie) == [("counts", {"turns": 0, "asked": 0, "notices": 0})]
    seen.first()
    move(match)
    assert seen.more() == []


def test_it_costs_the_same_for_one_match_and_for_many(clock, alice, bob):
    costs = []
    for number in (1, 10):
        for _each in range(number):
            seated(alice, bob)
        seen, cursor = Changes(alice), cursor_of(clock.moment)
        with CaptureQueriesContext(connection) as queries:
            seen.first(cursor)
            seen.more()
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 10


def test_the_id_of_the_last_event_counts_more_than_the_address(clock, alice, bob):
    seated(alice, bob)
    old = cursor_of(clock.moment)
    clock.forward(minutes=1)

    async def work() -> list[str]:
        headers = bearer(text) | {"last-event-id": cursor_of(clock.moment)}
        async with stream(headers, f"since={old}") as found:
            return [kind for kind, _data, _mark in await found.events()]

    text = token_of(alice)
    assert apart(work) == ["counts"]


def test_a_socket_says_what_a_stream_says(alice, bob):
    match = seated(alice, bob)
    text = token_of(alice)

    async def frames(headers: dict[str, str]) -> list[dict[str, Any]]:
        async with socket(headers) as (talk, answer):
            assert answer == "websocket.accept"
            told = [json.loads((await talk.receive_output(10))["text"]) for _each in range(2)]
            await asyncio.to_thread(move, match)
            return [*told, json.loads((await talk.receive_output(10))["text"])]

    for headers in (bearer(text), bearer(text) | {"origin": "https://elsewhere.example"}, of_page(client_of(alice))):
        before = facts(match)
        told = apart(lambda headers=headers: frames(headers))
        assert told[0] == {"event": "match", "data": before}
        assert (told[1]["event"], told[1]["id"].isdigit()) == ("counts", True)
        assert told[2] == {"event": "match", "data": facts(match)}


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_twin_worlds_tell_the_same_events(alice, bob, charlie, game):
    match = seated(alice, bob, bots=1, game=game)
    for number in range(3):
        for user in (alice, bob, charlie):
            truth = told(user)
            seat = match.seats.filter(user=user).first()
            viewer = None if seat is None else seat.number
            rows = list(match.moves.all())
            with twin_world(viewer):
                match.moves.update(news=["zz_secret"], text="zz_secret")
                assert told(user) == truth
            Move.objects.bulk_update(rows, ["news", "text"])
            for _kind, data in truth:
                assert data.keys() in ({"match", "version", "status"}, {"turns", "asked", "notices"})
        if match.status == "playing":
            match = move(match, number)


def test_cursors_are_of_this_time(clock):
    assert changes.moment_of(cursor_of(clock.moment)) == clock.moment
