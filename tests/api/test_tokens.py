"""For whom a program acts, and what its token allows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django import test
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User
from games.api.pages import schema
from games.api.tokens import BadToken, NeedsScope, user_of
from games.models import Match
from tests.api.calling import Program, problem
from tests.conftest import seated

pytestmark = pytest.mark.django_db


def operations(**wanted: str):
    """The operations of the schema, with values in their addresses."""
    values = {
        "slug": "aaaaaaaaaa",
        "name": "bob",
        "other": "alice",
        "game": "red",
        "family": "red",
        "id": 1,
        "number": 0,
    }
    for path, methods in schema()["paths"].items():
        for method, one in methods.items():
            if all(one[name] == value for name, value in wanted.items()):
                yield one["operationId"], method.upper(), path.format(**values)


def test_there_are_operations_of_every_kind():
    for scope in Token.Scope.values:
        assert list(operations(**{"x-scope": scope}))
    assert len(list(operations())) > 60


def test_who_has_no_token_is_asked_for_one():
    nobody = Program()
    for who in ("user", "person"):
        for name, method, path in operations(**{"x-for": who}):
            answer = nobody.call(method, path, None if method == "GET" else {})
            problem(answer, 401, "not_authenticated")
            assert answer["WWW-Authenticate"].startswith("Bearer"), name


def test_everybody_reads_what_everybody_may(bob, alice):
    nobody = Program()
    for name, method, path in operations(**{"x-for": "anybody"}):
        assert nobody.call(method, path).status_code in (200, 404), name


@pytest.mark.parametrize("scope", Token.Scope.values)
def test_a_token_allows_what_its_scopes_say(scope, alice, bob):
    program = Program(alice, scope)
    for other in Token.Scope.values:
        for name, method, path in operations(**{"x-scope": other}):
            answer = program.call(method, path, None if method == "GET" else {})
            if other == scope:
                assert answer.status_code != 403 or answer.json()["code"] != "needs_scope", name
            else:
                problem(answer, 403, "needs_scope")
    assert not Match.objects.exists()


@pytest.mark.parametrize("header", ["Bearer", "Bearer x", "Basic YTpi", "Token nt_", "nt_", "Bearer nt_" + "a" * 43])
def test_what_is_no_token(header):
    answer = Program().get("/games", Authorization=header)
    problem(answer, 401, "bad_token")
    assert "invalid_token" in answer["WWW-Authenticate"]


def test_a_token_ends(alice):
    program = Program(alice)
    assert program.get("/me").json()["name"] == "alice"
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    problem(program.get("/me"), 401, "bad_token")
    problem(program.get("/games"), 401, "bad_token")
    program = Program(alice)
    tokens.end(alice, Token.objects.get().pk)
    problem(program.get("/me"), 401, "bad_token")


def test_the_token_goes_before_the_session(alice, bob):
    program = Program(alice)
    program.client.force_login(bob)
    assert program.get("/me").json()["name"] == "alice"
    assert program.get("/me", Authorization="").json()["name"] == "bob"


def test_a_token_begins_no_session(alice):
    program = Program(alice)
    for answer in (program.get("/me"), program.post("/matches", {"game": "red", "bots": 1})):
        assert answer.status_code in (200, 201)
        assert not answer.cookies
    assert not Session.objects.exists()


def test_a_token_opens_no_page(alice):
    headers = {"Authorization": f"Bearer {Program(alice).token}"}
    answer = test.Client().get("/account/", headers=headers)
    assert b"alice" not in answer.content


def test_a_guest_plays_by_the_session(bob):
    guest = User.objects.create_guest()
    client = test.Client()
    client.force_login(guest)
    made = client.post("/api/v1/matches", {"game": "red", "bots": 1}, content_type="application/json")
    assert made.status_code == 201, made.content
    assert client.get("/api/v1/me").json()["kind"] == "guest"
    refused = client.put("/api/v1/players/bob/follow", {}, content_type="application/json")
    problem(refused, 403, "needs_account")
    named = {"game": "red", "invite": ["bob"]}
    asked = client.post("/api/v1/matches", named, content_type="application/json")
    assert "invite" in problem(asked, 422, "invalid")["errors"]
    rated = client.post("/api/v1/matches", {"game": "red", "rated": True}, content_type="application/json")
    assert rated.status_code in (201, 422)
    assert not Match.objects.filter(rated=True).exists()


def test_reading_is_no_visit_and_moving_is_one(alice, bob):
    long_ago = timezone.now() - timedelta(days=3)
    match = seated(alice, bob)
    User.objects.update(seen_at=long_ago)
    program = Program(alice)
    program.get(f"/matches/{match.slug}")
    client = test.Client()
    client.force_login(alice)
    client.get("/api/v1/me")
    assert User.objects.get(pk=alice.pk).seen_at == long_ago
    program.move(match.slug, 1, ["zz"])
    assert User.objects.get(pk=alice.pk).seen_at > long_ago


def test_the_use_of_a_token_is_noted(alice):
    program = Program(alice)
    program.get("/me")
    assert Token.objects.get().used_at is not None


def test_others_may_ask_whose_token_it_is(alice):
    program = Program(alice, "read")
    header = f"Bearer {program.token}"
    assert user_of(header) == alice
    assert user_of("") is None
    with pytest.raises(NeedsScope):
        user_of(header, "play")
    with pytest.raises(BadToken):
        user_of("Bearer nt_x")


def test_times_and_sentences_are_those_of_the_user(alice, settings):
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    User.objects.filter(pk=alice.pk).update(language="de", zone="Europe/Prague")
    body = Program(alice).get("/rankings").json()
    assert body["items"]
    from django.utils import translation

    assert translation.get_language() == "en", "what was active is active again"
