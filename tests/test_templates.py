"""What the pages say in each case, from their templates and a context alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory

from games import plain_table, registry
from games.models import Notice, Seat

PERSON = SimpleNamespace(is_authenticated=True, is_guest=False, name="Anna", pk=1)
GUEST = SimpleNamespace(is_authenticated=True, is_guest=True, name="Anna", pk=1)
STRANGER = AnonymousUser()
NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)
SIT = "Sit down and play"


@pytest.fixture(autouse=True)
def _no_database(monkeypatch):
    """Nobody has turns or notices, and it is noon: these pages are made without a database."""
    monkeypatch.setattr("games.context.lists.my_turns", lambda user: Seat.objects.none())
    monkeypatch.setattr("games.context.notices.unseen", lambda user: Notice.objects.none())
    monkeypatch.setattr("games.context.now", lambda: NOON)


def page(template: str, user: Any = STRANGER, **context: Any) -> str:
    """The page as HTML, for this user."""
    request = RequestFactory().get("/")
    request.user = user
    return render_to_string(template, {"title": registry.title("red"), **context}, request)


def match(**facts: Any) -> SimpleNamespace:
    """A match of Red for two, open and not rated unless told otherwise."""
    given = {
        "slug": "abc",
        "status": "open",
        "rated": False,
        "seat_count": 2,
        "commitment": "c0ffee" * 10,
        "created_by": None,
    }
    return SimpleNamespace(**given | facts)


def item(**facts: Any) -> SimpleNamespace:
    """A match as an item of a list."""
    given = {"title": registry.title("red"), "url": "/match/abc/", "opponents": ["Bert", "Cyril"], "active": "Bert"}
    more = {"mine_active": False, "place": 1, "places_total": 3, "finished_at": NOON, "moves": 3}
    return SimpleNamespace(**given | more | facts)


@pytest.mark.parametrize(
    ("facts", "free", "user", "sits", "says"),
    [
        ({}, 1, STRANGER, True, "No account is needed"),
        ({}, 1, PERSON, True, "Fingerprint of the shuffle"),
        ({"rated": True}, 1, STRANGER, False, "This is a rated match: it needs an account."),
        ({"rated": True}, 1, GUEST, False, "This is a rated match: it needs an account."),
        ({"rated": True}, 1, PERSON, True, "This is a rated match: it needs an account."),
        ({"status": "cancelled"}, 1, STRANGER, False, "This match was called off."),
        ({"status": "playing"}, 0, STRANGER, False, "All seats of this match are taken."),
    ],
)
def test_an_invitation(facts, free, user, sits, says):
    shown = page("games/join.html", user, match=match(**facts), free=free)
    assert (SIT in shown) == sits
    assert says in shown
    assert ("No account is needed" in shown) == (user is STRANGER and sits)


def test_the_page_that_waits_says_why_something_was_refused():
    assert "That was not possible." not in page("games/match_open.html", match=match(), free=range(1))
    shown = page("games/match_open.html", match=match(), free=range(1), refused_sentence="Not <yet>.")
    assert "Not &lt;yet&gt;." in shown
    assert "c0ffee" in shown
    link = {"invitation_url": "http://testserver/join/", "free": range(1)}
    assert "No account is needed." in page("games/match_open.html", match=match(), **link)
    assert "it needs an account." in page("games/match_open.html", match=match(rated=True), **link)


@pytest.mark.parametrize(
    ("lists", "says"),
    [
        ({"others": [item()]}, "The others are to move."),
        ({"open_matches": [(item(), [])]}, "Your match begins when the free seats are taken."),
        ({"finished": [item()]}, "Nothing is running. Start another match."),
        ({}, "You have no match yet in this browser."),
    ],
)
def test_a_list_without_a_turn(lists, says):
    shown = page("games/dashboard.html", **lists)
    told = ["The others are to move.", "Your match begins", "Nothing is running.", "You have no match yet"]
    assert says in shown
    assert sum(sentence in shown for sentence in told) == 1


def test_an_item_of_a_list_names_the_others_in_its_link_and_who_is_to_move():
    shown = page("parts/row.html", item=item(), action="look")
    assert 'Red<span class="hidden">, with Bert, Cyril</span></a>' in shown
    assert "Bert is to move" in shown
    assert "you are to move" in page("parts/row.html", item=item(mine_active=True, active="Anna"), action="watch")
    assert "is to move" not in page("parts/row.html", item=item(active=""), action="look")


def test_the_front_page_offers_the_first_game():
    titles = registry.all_titles()
    shown = page("games/front.html", titles=list(titles.values()), first=titles["red"])
    assert "Play Red against a bot now" in shown
    assert "against a bot now" not in page("games/front.html", titles=list(titles.values()), first=None)


@pytest.mark.parametrize(("status", "gone"), [("playing", "left; a bot plays on"), ("finished", "")])
def test_a_seat_that_was_left_says_so_while_the_match_runs(status, gone):
    said = bool(gone)
    seats = [SimpleNamespace(name="Bert", is_me=False, left_how="resign", gone=gone, hue=1)]
    table = {"seats": [{"number": 0, "facts": []}], "facts": [], "steps": [], "active": None}
    shown = page(plain_table.TEMPLATE, match=match(status=status), seats=seats, table=table)
    assert ("left; a bot plays on" in shown) == said
    seat = {"seat": 0, "out": True, "palette": [{"card": "R7", "in_set": False, "offer": None}], "hand": 2}
    shown = page("red/seat.html", match=match(status=status), seats=seats, seat=seat, table={"over": False})
    assert ("left; a bot plays on" in shown) == said
    assert '<span class="hidden">face down</span>' in shown


@pytest.mark.parametrize("code", [400, 403, 404, 413, 415])
def test_errors_have_their_number_and_a_way_on(code):
    shown = page(f"errors/{code}.html")
    heading = re.search("<h1>(.*)</h1>", shown)
    assert heading
    assert f"<title>{heading[1]} · Na tahu</title>" in shown
    assert f'<p class="label">{code}</p>' in shown
    assert shown.count("<h1>") == 1
    assert 'href="/turns/"' in shown


def test_what_happened_is_told_since_the_last_move_or_since_the_start():
    assert "So far" in page("parts/since.html", since=[], since_start=True)
    assert "Since your last move" in page("parts/since.html", since=[], since_start=False)
