"""Twin worlds, by the sockets: frames hold numbers that everybody may know, and are not made from a state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial

import pytest

from games import live
from games.models import Match, Move
from games.services import lobby
from tests.client import Client
from tests.conftest import move, seated
from tests.games.listeners import apart, of_page, socket
from tests.twins import twin_world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def frames(client: Client, match: Match, meanwhile: Callable[[], object] | None = None) -> list[str]:
    """What the page of a match is told when it opens, and when somebody moves or ``meanwhile`` is done."""

    async def work() -> list[str]:
        async with socket(of_page(client), f"match={match.slug}", "/ws/") as (talk, answer):
            assert answer == "websocket.accept"
            told = [(await talk.receive_output(10))["text"]]
            await asyncio.to_thread(meanwhile or partial(live.announce, match.pk))
            return [*told, (await talk.receive_output(10))["text"]]

    return apart(work)


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_twin_worlds_send_the_same_frames(alice, bob, charlie, game):
    match = seated(alice, bob, bots=1, game=game)
    compared = 0
    for number in range(4):
        if match.status != "playing":
            break
        for user in (alice, bob, charlie):
            client = Client()
            client.force_login(user)
            seat = match.seats.filter(user=user).first()
            viewer = None if seat is None else seat.number
            truth = frames(client, match)

            rows = list(match.moves.all())
            with twin_world(viewer):
                match.moves.update(news=["zz_secret"], text="zz_secret")
                assert frames(client, match) == truth
            Move.objects.bulk_update(rows, ["news", "text"])
            for frame in truth:
                told = json.loads(frame)
                assert set(told) == {"turns", "asked", "notices", "match", "version", "status", "gathered"}
                assert told["version"] == match.version
                compared += 1
        match = move(match, number)
    assert compared >= 6


def test_who_gives_up_the_seat_of_a_hidden_match_hears_no_more_of_it(alice, bob):
    match = lobby.create(alice, lobby.Proposal("red", 3, 0, audience="seated"))
    lobby.join(match.pk, bob, match.invitations.get().token)
    client = Client()
    client.force_login(bob)
    before, after = frames(client, match, lambda: client.post(f"/match/{match.slug}/leave/"))
    assert json.loads(before)["status"] == "open"
    counts = {"turns": 0, "asked": 0, "notices": 0}
    assert json.loads(after) == {**counts, "match": match.slug, "version": 0, "status": "cancelled"}
