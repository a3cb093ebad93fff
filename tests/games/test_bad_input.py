"""What no page of ours sends: a sentence and 4xx, nothing written, never a 500."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import states
from games.models import Match, Move
from tests.client import Client
from tests.conftest import move, play_out, post_body, seated, steps_for


@pytest.fixture
def match(alice, bob):
    """A running match of alice and bob."""
    return seated(alice, bob)


@pytest.fixture
def mover(match):
    """The client of whoever is to move."""
    client = Client(raise_request_exception=False)
    client.force_login(match.seats.get(number=match.active_seat).user)
    return client


def unchanged(match):
    """Whether the match is as it was at its start."""
    now = Match.objects.filter(pk=match.pk).values().get()
    return now["version"] == 1 and Move.objects.filter(match=match).count() == 1


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"steps": "no such step"}, 422),
        ({"steps": "P:R9"}, 422),
        ({"steps": ""}, 422),
        ({"steps": "END"}, 422),
        ({"steps": "PASS; PASS"}, 422),
        ({"steps": ";".join(["PASS"] * 100)}, 422),
        ({"steps": "x" * 3999}, 422),
        ({"steps": "x" * 4001}, 400),
        ({"steps": "P:R7\0"}, 400),
        ({"steps": "\ufffd"}, 400),
        ({"version": "0"}, 409),
        ({"version": "2"}, 409),
        ({"version": "-1"}, 400),
        ({"version": "1.0"}, 400),
        ({"version": "\u0661"}, 400),
        ({"version": "9" * 30}, 400),
        ({"version": ""}, 400),
        ({"key": "no key"}, 400),
        ({"key": ""}, 400),
        ({"key": "0" * 400}, 400),
    ],
)
def test_a_wrong_field_is_refused(match, mover, change, status):
    body = {**post_body(match, steps_for(match)), **change}
    response = mover.post(match.get_absolute_url(), body)
    assert response.status_code == status
    assert b"Traceback" not in response.content
    assert unchanged(match)


@pytest.mark.parametrize("missing", ["steps", "version", "key"])
def test_a_missing_field_is_refused(match, mover, missing):
    body = post_body(match, steps_for(match))
    del body[missing]
    assert mover.post(match.get_absolute_url(), body).status_code in (400, 422)
    assert unchanged(match)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"steps=P%00", "application/x-www-form-urlencoded", 400),
        (b"\0=1", "application/x-www-form-urlencoded", 400),
        (b"steps=%ff%fe", "application/x-www-form-urlencoded", 400),
        (b"steps=\xff", "application/x-www-form-urlencoded", 400),
        (b"a=1&" * 200, "application/x-www-form-urlencoded", 413),
        (b"steps=" + b"x" * 70_000, "application/x-www-form-urlencoded", 413),
        (b'{"steps": "PASS"}', "application/json", 415),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 415),
        (b"steps=PASS", "text/plain", 415),
        (b"steps=PASS", "", 415),
        (b"steps=PASS", "application/x-www-form-urlencoded; charset=utf-7", 400),
        (b"steps=PASS", "application/x-www-form-urlencoded; charset=nonsense", 400),
    ],
)
def test_a_body_of_another_make_is_refused(match, mover, body, kind, status):
    response = mover.generic("POST", match.get_absolute_url(), body, content_type=kind)
    assert response.status_code == status
    assert unchanged(match)


@pytest.mark.parametrize(
    "path",
    [
        "/match/x/",
        "/match/%00/",
        "/match/..%2f..%2fetc/",
        "/match/" + "a" * 3000 + "/",
        "/match/aaaaaaaaaa/at/0/",
        "/match/aaaaaaaaaa/at/99999999999999999999/",
        "/match/aaaaaaaaaa/join/token/",
        "/rules/nothing/",
        "/new/nothing/",
        "/match/\ud83d/".encode("utf-8", "surrogatepass").decode("latin-1"),
        "/%ff/",
        "/no/such/page",
    ],
)
def test_an_address_nobody_made_is_refused(db, path):
    response = Client(raise_request_exception=False).get(path)
    assert 400 <= response.status_code < 500


@pytest.mark.parametrize(
    "query",
    [
        "v=1&plan=P%3AR7&pick=%00",
        "v=x&plan=nothing",
        "v=1&plan=" + "P%3AR7%3B" * 100,
        "v=99999999999999999999999&plan=PASS",
        "plan=%ff",
        "v=%D9%A1&plan=P:R7&pick=" + "x" * 3000,
        "plan=PASS;PASS;PASS",
        "v=²",
    ],
)
def test_a_strange_plan_in_the_address_is_no_fault(match, mover, query):
    response = mover.get(f"{match.get_absolute_url()}?{query}")
    assert response.status_code in (200, 400)
    assert unchanged(match)


def test_replay_and_log_know_their_bounds(match, mover):
    url = match.get_absolute_url()
    assert mover.get(f"{url}at/1/").status_code == 200
    for tail in ("at/0/", "at/2/", "at/999999999999/"):
        assert mover.get(url + tail).status_code == 404
    for before in ("x", "-1", "1" * 40, "²"):
        assert mover.get(f"{url}log/", {"before": before}).status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "before=0001-01-01T00:00:00%2B14:00&id=1",
        "before=9999-12-31T23:59:59-14:00&id=1",
        "before=x&id=1",
        "before=2026-01-01&id=x",
        "before=2026-01-01T00:00:00&id=1",
        "before=",
    ],
)
def test_a_page_of_the_history_that_no_link_leads_to(mover, query):
    assert mover.get(f"/history/?{query}").status_code == 400


def test_the_same_form_twice_is_one_row_and_the_same_answer(match, mover):
    body = post_body(match, steps_for(match))
    first = mover.post(match.get_absolute_url(), body)
    second = mover.post(match.get_absolute_url(), body)
    assert (first.status_code, first["Location"]) == (second.status_code, second["Location"])
    assert first.status_code == 302
    assert match.moves.count() == 2


def test_the_same_key_with_other_steps_is_unprocessable(match, mover):
    key = uuid4()
    mover.post(match.get_absolute_url(), post_body(match, steps_for(match), key))
    response = mover.post(match.get_absolute_url(), post_body(match, ["PASS", "END"], key))
    assert response.status_code == 422
    assert match.moves.count() == 2


def test_an_old_version_shows_the_fresh_table_and_keeps_the_choice(match, mover, alice, bob):
    mine = match.active_seat
    plan = steps_for(match)
    old = post_body(match, plan)
    match = move(match, steps=plan)
    response = mover.post(match.get_absolute_url(), old)
    assert response.status_code == 409
    assert match.moves.count() == 2
    assert response.context["stale"] is True
    assert response.context["me"] == mine


def test_a_refusal_names_the_rule(match, mover):
    response = mover.post(match.get_absolute_url(), post_body(match, ["P:R7", "P:O7"]))
    assert response.status_code == 422
    assert response.context["refusal"] is not None
    assert b'class="' in response.content


def test_a_finished_match_refuses_with_the_result(match, alice, bob):
    match = play_out(match)
    client = Client()
    client.force_login(alice)
    response = client.post(match.get_absolute_url(), post_body(match, ["PASS"]))
    assert response.status_code == 409
    assert client.post(f"{match.get_absolute_url()}resign/", {"version": match.version}).status_code == 409


def test_a_form_without_its_token_is_told_so(match):
    client = Client(enforce_csrf_checks=True)
    client.force_login(match.seats.get(number=match.active_seat).user)
    response = client.post(match.get_absolute_url(), post_body(match, steps_for(match)))
    assert response.status_code == 403
    assert "errors/csrf.html" in [template.name for template in response.templates]
    assert unchanged(match)


@pytest.mark.parametrize(
    "change",
    [
        {"seats": "7"},
        {"seats": "x"},
        {"bots": "2"},
        {"bots": "-1"},
        {"days": "4"},
        {"audience": "nobody"},
        {"option_game": "expert"},
        {"rated": "on"},
        {"seats": ""},
    ],
)
def test_a_new_match_that_cannot_be_is_refused_with_the_form(alice, change):
    client = Client()
    client.force_login(alice)
    body = {"seats": "2", "bots": "1", "days": "2", "audience": "public", "option_game": "basic", **change}
    response = client.post("/new/red/", body)
    assert response.status_code == 422
    assert response.context["form"].errors
    assert not Match.objects.exists()


def test_floods_are_told_to_wait(db, settings):
    settings.LIMITS = {**settings.LIMITS, "guest": (3, 3600)}
    codes = [Client().post("/play-now/").status_code for _each in range(4)]
    assert codes == [302, 302, 302, 429]
    assert Match.objects.count() == 3
    response = Client().post("/play-now/")
    assert int(response["Retry-After"]) > 0


def test_who_made_an_address_up_behind_a_proxy_is_counted_by_the_true_one(db, settings):
    settings.TRUSTED_PROXIES = 1
    settings.LIMITS = {**settings.LIMITS, "guest": (1, 3600)}
    codes = [
        Client().post("/play-now/", headers={"X-Forwarded-For": f"1.2.3.{number}, 9.9.9.9"}).status_code
        for number in range(2)
    ]
    assert codes == [302, 429]


def test_a_stopped_match_says_so(match, mover):
    Match.objects.filter(pk=match.pk).update(digest="0" * 64)
    states.forget()
    response = mover.get(match.get_absolute_url())
    assert response.status_code == 200
    assert Match.objects.get(pk=match.pk).status == "quarantined"
    assert mover.post(match.get_absolute_url(), post_body(match, ["PASS"])).status_code == 409


OTHER_GAMES = ["P:R7", "move R2>R5", "take 0", "take 9", "refresh 0 0", "call speed", "call luck", "draw 1", "place Z9"]


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
@pytest.mark.parametrize("step", OTHER_GAMES)
def test_a_step_that_the_game_does_not_have_now_is_refused_with_a_sentence(alice, bob, game, step):
    match = seated(alice, bob, game=game)
    client = Client()
    client.force_login(match.seats.get(number=match.active_seat).user)
    legal = match.rules.legal_moves(states.load(match, list(match.seats.all())))
    if step in legal:
        step = f"{step} {step}"
    response = client.post(match.get_absolute_url(), post_body(match, [step]))
    assert response.status_code == 422
    assert b"That was not possible." in response.content
    assert unchanged(match)


@pytest.mark.parametrize("key", ['"\\000bcdefghijk"', '"abcdefgh\\000"', "abcdefgh'--", "\u00e9" * 10, "a" * 7, ""])
def test_a_session_that_no_browser_got_from_us_is_none(db, key):
    visitor = Client(raise_request_exception=False, HTTP_COOKIE=f"sessionid={key}")
    with CaptureQueriesContext(connection) as asked:
        response = visitor.get("/turns/")
    assert response.status_code == 200
    assert not [query for query in asked if "django_session" in query["sql"]]
