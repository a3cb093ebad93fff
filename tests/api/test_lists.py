"""Lists and what is set: pages, filters, people, notices, preferences."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta

import pytest

from accounts.models import Holiday, User
from games.models import Choice, Follow, Match, Notice
from games.services import leaving, lobby, notices, rankings, standings
from tests.api.calling import Program, problem
from tests.conftest import play_out, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(alice):
    """alice's program."""
    return Program(alice)


def everything(program, path):
    """The items of all pages of a list."""
    found = []
    while path:
        answer = program.get(path)
        assert answer.status_code == 200, answer.content
        found += answer.json()["items"]
        path = answer.json()["next"]
    return found


def ended(*users, number):
    """So many finished matches."""
    found = []
    for _each in range(number):
        match = seated(*users)
        leaving.resign(match.pk, 0, version=1)
        found.append(match.slug)
    return found[::-1]


@pytest.fixture
def _short_pages(monkeypatch):
    """Few rows on each page."""
    monkeypatch.setattr("games.lists.PAGE", 2)
    monkeypatch.setattr("games.rankings.PAGE", 2)


@pytest.mark.usefixtures("_short_pages")
def test_pages_leave_nothing_out_and_give_nothing_twice(program, alice, bob, person):
    over = ended(alice, bob, number=5)
    assert [one["match"]["id"] for one in everything(program, "/me/history")] == over
    assert [one["match"]["id"] for one in everything(Program(), "/players/alice/history")] == over
    running = [seated(alice, bob).slug for _each in range(5)][::-1]
    assert [one["id"] for one in everything(Program(), "/watch")] == running
    tables = [lobby.create(bob, lobby.Proposal("red", 2, 0, listed=True)).slug for _each in range(5)][::-1]
    assert [one["match"]["id"] for one in everything(program, "/lobby?game=red")] == tables
    told = [notices.tell(alice.pk, Notice.Kind.SITE, f"x:{number}") for number in range(5)]
    notices.store(told)
    keys = list(Notice.objects.filter(user=alice).order_by("-pk").values_list("pk", flat=True))
    assert [one["id"] for one in everything(program, "/me/notices")] == keys
    assert [one["id"] for one in everything(program, "/me/notices/deliveries")] == keys
    for number in range(5):
        Follow.objects.create(follower=alice, followed=person(f"p{number}"), at=told[0].at)
    assert [one["name"] for one in everything(program, "/me/following")] == ["p4", "p3", "p2", "p1", "p0"]


@pytest.mark.parametrize("cursor", ["", "zz", "%00", "MQ==%0A", "x" * 101, "LTE", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5"])
@pytest.mark.parametrize("path", ["/lobby", "/watch", "/me/history", "/me/notices", "/me/following", "/rankings/red"])
def test_cursors_that_no_answer_named(program, path, cursor):
    answer = program.get(f"{path}?cursor={cursor}")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


FILTERS = (
    "result=draw",
    "since=yesterday",
    "since=1999-12-31",
    "opponent=nobody",
    "rated=maybe",
    "option_zz=1",
    "page=1",
)


@pytest.mark.parametrize("wanted", FILTERS)
def test_filters_of_the_history_that_ask_for_what_there_is_not(program, wanted):
    name = wanted.partition("=")[0]
    for path in ("/me/history", "/players/alice/history", "/me/history/export"):
        assert name in problem(program.get(f"{path}?{wanted}"), 400, "invalid")["errors"]


def test_filters_of_the_history(program, alice, bob, charlie):
    ended(alice, bob, number=2)
    match = play_out(seated(alice, charlie, game="power_cards", options={"quick": "agree"}))
    found = program.get("/me/history?game=power_cards&option_quick=agree&opponent=charlie").json()["items"]
    assert [one["match"]["id"] for one in found] == [match.slug]
    assert len(program.get("/me/history?opponent=bob").json()["items"]) == 2
    problem(Program(bob).get("/players/alice/history?starred=yes"), 400, "invalid")


def test_filters_of_the_lobby(program, bob):
    lobby.create(bob, lobby.Proposal("red", 2, 0, listed=True, options={"game": "advanced"}, days=2))
    lobby.create(bob, lobby.Proposal("barvosauri", 3, 0, listed=True))
    for wanted, number in {
        "": 2,
        "game=red": 1,
        "game=red&option_game=advanced": 1,
        "game=red&option_game=basic": 0,
        "seats=3": 1,
        "days=2": 1,
        "days=no": 1,
        "rated=yes": 0,
        "fits=yes": 2,
    }.items():
        assert len(program.get(f"/lobby?{wanted}").json()["items"]) == number, wanted
    for wanted in ("game=zz", "seats=99", "days=zz", "option_game=basic", "fits=no"):
        assert program.get(f"/lobby?{wanted}").status_code == 400, wanted
    assert "game" in problem(program.get("/watch?game=zz"), 400, "invalid")["errors"]


def test_the_history_as_a_file(program, alice, bob, settings):
    over = ended(alice, bob, number=3)
    answer = program.get("/me/history/export")
    whole = json.loads(b"".join(answer.streaming_content))
    assert [one["match"] for one in whole["matches"]] == over
    table = b"".join(program.get("/me/history/export?kind=csv&result=won").streaming_content).decode()
    won = [row["match"] for row in csv.DictReader(io.StringIO(table))]
    assert won == [one["match"]["id"] for one in program.get("/me/history?result=won").json()["items"]]
    assert "kind" in problem(program.get("/me/history/export?kind=xml"), 400, "invalid")["errors"]
    settings.LIMITS = settings.LIMITS | {"export": (0, 60)}
    problem(program.get("/me/history/export"), 429, "too_many")


def test_people_as_their_profiles_allow(program, alice, bob, charlie):
    ended(alice, bob, number=2)
    profile = program.get("/players/bob").json()
    assert (profile["name"], profile["followed"], profile["results"]["lost"] + profile["results"]["left"]) == (
        "bob",
        False,
        profile["results"]["lost"] + profile["results"]["left"],
    )
    assert len(profile["finished"]) == 2
    assert program.call("PUT", "/players/bob/follow").status_code == 204
    assert program.get("/players/bob").json()["followed"]
    assert [one["name"] for one in program.get("/me/following").json()["items"]] == ["bob"]
    assert program.call("DELETE", "/players/bob/follow").status_code == 204
    assert not Follow.objects.exists()
    problem(program.call("PUT", "/players/alice/follow"), 409, "cannot_follow")
    between = program.get("/players/alice/with/bob").json()
    assert len(between["matches"]) == 2
    problem(program.get("/players/alice/with/alice"), 404, "not_found")
    User.objects.filter(pk=bob.pk).update(profile="hidden")
    for path in ("/players/bob", "/players/bob/history", "/players/alice/with/bob", "/players/bob/ratings/red"):
        hidden, missing = program.get(path), program.get(path.replace("bob", "nobody"))
        assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content) == (404, hidden.content)
    assert Program(bob).get("/players/bob").status_code == 200


def test_rankings_and_ratings(program, alice, bob):
    for _each in range(2):
        match = seated(alice, bob, rated=True)
        leaving.resign(match.pk, match.seats.get(user=bob).number, version=1)
    standings.rebuild()
    rankings.refresh()
    assert {one["value"] for one in program.get("/rankings").json()["items"]} >= {"overall", "red"}
    found = program.get("/rankings/red?part=provisional").json()
    assert [one["name"] for one in found["items"]] == ["alice", "bob"]
    assert found["mine"]["me"]
    assert [one["name"] for one in program.get("/rankings/red?part=me").json()["items"]] == ["alice", "bob"]
    assert program.get("/rankings/red?part=followed&period=quarter").status_code == 200
    assert Program().get("/rankings/red").json()["mine"] is None
    problem(program.get("/rankings/zz"), 404, "not_found")
    assert "part" in problem(program.get("/rankings/red?part=zz"), 400, "invalid")["errors"]
    changes = program.get("/players/bob/ratings/red").json()
    assert len(changes["items"]) == 2
    assert changes["items"][0]["before"]["shown"] > changes["items"][0]["after"]["shown"]
    problem(program.get("/players/bob/ratings/barvosauri"), 404, "not_found")


def test_notices_are_seen_when_they_are_said_to_be(program, alice, bob):
    seated(alice, bob)
    notices.store([notices.tell(user.pk, Notice.Kind.SITE, "x:1") for user in (alice, bob)])
    found = program.get("/me/notices").json()["items"]
    assert found
    assert {one["seen_at"] for one in found} == {None}
    theirs = Notice.objects.get(user=bob, key="x:1")
    body = {"ids": [*(one["id"] for one in found), theirs.pk]}
    assert program.post("/me/notices/seen", body).status_code == 204
    assert not Notice.objects.filter(user=alice, seen_at=None).exists()
    theirs.refresh_from_db()
    assert theirs.seen_at is None
    assert program.get("/me").json()["notices"] == 0


def test_preferences(program, alice):
    before = program.get("/me/preferences").json()
    after = program.call("PATCH", "/me/preferences", {"theme": "dark", "zone": "Europe/Prague", "sound": True}).json()
    assert after == before | {"theme": "dark", "zone": "Europe/Prague", "sound": True}
    assert program.call("PATCH", "/me/preferences", {"sound": False}).json() == after | {"sound": False}
    assert program.call("PATCH", "/me/preferences", {"confirm": False}).json()["theme"] == "dark"
    assert "zone" in problem(program.call("PATCH", "/me/preferences", {"zone": "Mars"}), 422, "invalid")["errors"]
    assert "theme" in problem(program.call("PATCH", "/me/preferences", {"theme": "x"}), 400, "invalid")["errors"]
    problem(program.call("PATCH", "/me/preferences", {"username": "eve"}), 400, "invalid")
    assert User.objects.get(pk=alice.pk).zone == "Europe/Prague"


def test_rest_and_holidays(program, alice, clock):
    wanted = {"night_from": 1320, "night_to": 360, "free_days": [6], "auto_holiday": False}
    assert program.call("PUT", "/me/rest", wanted).json()["free_days"] == [6]
    bad = wanted | {"free_days": [0, 1, 2]}
    assert "free_days" in problem(program.call("PUT", "/me/rest", bad), 422, "invalid")["errors"]
    problem(program.call("PUT", "/me/rest", {"night_from": 1320}), 400, "invalid")
    first = clock().date() + timedelta(days=3)
    days = {"first": first.isoformat(), "last": (first + timedelta(days=2)).isoformat()}
    taken = program.post("/me/holidays", days)
    assert taken.status_code == 201, taken.content
    assert len(taken.json()["holidays"]) == 1
    past = {"first": date(2026, 1, 1).isoformat(), "last": date(2026, 1, 2).isoformat()}
    problem(program.post("/me/holidays", past), 422, "invalid")
    pk = taken.json()["holidays"][0]["id"]
    problem(Program(User.objects.create(username="eve")).call("DELETE", f"/me/holidays/{pk}"), 404, "not_found")
    assert program.call("DELETE", f"/me/holidays/{pk}").json()["holidays"] == []
    assert (
        not Holiday.objects.filter(ends__gt=clock() + timedelta(days=2))
        .exclude(ends__lte=clock())
        .filter(starts__lt=clock())
    )


def test_what_one_is_told(program, alice):
    before = program.get("/me/notices/choices").json()
    cell = "turn_push"
    other = "off" if before["cells"][cell] != "off" else "instant"
    after = program.call("PATCH", "/me/notices/choices", {"cells": {cell: other}, "quiet_from": 1320, "quiet_to": 420})
    assert after.json()["cells"] == before["cells"] | {cell: other}
    assert Choice.objects.count() == 1
    again = program.call("PATCH", "/me/notices/choices", {"mail_delay": 60}).json()
    assert (again["cells"][cell], again["quiet_from"]) == (other, 1320)
    for wrong in ({"cells": {"zz": "off"}}, {"mail_delay": 61}, {"quiet_to": None}, {"cells": {cell: "digest"}}):
        problem(program.call("PATCH", "/me/notices/choices", wrong), 422, "invalid")
    assert program.call("DELETE", "/me/notices/choices").json()["cells"] == before["cells"]


def test_games_say_what_a_match_can_be(program):
    found = {one["slug"]: one for one in program.get("/games").json()["items"]}
    assert {"red", "barvosauri", "power_cards"} <= set(found)
    assert program.get("/games/red").json() == found["red"]
    for game in found.values():
        for option in game["options"]:
            assert option["default"] in [choice["value"] for choice in option["choices"]]
    assert program.get("/games/red/statistics").json()["matches"] == Match.objects.count()


def test_an_answer_that_is_known_already_is_not_sent_again(program, alice, bob):
    match = seated(alice, bob)
    path = f"/matches/{match.slug}"
    first = program.get(path)
    assert first["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie", "Accept-Language"} <= {one.strip() for one in first["Vary"].split(",")}
    known = {"If-None-Match": first["ETag"]}
    again = program.get(path, **known)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert Program(bob).get(path, **known).status_code == 200, "what another viewer was given"
    leaving.resign(match.pk, 0, version=1)
    assert program.get(path, **known).status_code == 200


def test_the_documentation_is_a_page_of_the_site(client):
    answer = client.get("/api/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "style=" not in page
    for said in ("Authorization: Bearer", "Idempotency-Key", "/api/v1/matches/{slug}/moves", 'id="shape-Match"'):
        assert said in page
    whole = client.get("/api/openapi.json").json()
    assert page.count('<details class="box operation"') == len(whole["components"]["schemas"]) + sum(
        len(methods) for methods in whole["paths"].values()
    )
