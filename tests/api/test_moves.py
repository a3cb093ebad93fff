"""Looking and moving by the API: the same rows as by the page, harmless repeats, refusals that say how it stands."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from games import states
from games.models import Match, Move
from tests.api.calling import Program, problem
from tests.conftest import move, play_out, seated, steps_for
from tests.racing import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob):
    """A running match of alice and bob, of a game that is not over after some rows."""
    return seated(alice, bob, game="barvosauri")


@pytest.fixture
def programs(match, alice, bob):
    """The program of whoever is to move, and that of the other."""
    found = {user.pk: Program(user) for user in (alice, bob)}
    mover = match.seats.get(number=match.active_seat).user_id
    return found.pop(mover), next(iter(found.values()))


def test_a_move_is_a_row_like_that_of_the_page(match, programs):
    steps = steps_for(match)
    answer = programs[0].move(match.slug, 1, steps)
    assert answer.status_code == 201, answer.content
    row = Move.objects.get(match=match, number=2)
    assert (row.kind, row.by, row.text) == ("play", "user", "; ".join(steps))
    body = answer.json()
    assert (body["row"]["number"], body["row"]["seat"], body["row"]["text"]) == (2, row.seat, None)
    assert body["match"]["version"] == 2
    assert not body["match"]["my_turn"] or body["match"]["active_seat"] == body["match"]["my_seat"]


def test_the_same_key_makes_one_row_and_gives_one_answer(match, programs):
    key, steps = uuid4(), steps_for(match)
    first, again = (programs[0].move(match.slug, 1, steps, key) for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert match.moves.count() == 2
    other = programs[0].move(match.slug, 1, [*steps, "zz"], key)
    problem(other, 422, "key_reused")
    assert match.moves.count() == 2


@pytest.mark.parametrize("key", ["", "zz", "1234"])
def test_a_move_needs_a_key(match, programs, key):
    headers = {"Idempotency-Key": key} if key else {}
    body = {"version": 1, "steps": steps_for(match)}
    refused = programs[0].post(f"/matches/{match.slug}/moves", body, **headers)
    assert "Idempotency-Key" in problem(refused, 400, "invalid")["errors"]
    assert match.moves.count() == 1


def test_an_old_version_is_answered_with_what_happened_since(match, programs):
    steps = steps_for(match)
    assert programs[0].move(match.slug, 1, steps).status_code == 201
    body = problem(programs[0].move(match.slug, 1, steps), 409, "stale_version")
    seen = programs[0].get(f"/matches/{match.slug}/observation").json()
    assert (body["version"], body["observation"], body["legal"]) == (2, seen["observation"], seen["legal"])
    assert [row["number"] for row in body["rows"]] == [2]
    assert match.moves.count() == 2


def test_out_of_turn_is_refused(match, programs):
    problem(programs[1].move(match.slug, 1, steps_for(match)), 409, "not_your_turn")
    assert match.moves.count() == 1


def test_the_rules_say_why_they_refuse(match, programs):
    before = Match.objects.values().get(pk=match.pk)
    body = problem(programs[0].move(match.slug, 1, ["P:Z9"]), 422, "illegal_move")
    assert body["reason"]
    assert body["detail"] != "The rules do not allow that."
    assert problem(programs[0].move(match.slug, 1, []), 422, "illegal_move")["reason"] == "unfinished"
    assert Match.objects.values().get(pk=match.pk) == before


def test_a_preview_shows_what_is_certain_and_writes_nothing(match, programs):
    before = Match.objects.values().get(pk=match.pk)
    steps, path = steps_for(match), f"/matches/{match.slug}/preview"
    first = programs[0].post(path, {"version": 1, "steps": steps[:1]}).json()
    assert first["legal"] or first["complete"]
    whole = programs[0].post(path, {"version": 1, "steps": steps}).json()
    assert whole["complete"]
    assert not whole["legal"]
    assert len(whole["sentences"]) == len(steps)
    problem(programs[0].post(path, {"version": 1, "steps": ["zz"]}), 422, "illegal_move")
    problem(programs[1].post(path, {"version": 1, "steps": steps}), 409, "not_your_turn")
    problem(programs[0].post(path, {"version": 0, "steps": steps}), 409, "stale_version")
    assert Match.objects.values().get(pk=match.pk) == before
    assert match.moves.count() == 1


def test_every_seat_sees_its_own_and_nobody_more(match, programs, charlie):
    seats = {program.get(f"/matches/{match.slug}/observation").json()["viewer"] for program in programs}
    assert seats == {"0", "1"}
    stranger = Program(charlie).get(f"/matches/{match.slug}/observation").json()
    assert stranger["viewer"] is None
    assert stranger["legal"] == []
    rules, state = match.rules, states.load(match, list(match.seats.all()))
    assert stranger["observation"] == rules.observe(state, None)
    assert Program().get(f"/matches/{match.slug}/observation").json() == stranger


def test_earlier_versions_are_seen_with_the_same_eyes(match, programs):
    match = move(move(match))
    head = match.version
    for program in programs:
        seen = program.get(f"/matches/{match.slug}/observation?version=1").json()
        assert (seen["version"], seen["head"], seen["my_turn"]) == (1, head, False)
        assert seen["viewer"] in ("0", "1")
        assert bool(seen["legal"]) == (str(seen["active_seat"]) == seen["viewer"])
    problem(programs[0].get(f"/matches/{match.slug}/observation?version={head + 1}"), 404, "not_found")


def test_texts_of_moves_are_told_after_the_end_only(match, programs, charlie):
    match = move(match)
    path = f"/matches/{match.slug}/log"
    assert {row["text"] for row in programs[0].get(path).json()["rows"]} == {None}
    match = play_out(match)
    rows = Program(charlie).get(path).json()["rows"]
    assert rows[1]["text"] == match.moves.get(number=2).text
    assert "digest" not in str(rows)
    opened = Program().get(f"/matches/{match.slug}/observation").json()
    assert opened["viewer"] == "open"
    assert Program().get(f"/matches/{match.slug}").json()["outcome"]


def test_the_log_comes_in_pages(match, programs):
    for _row in range(4):
        match = move(match)
    found, path = [], f"/api/v1/matches/{match.slug}/log?limit=2"
    while path:
        page = programs[0].get(path).json()
        assert page["head"] == match.version
        found += [row["number"] for row in page["rows"]]
        path = page["next"]
    assert found == list(range(1, match.version + 1))
    assert [row["number"] for row in programs[0].get(f"/matches/{match.slug}/log?since=3").json()["rows"]] == [4, 5]


def test_wishes_of_others_read_as_their_moves(match, programs):
    match = move(match)
    Move.objects.filter(match=match, number=2).update(by=Move.By.AUTO)
    told = {program.get(f"/matches/{match.slug}/log?since=1").json()["rows"][0]["by"] for program in programs}
    assert told == {"auto", "user"}
    assert Program().get(f"/matches/{match.slug}/log?since=1").json()["rows"][0]["by"] == "user"


def test_moves_are_counted_with_those_of_the_page(match, programs, settings):
    settings.LIMITS = settings.LIMITS | {"move": (1, 60)}
    answer = programs[0].move(match.slug, 1, ["zz"])
    assert '"move";r=0;t=' in answer["RateLimit"]
    assert '"move";q=1;w=60' in answer["RateLimit-Policy"]
    late = programs[0].move(match.slug, 1, steps_for(match))
    problem(late, 429, "too_many")
    assert 0 < int(late["Retry-After"]) <= 60
    assert match.moves.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_the_same_move_sent_often_at_once_one_row_comes(alice, bob, rounds):
    for _round in range(max(3, rounds // 10)):
        match = seated(alice, bob)
        mover = match.seats.get(number=match.active_seat).user
        programs, key = [Program(mover) for _each in range(4)], uuid4()
        calls = [partial(program.move, match.slug, 1, steps_for(match), key) for program in programs]
        answers = at_once(calls)
        assert {answer.status_code for answer in answers} == {201}
        assert match.moves.count() == 2
