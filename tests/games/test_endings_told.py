"""What pages say once a match is over."""

from __future__ import annotations

import pytest

from games.services import leaving
from tests.client import Client, client_of
from tests.conftest import seated

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_once_it_is_over_nobody_is_to_move_and_ones_own_win_is_ones_own(alice, bob, game):
    match = seated(alice, bob, game=game)
    loser = match.seats.get(number=match.active_seat).user
    winner = bob if loser == alice else alice
    leaving.resign(match.pk, match.active_seat, version=match.version)
    for client in (client_of(winner), client_of(loser), Client()):
        assert ">to move<" not in client.get(match.get_absolute_url()).content.decode()
    assert "you won" in client_of(winner).get("/history/").content.decode()
    lost = client_of(loser).get("/history/").content.decode()
    assert f"won by {winner.name}" in lost
    assert "you won" not in lost


def test_a_guest_is_told_where_the_matches_are(client):
    client.post("/play-now/")
    told = "your matches are in this browser and nowhere else"
    assert told in client.get("/turns/").content.decode()
    assert told not in Client().get("/turns/").content.decode()
