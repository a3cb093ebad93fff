"""The statistics of a game are what its public matches add up to: counted once each, from nothing again, and told."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from statistics import median_low

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry, statistics, tasks
from games.models import Match, Statistic
from games.services import counting
from games.statistics import Drawn
from tests.client import client_of
from tests.conftest import play_out, seated
from tests.games.leaving import gives_up
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played(clock, alice, bob, charlie):
    """Matches of each game that have ended, one by giving up, and some that do not count; the sweep has run before."""
    counting.update()
    for number, game in enumerate(("red", "red", "barvosauri", "power_cards")):
        play_out(seated(alice, bob, game=game), number)
    play_out(seated(alice, bob, charlie, options={"game": "advanced", "icons": True}), 1)
    gives_up(seated(alice, bob), bob)
    play_out(seated(alice, bob, audience="seated"))
    seated(alice, bob)
    clock.forward(seconds=20)


def facts(game):
    return Statistic.objects.get(game=game).facts


def test_they_are_what_the_public_matches_say(played):
    tasks.tallies()
    counted = Match.objects.filter(game="red", status="finished", audience="public")
    found = facts("red")
    assert found["matches"] == counted.count() == 4
    assert statistics.middle(found["moves"]) == median_low([match.version - 1 for match in counted])
    assert Counter(found["endings"]) == Counter(match.end_reason for match in counted)
    assert found["endings"]["resign"] == 1
    assert sum(found["variants"].values()) == 4
    begun = won = 0
    for match in counted.filter(seat_count=2):
        first = match.moves.filter(kind="play").order_by("number").first()
        if first is not None:
            begun += 1
            won += match.seats.get(number=first.seat).place == 1
    [(seats, number, share, fair), *_more] = statistics.starters(found)
    assert (seats, number, fair) == (2, begun, 50)
    assert share == pytest.approx(100 * won / begun)
    firsts = Counter(match.moves.get(number=1).news[0]["palettes"][0][0] for match in counted)
    assert Counter(found["drawn:first"]) == firsts
    assert sum(found["joined:2"].values()) == 3


@pytest.mark.parametrize("game", ["barvosauri", "power_cards"])
def test_each_game_counts_what_it_draws(played, game):
    tasks.tallies()
    [drawn] = statistics.drawn(registry.title(game), facts(game))
    match = Match.objects.get(game=game)
    news = [value for move in match.moves.all() for value in move.news]
    if game == "barvosauri":
        assert drawn.total == sum(value["what"] == "rolled" for value in news) > 10
    else:
        assert dict(drawn.counts)[news[0]["pot"][0]] == drawn.total == 1


def test_each_match_is_counted_once_also_by_two_sweeps_at_once(played, alice, bob, clock):
    assert sum(at_once([counting.update] * 4)) == 7
    before = facts("red")
    assert counting.update() == 0
    assert facts("red") == before
    play_out(seated(alice, bob))
    clock.forward(seconds=20)
    tasks.tallies()
    assert facts("red")["matches"] == before["matches"] + 1


def test_a_rebuild_gives_the_same(played):
    tasks.tallies()
    before = {row.game: row.facts for row in Statistic.objects.all()}
    Statistic.objects.filter(game="red").update(facts={"matches": 99})
    Statistic.objects.filter(game="barvosauri").delete()
    call_command("statistics", "rebuild", stdout=StringIO())
    assert {row.game: row.facts for row in Statistic.objects.all()} == before


def test_the_page_tells_them_by_one_row(played, client, alice):
    assert "has ended yet" in client.get("/statistics/red/").content.decode()
    tasks.tallies()
    for game in ("red", "barvosauri", "power_cards"):
        assert client.get(f"/statistics/{game}/").status_code == 200
    with CaptureQueriesContext(connection) as queries:
        text = client.get("/statistics/red/").content.decode()
    assert sum("games_statistic" in query["sql"] for query in queries.captured_queries) == 1
    assert not [query for query in queries.captured_queries if "games_m" in query["sql"]]
    for told in ("somebody gave up", "the round was won", "Variant: Advanced", "Fair share", "33.3 %", "Too few yet"):
        assert told in text, told
    assert client_of(alice).get("/statistics/red/").status_code == 200
    assert client.get("/statistics/chess/").status_code == 404
    assert client.post("/statistics/red/").status_code == 405
    assert "/statistics/red/" in client.get("/rules/red/").content.decode()


def test_an_ending_or_option_of_other_times_breaks_no_page(clock, client):
    odd = {"matches": 2, "endings": {"gone": 1, "": 1}, "variants": {'{"game": "none", "colour": 1}': 2}}
    Statistic.objects.create(game="red", facts=odd, at=clock.moment)
    assert client.get("/statistics/red/").status_code == 200


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ([100] * 6, 0.999, 1),
        # By the tables of chi-square: 11.07 for five degrees is 5 %, 15.09 is 1 %.
        ([100, 100, 100, 100, 100 - 23, 100 + 24], 0.04, 0.06),
        ([131, 100, 100, 69, 100, 100], 0.0005, 0.0025),
    ],
)
def test_chi_square_says_how_even_draws_are(counts, low, high):
    drawn = Drawn("", "", [(str(place), count) for place, count in enumerate(counts)])
    assert low <= drawn.chance <= high
    assert not drawn.odd
    assert Drawn("", "", [("a", 150), ("b", 50)]).odd
    assert Drawn("", "", [("a", 4), ("b", 0)]).chance is None
