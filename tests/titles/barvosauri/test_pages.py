"""The page of a match of Barvosauři: its links lead to every step, and it reads for everybody at any time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.template.loader import render_to_string

from games import engine, registry, states
from games.bots import random_bot
from games.chance import seeded
from games.titles.barvosauri import GAMES, words
from games.titles.barvosauri.state import Options
from tests.client import Client
from tests.conftest import move, play_out, seated
from tests.reading import Page

GAME = GAMES[-1]
TITLE = registry.title("barvosauri")


def links(page: Page) -> list[dict[str, str]]:
    """The half-made plans to which a page leads."""
    queries = [parse_qs(urlsplit(link.href).query) for link in page.links]
    return [{name: values[0] for name, values in query.items()} for query in queries if "v" in query]


@pytest.mark.django_db
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_page_leads_to_every_legal_step(alice: Any, bob: Any, person: Any, seats: int) -> None:
    match = seated(*[alice, bob, person("cyril"), person("dora")][:seats], game="barvosauri")
    phases = set()
    for number in range(40):
        if match.status != "playing":
            break
        client = Client()
        client.force_login(match.seats.get(number=match.active_seat).user)
        state = states.load(match, list(match.seats.all()))
        plan = random_bot(GAME, GAME.observe(state, match.active_seat), seeded(number))
        so_far = plan[: 1 if len(plan) > 1 and number % 2 else 0]  # a plan half made, or none
        planned, _news = engine.plan(GAME, state, so_far)
        if GAME.active_seat(planned) == match.active_seat and (
            planned.phase not in phases or planned.phase == "harvest"
        ):
            phases.add(planned.phase)
            assert steps_of(client, match, so_far) == set(GAME.legal_moves(planned))
        match = move(match, number, plan)
    assert phases == {"place", "move", "harvest"}


def steps_of(client: Client, match: Any, plan: list[str]) -> set[str]:
    """Every next step that the page of a plan leads to, through whatever may be picked first."""
    url = match.get_absolute_url()
    start = f"{url}?v={match.version}" + (f"&plan={engine.join(plan)}" if plan else "")
    frontier, seen, found = [start], set(), set()
    while frontier:
        html = client.get(frontier.pop()).content.decode()
        assert "style=" not in html
        for query in links(Page(html)):
            steps = engine.split(query.get("plan", ""))
            if steps[: len(plan)] == plan and len(steps) == len(plan) + 1:
                found.add(steps[-1])
            elif steps == plan and query.get("pick") and query["pick"] not in seen:
                seen.add(query["pick"])
                frontier.append(urljoin(url, f"{start}&pick={query['pick']}"))
    return found


@pytest.mark.django_db
def test_the_page_for_everybody_at_any_time(client: Client, alice: Any, bob: Any, charlie: Any) -> None:
    match = seated(alice, bob, game="barvosauri", options={"goal_colors": 4})
    seat = match.seats.get(user=alice).number
    client.force_login(charlie)
    assert 'id="confirm"' not in client.get(match.get_absolute_url()).content.decode()
    match = play_out(match)
    for user in (alice, charlie):
        client.force_login(user)
        end = client.get(match.get_absolute_url()).content.decode()
        assert end.count('class="bv-hand') == 2
        assert 'data-card="figure-0-0"' in end
        early = client.get(f"{match.get_absolute_url()}at/1/").content.decode()
        assert early.count('data-card="figure-') == 4
        assert "still to be placed" in early
    assert f"bv-figure bv-seat-{seat}" in end


@pytest.mark.django_db
def test_the_die_lies_there_until_the_turn_is_confirmed(alice: Any, bob: Any) -> None:
    match = seated(alice, bob, game="barvosauri")
    client = Client()
    client.force_login(match.seats.get(number=match.active_seat).user)
    seen = GAME.observe(states.load(match, list(match.seats.all())), match.active_seat)
    step = GAME.legal_moves(GAME.imagine(seen, seeded(1)))[0]
    die = f'bv-die bv-{seen["rolled"]}"'
    for query in ({}, {"v": match.version, "plan": step}):
        assert die in client.get(match.get_absolute_url(), query).content.decode()


def test_rolls_thrown_away_lie_beside_the_die() -> None:
    state = GAME.settle(GAME.setup(Options(), 2, seeded(3)), seeded(3))[0]
    state = GAME.settle(state, seeded(4))[0]
    table = TITLE.table(
        GAME, GAME.observe(state, None), [], me=None, picked="", my_turn=False, asking=False, over=False
    )
    seats = [SimpleNamespace(name=name, is_me=False, left_how="") for name in ("Anna", "Bert")]
    context = {"table": table, "seats": seats, "title": TITLE, "plan": []}
    rolls = [{"what": "rolled", "seat": 0, "colour": colour, "full": colour != state.rolled} for colour in "RP"]
    for news in (rolls, rolls[:1]):
        log = [SimpleNamespace(sentences=[words.news(value, None) for value in news])]
        page = render_to_string("barvosauri/board.html", {**context, "log": log})
        assert page.count("bv-thrown") == sum(value["full"] for value in news)
