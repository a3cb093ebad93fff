"""What a page costs: a fixed number of queries, whatever the number of matches, seats and rows."""

from __future__ import annotations

import time
from statistics import median

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import states
from games.services import following, leaving, lobby, rankings, standings, substitutes
from tests.client import Client
from tests.conftest import move, play_out, seated
from tests.pushing import KEY

MOST = {
    "/": 11,
    "/turns/": 30,
    "/lobby/": 15,
    "/lobby/?game=red&option_game=basic&days=2": 15,
    "/lobby/?fits=yes&finishes=75": 15,
    "/find/": 5,
    "/watch/": 8,
    "/history/": 9,
    "/history/?game=red&option_game=basic&opponent=bob&result=won&rated=no&since=2026-01-01&starred=yes": 9,
    "/player/bob/": 27,
    "/player/alice/": 25,
    "/player/bob/history/": 10,
    "/player/bob/with/alice/": 12,
    "/following/": 9,
    "/new/red/": 5,
    "/rules/": 5,
    "/rules/red/": 5,
    "/statistics/red/": 5,
    "/settings/": 5,
    "/api/": 5,
    "/settings/rest/": 8,
    "match": 10,
    "replay": 10,
    "log": 8,
    "record.json": 6,
    "open": 14,
    "join": 13,
    "over": 11,
    "/player/bob/matches.atom": 7,
    "/statistics/red/matches.atom": 5,
    "version.json": 5,
    "/notices/": 11,
    "/notices/deliveries/": 12,
    "/settings/notices/": 8,
    "/settings/webhooks/": 6,
    "/bots/": 6,
    "/settings/bots/": 6,
    "/import/": 6,
    "/healthz": 6,
    "/rankings/": 9,
    "/rankings/?period=quarter": 10,
    "/rankings/red/?around=me": 9,
    "/rankings/red/?of=provisional": 9,
    "/rankings/red/?of=followed": 9,
    "/player/bob/ratings/red/": 12,
    "rated": 12,
}
"""The most queries a page may make, session and user included."""


def cost(client, url):
    """The number of queries of a page, warm."""
    client.get(url)
    with CaptureQueriesContext(connection) as found:
        assert client.get(url).status_code in (200, 503)
    return len(found)


def rates(*users, number=1):
    """So many rated matches of the users are finished, rated and ranked."""
    for _each in range(number):
        match = seated(*users, rated=True)
        leaving.resign(match.pk, 0, version=match.version)
    standings.rebuild()
    rankings.refresh()


def leaves(match, user):
    """The user gives up a running match."""
    match.refresh_from_db()
    leaving.resign(match.pk, match.seats.get(user=user).number, version=match.version)


def handed_on(first, second, other):
    """A match that is over, in which the second has the seat of the first."""
    match = seated(first, other, leave_policy="substitute")
    leaves(match, first)
    substitutes.take_over(match.pk, match.seats.get(user=first).number, second)
    leaves(match, other)
    leaves(match, second)


@pytest.fixture
def visitor(alice, settings):
    """A client of alice, on a site that pushes."""
    settings.VAPID_PRIVATE_KEY = KEY
    client = Client()
    client.force_login(alice)
    return client


def busy(alice, bob, charlie, number):
    """So much more of everything that lists of alice show."""
    for friend in (bob, charlie)[:number]:
        following.follow(alice, friend)
    for _each in range(number):
        for mine in (True, False):
            match = seated(alice, bob)
            while (match.seats.get(user=alice).number == match.active_seat) != mine:
                match = seated(alice, bob)
        lobby.create(alice, lobby.Proposal("red", 4, 0), [bob, charlie])
        lobby.create(bob, lobby.Proposal("red", 3, 0, days=2, listed=True), [alice])
        lobby.cancel(lobby.create(alice, lobby.Proposal("red", 3, 0)).pk, alice)
        seated(alice, bots=2)
        play_out(seated(alice, charlie))
        handed_on(alice, bob, charlie)
        leaves(seated(bob, charlie, leave_policy="substitute"), bob)
        leaves(seated(alice, bob, leave_policy="substitute"), bob)
        leaves(seated(alice, bob, charlie), alice)
        rates(alice, bob)
        rates(bob, charlie)


def test_lists_cost_the_same_for_few_and_for_many(alice, bob, charlie, visitor):
    pages = [url for url in MOST if url.startswith("/")]
    busy(alice, bob, charlie, 1)
    few = {url: cost(visitor, url) for url in pages}
    busy(alice, bob, charlie, 4)
    many = {url: cost(visitor, url) for url in pages}
    assert many == few
    assert {url: number for url, number in few.items() if number > MOST[url]} == {}


def running(users, rows):
    """A match of the users that is still running with so many rows."""
    for number in range(100):
        match = play_out(seated(*users, options={"game": "advanced", "icons": True}), number, rows=rows)
        if match.status == "playing":
            return match
    raise AssertionError(f"no match has {rows} rows")


@pytest.mark.parametrize("name", ["match", "replay", "log", "version.json", "record.json"])
def test_a_match_costs_the_same_early_and_late(alice, bob, charlie, visitor, name):
    counts = []
    for rows in (4, 50):
        match = running([alice, bob, charlie], rows)
        tail = {"match": "", "replay": f"at/{match.version}/", "log": "log/"}.get(name, name)
        counts.append(cost(visitor, match.get_absolute_url() + tail))
    assert counts[0] == counts[1] <= MOST[name], counts


@pytest.mark.parametrize("name", ["open", "join"])
def test_a_match_that_waits_costs_the_same_with_few_and_with_many(alice, bob, charlie, person, visitor, name):
    counts = []
    for people in ([bob], [bob, charlie, person("dora")]):
        maker = alice if name == "open" else bob
        people = [alice, *people[1:]] if maker == bob else people
        match = lobby.create(maker, lobby.Proposal("red", 4, 0), people)
        link = match.invitations.get(to=None)
        tail = f"join/{link.token}/" if name == "join" else ""
        counts.append(cost(visitor, match.get_absolute_url() + tail))
    assert counts[0] == counts[1] <= MOST[name], counts


def test_a_match_that_is_over_costs_the_same_with_few_and_with_many_rematches(alice, bob, visitor):
    match = play_out(seated(alice, bob))
    counts = [cost(visitor, match.get_absolute_url())]
    for _each in range(3):
        lobby.create(bob, lobby.Proposal("red", 2, 0), [alice], rematch_of=match)
        counts.append(cost(visitor, match.get_absolute_url()))
    assert max(counts) == min(counts) <= MOST["over"], counts


def test_a_rated_match_costs_one_query_more_with_few_and_with_many_players(alice, bob, charlie, visitor):
    counts = []
    for users in ((alice, bob), (alice, bob, charlie)):
        match = seated(*users, rated=True, leave_policy="end")
        leaves(match, alice)
        counts.append(cost(visitor, match.get_absolute_url()))
        standings.rebuild()
        counts.append(cost(visitor, match.get_absolute_url()))
    assert max(counts) == min(counts) <= MOST["rated"], counts


@pytest.mark.usefixtures("unlimited")
def test_a_long_career_costs_no_more_than_a_short_one(alice, bob, visitor):
    rates(alice, bob, number=2)
    few = cost(visitor, "/player/bob/ratings/red/")
    rates(alice, bob, number=100)
    many = cost(visitor, "/player/bob/ratings/red/")
    assert few == many


def test_a_move_costs_the_same_early_and_late(alice, bob, charlie):
    counts = []
    for rows in (4, 50):
        match = running([alice, bob, charlie], rows)
        with CaptureQueriesContext(connection) as found:
            match = move(match)
        counts.append(len(found))
    # One less where nobody's turn begins, so that nobody is told anything.
    assert max(counts) <= 14
    assert max(counts) - min(counts) <= 1


def test_the_page_of_a_long_match_is_quick(alice, bob, charlie, visitor):
    """At version 80 under 100 ms of work, also from a cold memory of states; work, since others share the machine."""
    match = running([alice, bob, charlie], 80)
    visitor.get(match.get_absolute_url())
    times = []
    for _each in range(7):
        states.forget()
        start = time.process_time()
        assert visitor.get(match.get_absolute_url()).status_code == 200
        times.append(time.process_time() - start)
    assert median(times) < 0.1, times
