"""Whatever goes wrong is told as a problem document, by whichever room it is refused."""

from __future__ import annotations

import json

import pytest
from django import test
from django.db import OperationalError

from games.models import Match
from tests.api.calling import Program, problem
from tests.conftest import seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(alice):
    """alice's program."""
    return Program(alice)


def raw(program: Program, body: bytes, kind: str = "application/json", path: str = "/api/v1/matches"):
    """Posts these very bytes."""
    headers = {"Authorization": f"Bearer {program.token}"}
    return program.client.generic("POST", path, body, content_type=kind, headers=headers)


def test_what_is_not_there(program):
    for path in (
        "/nothing",
        "/matches/aaaaaaaaaa",
        "/games/zz",
        "/matches/",
        "/invitations/x/accept",
        "/players/nobody",
    ):
        problem(program.get(path), 404, "not_found")


def test_hidden_and_missing_look_alike(program, bob, charlie):
    hidden = seated(bob, charlie, audience="seated")
    for tail in ("", "/observation", "/log", "/table", "/wishes", "/invitations"):
        one, other = (program.get(f"/matches/{slug}{tail}") for slug in (hidden.slug, "aaaaaaaaaa"))
        assert (one.status_code, one.content) == (other.status_code, other.content) == (404, one.content), tail


def test_a_link_to_a_hidden_match_and_to_none_are_refused_alike(program, bob, charlie):
    hidden = seated(bob, charlie, audience="seated")
    one, other = (program.post(f"/matches/{slug}/join", {"token": "zz"}) for slug in (hidden.slug, "aaaaaaaaaa"))
    problem(one, 404, "unknown_invitation")
    assert (one.status_code, one.content) == (other.status_code, other.content)


def test_methods_that_there_are_not(program):
    for method, path in (("PUT", "/games"), ("OPTIONS", "/games"), ("TRACE", "/games"), ("GET", "/matches")):
        answer = program.call(method, path)
        problem(answer, 405, "method_not_allowed")
        assert answer["Allow"]


def test_other_kinds_of_answers_and_of_bodies(program):
    problem(program.get("/games", Accept="text/html"), 406, "not_acceptable")
    problem(raw(program, b"game=red", "application/x-www-form-urlencoded"), 415, "unsupported_media_type")
    problem(raw(program, b"<a/>", "text/xml"), 415, "unsupported_media_type")
    problem(raw(program, b"--x--", "multipart/form-data; boundary=x"), 415, "unsupported_media_type")


BAD = (
    b"{",
    b"",
    b"[]",
    b"null",
    b'"red"',
    b'{"game": NaN}',
    b'{"game": "red", "game": "red"}',
    b'{"game": "\\u0000"}',
    b'{"game": "\\ud800"}',
    b'{"game": 1e999}',
    b'{"game": %s}' % (b"9" * 30),
    b'{"game": %s}' % (b"9" * 5000),
    b'{"game": "\xff"}',
    b'{"options": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"options": ' + b'{"a":' * 40 + b"1" + b"}" * 40 + b"}",
)


@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
def test_what_is_no_json_of_ours(program, body):
    answer = raw(program, body)
    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert not Match.objects.exists()


def test_bodies_that_are_too_big(program):
    problem(raw(program, b'{"game": "' + b"x" * 70_000 + b'"}'), 413, "too_large")


def test_unknown_fields_and_parameters_are_named(program):
    body = problem(program.post("/matches", {"game": "red", "colour": 1, "zz": 2}), 400, "invalid")
    assert set(body["errors"]) == {"colour", "zz"}
    assert set(problem(program.get("/games?page=2&x="), 400, "invalid")["errors"]) == {"page", "x"}
    assert set(problem(program.get("/watch?game=red&game=red"), 400, "invalid")["errors"]) == {"game"}
    assert set(problem(program.get("/lobby?zz=1&game=red&option_zz=1"), 400, "invalid")["errors"]) == {
        "zz",
        "option_zz",
    }
    assert set(problem(program.post("/matches/aaaaaaaaaa/leave", {"zz": 1}), 400, "invalid")["errors"]) == {"zz"}
    assert not Match.objects.exists()


WRONG = (
    {"seats": "2"},
    {"seats": 2.0},
    {"seats": True},
    {"seats": None},
    {"game": 1},
    {"rests": "yes"},
    {"rests": 1},
    {"pace": 2},
    {"pace": "7days"},
    {"options": []},
    {"invite": "bob"},
    {"invite": [1]},
    {"audience": ["public"]},
    {"audience": "all"},
)


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_values_of_the_wrong_kind(program, wrong):
    body = problem(program.post("/matches", {"game": "red", **wrong}), 400, "invalid")
    assert set(body["errors"]) == set(wrong)
    assert not Match.objects.exists()


IMPOSSIBLE = (
    ({"seats": 99}, "seats"),
    ({"bots": 2}, "bots"),
    ({"bots": -1}, "bots"),
    ({"options": {"zz": 1}}, "options"),
    ({"options": {"game": "zz"}}, "options"),
    ({"options": {"icons": "yes"}}, "options"),
    ({"rated": True, "bots": 1}, "rated"),
    ({"rated": True, "pace": "none"}, "rated"),
    ({"listed": True, "audience": "seated"}, "listed"),
    ({"invite": ["nobody"]}, "invite"),
    ({"invite": ["alice"]}, "invite"),
    ({"invite": ["bob", "charlie"]}, "invite"),
    ({"leave_policy": "substitute", "audience": "seated"}, "leave_policy"),
    ({"rating_from": 2000, "rating_to": 1000}, "rating_to"),
    ({"finish_share": 33}, "finish_share"),
    ({"game": "zz"}, "game"),
)


@pytest.mark.parametrize(("asked", "field"), IMPOSSIBLE, ids=str)
def test_matches_that_cannot_be(program, bob, charlie, asked, field):
    body = problem(program.post("/matches", {"game": "red", "seats": 2, **asked}), 422, "invalid")
    assert field in body["errors"], body
    assert not Match.objects.exists()


def test_a_session_needs_the_token_against_forgery(alice):
    client = test.Client(enforce_csrf_checks=True)
    client.force_login(alice)
    body = json.dumps({"game": "red", "bots": 1})
    refused = client.post("/api/v1/matches", body, content_type="application/json")
    problem(refused, 403, "csrf_failed")
    assert not Match.objects.exists()
    assert client.get("/api/v1/me").status_code == 200
    client.get("/settings/")
    headers = {"X-CSRFToken": client.cookies["csrftoken"].value}
    made = client.post("/api/v1/matches", body, content_type="application/json", headers=headers)
    assert made.status_code == 201, made.content


def test_a_fault_of_ours_is_told_without_what_it_was(program, monkeypatch):
    def broken(*_values: object) -> None:
        raise ValueError("secret")

    monkeypatch.setattr("games.api.games.described", broken)
    program.client.raise_request_exception = False
    answer = program.get("/games")
    problem(answer, 500, "fault")
    assert b"secret" not in answer.content


def test_a_database_that_is_away(program, monkeypatch):
    def away(*_values: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr("games.api.games.described", away)
    program.client.raise_request_exception = False
    answer = program.get("/games")
    problem(answer, 503, "unavailable")
    assert answer["Retry-After"]


def test_floods_are_told_when_to_come_back(program, settings):
    settings.LIMITS = settings.LIMITS | {"api": (2, 60)}
    for left in (1, 0):
        answer = program.get("/games")
        assert answer["RateLimit-Policy"] == '"api";q=2;w=60'
        assert answer["RateLimit"].startswith(f'"api";r={left};t=')
    late = program.get("/games")
    problem(late, 429, "too_many")
    assert 0 < int(late["Retry-After"]) <= 60
    assert Program().get("/games").status_code == 200, "others are counted by themselves"


def test_pages_are_refused_as_pages(client):
    answer = client.get("/api/nothing/")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")


def test_a_stopped_match_says_so(program, alice, bob, charlie):
    match = seated(alice, bob)
    Match.objects.filter(pk=match.pk).update(status="quarantined")
    assert program.get(f"/matches/{match.slug}").json()["status"] == "quarantined"
    problem(program.get(f"/matches/{match.slug}/observation"), 409, "not_running")
    problem(program.move(match.slug, 1, ["zz"]), 409, "not_running")


def test_a_log_that_does_not_replay_stops_its_match_not_the_site(program, alice, bob):
    match = seated(alice, bob)
    match.moves.filter(number=1).update(digest="x")
    Match.objects.filter(pk=match.pk).update(digest="y")
    problem(program.get(f"/matches/{match.slug}/observation"), 409, "not_running")
    match.refresh_from_db()
    assert match.status == "quarantined"
