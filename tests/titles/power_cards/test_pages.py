"""Power Cards on the site: the rules page, and whole matches on the plain table."""

from __future__ import annotations

from typing import Any

import pytest

from games.titles.power_cards.deck import DECK
from games.titles.power_cards.phrases import NAMES
from tests.conftest import move, play_out, seated

pytestmark = pytest.mark.django_db


def test_the_rules_are_in_print(client: Any) -> None:
    page = client.get("/rules/power_cards/").content.decode()
    assert all(NAMES[card] in page for card in DECK)
    for decision in (*range(1, 4), *range(5, 18), 19, 20, 22, 23, 24, 25):
        assert f'data-decision="P{decision}"' in page
    assert "style=" not in page


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_can_be_played_and_read(client: Any, alice: Any, bob: Any, person: Any, seats: int) -> None:
    users = [alice, bob, person("cyril"), person("dora")][:seats]
    match = seated(*users, game="power_cards", options={"quick": "auto"})
    client.force_login(alice)
    for number in range(12):
        page = client.get(match.get_absolute_url()).content.decode()
        assert "Rounds called" in page
        assert page.count("{") == page.count("}")
        match = move(match, number)
    match = play_out(match)
    assert match.status == "finished"
    page = client.get(match.get_absolute_url())
    assert page.status_code == 200
    assert client.get(f"{match.get_absolute_url()}log/").status_code == 200
