"""Moving when it is not one's turn, for others, too late, twice, or in another spelling."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from accounts.models import User
from games import engine, states, tasks
from games.models import Heartbeat, Match, Move, Seat
from games.services import notices
from tests.client import client_of
from tests.conftest import move, post_body, seated, steps_for
from tests.games.ended import unfinished
from tests.games.leaving import fresh, mover_of, other_than

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("field", ["seat", "number", "user", "by", "match", "slug", "active_seat", "viewer", "as"])
def test_no_field_of_a_form_says_for_whom_it_is(alice, bob, field):
    match = seated(alice, bob)
    mover = mover_of(match)
    other = other_than(match, mover)
    for value in (str(match.active_seat), mover.username, str(mover.pk), "bot"):
        body = post_body(match, steps_for(match)) | {field: value}
        assert client_of(other).post(match.get_absolute_url(), body).status_code == 409
        resigned = {"version": str(match.version), field: value}
        assert client_of(other).get(f"{match.get_absolute_url()}resign/", resigned).status_code == 200
    assert match.moves.count() == 1
    assert not Seat.objects.filter(match=match).exclude(left_version=None).exists()


def test_nobody_moves_for_a_bot(alice):
    match = seated(alice, bots=1)
    while match.active_seat == match.seats.get(user=alice).number:
        match = move(match)
    assert match.status == "playing"
    rows = match.moves.count()
    answer = client_of(alice).post(match.get_absolute_url(), post_body(match, steps_for(match)))
    assert (answer.status_code, match.moves.count()) == (409, rows)


def test_a_key_of_somebody_else_is_worth_nothing(alice, bob):
    match = unfinished(alice, bob, rows=3)
    theirs = match.moves.exclude(key=None).exclude(seat=match.active_seat).last()
    mover = mover_of(match)
    steps = steps_for(match)
    answer = client_of(mover).post(match.get_absolute_url(), post_body(match, steps, theirs.key))
    assert answer.status_code == 302
    row = fresh(match).moves.last()
    assert (row.kind, row.text) == ("play", engine.join(steps))  # a row of their own, not an answer of another's
    for known in (theirs.key, row.key, uuid4()):
        other = other_than(match, mover)
        if fresh(match).status == "playing" and mover_of(match) != other:
            body = post_body(fresh(match), ["PASS"], known)
            assert client_of(other).post(match.get_absolute_url(), body).status_code in (409, 422)


LATE = {
    "free days": ("/settings/rest/", "free_days={free}&free_days={yesterday}"),
    "a night": ("/settings/rest/", "night_from=0&night_to=600"),
    "a zone": ("/settings/zone/", "zone=Pacific%2FKiritimati"),
    "a zone of the preferences": (
        "/settings/",
        "theme=dark&size=normal&order=colour&language=&zone=Pacific%2FKiritimati",
    ),
    "a holiday": ("/settings/rest/holidays/", "first={today}&last={today}"),
    "a pause": ("{match}propose/pause/", "version=1"),
    "time": ("{match}give/", "version=1"),
    "a move": ("{match}", "steps={steps}&version=1&key=00000000-0000-4000-8000-000000000001"),
}
"""By what somebody whose time is up could want to have it back before the sweep has looked."""


@pytest.mark.parametrize("by", LATE)
def test_who_is_too_late_does_not_get_the_turn_back_while_the_sweep_is_behind(clock, alice, bob, by):
    nights = {"night_from": 0, "night_to": 600} if "zone" in by else {}
    User.objects.update(auto_holiday=False, **nights)
    match = seated(alice, bob, rests=True)
    mover, steps = mover_of(match), engine.join(steps_for(match))
    clock.moment = match.deadline
    clock.forward(hours=1)
    Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock.moment})
    day = clock.moment.weekday()
    known = {"match": match.get_absolute_url(), "steps": steps, "today": clock.moment.date().isoformat()}
    known |= {"free": (day - 1) % 7, "yesterday": (day - 2) % 7}
    path, body = (text.format(**known) for text in LATE[by])
    assert client_of(mover).post(path, body).status_code in (204, 302, 409)
    tasks.deadlines()
    match.refresh_from_db()
    assert (match.status, match.end_reason) == ("finished", "timeout")
    assert match.seats.get(user=mover).place == 2


def test_what_is_set_while_one_is_to_move_counts_from_the_next_turn_on(clock, alice, bob):
    """And setting it twice does not make it what was set when the turn began."""
    User.objects.update(auto_holiday=False)
    match = seated(alice, bob, rests=True)
    mover = mover_of(match)
    client = client_of(mover)
    until = match.deadline
    free = [clock.moment.weekday(), (clock.moment.weekday() + 1) % 7]
    for _twice in range(2):
        assert client.post("/settings/rest/", "&".join(f"free_days={day}" for day in free)).status_code == 302
        clock.forward(hours=1)
        Heartbeat.objects.update_or_create(pk="deadlines", defaults={"at": clock.moment})
        tasks.deadlines()
    match.refresh_from_db()
    assert (match.deadline, match.windows["free_days"]) == (until, "")
    match = move(match)
    while match.status == "playing" and mover_of(match) != mover:
        match = move(match)
    assert match.status == "playing"
    assert match.windows == {}
    assert match.deadline - clock.moment > until - match.created_at  # from here on they are free


def spellings(step: str) -> Iterator[str]:
    """The step as other programs might read it as well."""
    yield "".join(chr(ord(sign) + 0xFEE0) if sign.isdigit() else sign for sign in step)
    yield "".join(chr(0x660 + int(sign)) if sign.isdigit() else sign for sign in step)
    yield from (step.lower(), step.upper(), step.swapcase(), step.replace(" ", "  "), step.replace(" ", "\t"))
    yield from (f"{step} ", f" {step}", f"{step}\u200b", f"{step}\n", f"\ufeff{step}", step.replace(":", "\uff1a"))
    for place, sign in enumerate(step):
        if sign.isdigit():
            yield from (f"{step[:place]}{more}{step[place:]}" for more in ("0", "+", "-", "_", "1e"))
            yield f"{step[:place]}{'9' * 40}{step[place + 1 :]}"


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_a_step_has_one_spelling(alice, bob, game):
    match, tried = seated(alice, bob, game=game), 0
    for _turn in range(6):
        if match.status != "playing":
            break
        state = states.load(match, list(match.seats.all()))
        legal = set(match.rules.legal_moves(state))
        for step in sorted(legal):
            for other in set(spellings(step)) - legal:
                with pytest.raises(engine.IllegalMove):
                    match.rules.apply(state, other)
                tried += 1
        match = move(match)
    assert tried > 50


def test_a_notice_that_was_turned_into_a_link_moves_nobody(alice, bob):
    """What is stored of a turn names a version; posting it later is posting an old version."""
    match = unfinished(alice, bob, rows=2)
    body = post_body(match, steps_for(match))
    mover = mover_of(match)
    match = move(match)
    if match.status == "playing":
        notices.saw_match(mover, match)
    answer = client_of(mover).post(match.get_absolute_url(), body)
    assert answer.status_code == 409
    assert Move.objects.filter(match=match).count() == Match.objects.get(pk=match.pk).version
