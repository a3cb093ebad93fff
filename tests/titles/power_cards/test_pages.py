"""Power Cards on the site: the rules page, and whole matches on its table."""

from __future__ import annotations

import gzip
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from games.engine import split
from games.states import load
from games.titles.power_cards.deck import DECK
from games.titles.power_cards.phrases import NAMES
from tests.conftest import move, play_out, seated
from tests.reading import Page

pytestmark = pytest.mark.django_db

MOST = 15_000
"""Bytes of a page, compressed."""


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
        assert "in the pack" in page
        assert page.count("{") == page.count("}")
        assert "style=" not in page
        assert len(gzip.compress(page.encode())) < MOST
        match = move(match, number)
    match = play_out(match)
    assert match.status == "finished"
    page = client.get(match.get_absolute_url())
    assert page.status_code == 200
    assert "in the pack" in page.content.decode()
    assert len(gzip.compress(page.content)) < MOST
    assert client.get(f"{match.get_absolute_url()}log/").status_code == 200


def steps_and_picks(client: Any, url: str) -> tuple[set[str], set[str]]:
    """The steps that a page's links add to the plan, and the pages on which a piece is picked up."""
    queries = [parse_qs(urlsplit(link.href).query) for link in Page(client.get(url).content.decode()).links]
    steps = {split(query["plan"][0])[-1] for query in queries if "plan" in query}
    return steps, {query["pick"][0] for query in queries if "pick" in query}


def test_every_legal_step_is_reached_by_links(client: Any, alice: Any, bob: Any) -> None:
    wanted, met = {"call", "build", "offer", "stop"}, set()
    for number in range(20):
        if number > 1 and wanted <= met:
            break
        match = seated(alice, bob, game="power_cards", options={"build": "may"})
        for _row in range(12):
            seats = list(match.seats.select_related("user"))
            client.force_login(seats[match.active_seat].user)
            url = match.get_absolute_url()
            found, picks = steps_and_picks(client, url)
            names = re.findall(r'data-card="(\w+)"', client.get(url).content.decode())
            assert len(names) == len(set(names)), "a piece that is in two places would fly between them"
            for card in picks:
                found |= steps_and_picks(client, f"{url}?v={match.version}&pick={card}")[0]
            legal = set(match.rules.legal_moves(load(match, seats)))
            assert found == legal
            met |= {step.split(" ")[0] for step in legal}
            client.force_login(seats[1 - match.active_seat].user)
            assert steps_and_picks(client, url) == (set(), set())
            match = move(match, number)
    assert wanted <= met


def test_the_last_round_is_told_to_all_with_the_cards_that_were_shown(client: Any, alice: Any, bob: Any) -> None:
    match = seated(alice, bob, game="power_cards")
    page = client.get(match.get_absolute_url()).content.decode()
    assert "The deal" in page
    match = move(match, steps=["call wits"])
    shown = next(value for value in match.moves.latest("number").news if value["what"] == "shown")
    for visitor in (None, alice, bob):
        if visitor:
            client.force_login(visitor)
        page = client.get(match.get_absolute_url()).content.decode()
        assert "Round 1" in page
        for card in shown["cards"]:
            assert f'data-card="{card}"' in page
        earlier = client.get(f"{match.get_absolute_url()}at/1/").content.decode()
        assert "The deal" in earlier
        assert "Round 1" not in earlier
