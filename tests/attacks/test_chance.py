"""Knowing or choosing the next draw: from what is published, by trying, by bytes of one's own, by records."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from games import engine, states
from games.chance import Stream, commitment
from games.models import Seat, stream
from games.services import rematch, turns
from games.services.errors import Refused
from games.verify import reading
from tests.api.calling import Program
from tests.client import client_of
from tests.conftest import post_body, seated, steps_for
from tests.games.ended import unfinished
from tests.games.leaving import fresh, gives_up, mover_of
from tests.games.test_importing import golden

pytestmark = pytest.mark.django_db

OWN = "00112233445566778899aabbccddeeff"


def test_what_a_match_that_is_over_tells_opens_none_that_runs(alice, bob):
    """Of each match that came before everything is known, of that which runs all that everybody may read."""
    over = [gives_up(seated(alice, bob), bob) for _each in range(3)]
    waiting = rematch.again(over[-1], alice)
    asked = waiting.invitations.get(to=bob)
    assert client_of(bob).post(f"/invitation/{asked.pk}/accept/").status_code == 302
    running = fresh(waiting)
    public = Program(bob).get(f"/matches/{running.slug}/record").json()
    told = [bytes(match.seed) for match in over] + [bytes(seat.entropy) for seat in Seat.objects.exclude(match=running)]
    texts = [public["commitment"], running.slug, str(running.pk), str(running.created_at), public["id"]]
    guesses = told + [text.encode().ljust(32, b"\0")[:32] for text in texts] + [bytes.fromhex(public["commitment"])]
    assert all(commitment(running.slug, guess) != running.commitment for guess in guesses)
    assert commitment(running.slug, bytes(running.seed)) == running.commitment
    assert len({bytes(match.seed) for match in (*over, running)}) == 4
    assert not {"seed", "entropy", "digest", "text"} & set(json.dumps(public).replace('"', " ").split())


@pytest.mark.parametrize("game", ["barvosauri", "power_cards", "red"])
def test_trying_draws_nothing(alice, bob, game):
    """However often a turn is looked at or refused, the draw of its row is the one it was from the start."""
    match = unfinished(alice, bob, rows=3, game=game)
    mover, steps = mover_of(match), steps_for(match)
    seats = list(match.seats.all())
    state = states.load(match, seats)
    due, news = engine.play(match.rules, state, steps, stream(match, seats, match.version + 1))
    client, program, url = client_of(mover), Program(mover), match.get_absolute_url()
    for number in range(6):
        client.get(url, {"v": match.version, "plan": engine.join(steps[: number + 1])})
        program.post(f"/matches/{match.slug}/preview", {"version": match.version, "steps": steps})
        for wrong in ([*steps, "zz"], [*steps, *steps], ["zz"]):
            assert client.post(url, post_body(match, wrong)).status_code == 422
        with pytest.raises(Refused):
            turns.play(match.pk, 1 - match.active_seat, steps, version=match.version, key=uuid4())
    assert client.post(url, post_body(match, steps)).status_code == 302
    now = fresh(match)
    assert now.moves.last().news == list(news)
    states.forget()
    open_now = match.rules.observe(states.load(now, list(now.seats.all())), "open")
    assert open_now == match.rules.observe(due, "open")


def test_going_back_and_sending_the_turn_again_rolls_nothing_again(alice, bob):
    match = unfinished(alice, bob, rows=2, game="barvosauri")
    mover, steps, key = mover_of(match), steps_for(match), uuid4()
    body = post_body(match, steps, key)
    client = client_of(mover)
    assert client.post(match.get_absolute_url(), body).status_code == 302
    first = fresh(match).moves.last().news
    for again in (body, body, post_body(match, steps), body | {"version": str(match.version + 1)}):
        client.post(match.get_absolute_url(), again)
    assert match.moves.get(number=match.version + 1).news == first
    assert fresh(match).version == match.version + 1


def test_bytes_are_chosen_once_and_before_anything_is_drawn(alice, bob):
    """Who is seated changes them no more, by whatever door they knock again; and they are not told before the end."""
    match = seated(alice, bob)
    known = {seat.pk: bytes(seat.entropy) for seat in match.seats.all()}
    client, url = client_of(bob), match.get_absolute_url()
    token = match.invitations.first().token
    for path in (f"{url}join/{token}/", f"{url}sit/", f"{url}again/", f"{url}take/0/", url):
        client.post(path, post_body(match, ["PASS"]) | {"entropy": OWN, "version": "0"})
    assert {seat.pk: bytes(seat.entropy) for seat in match.seats.all()} == known
    assert fresh(match).commitment == match.commitment
    assert bytes.fromhex(OWN) not in known.values()


def test_the_draws_of_a_row_say_nothing_about_the_next():
    """A player knows the draws so far: no row's stream goes on where another ends, none is had by another's bytes."""
    seed, bytes_of = bytes(range(32)), [bytes(16), bytes(range(16))]
    first = {row: Stream(seed, bytes_of, row).roll(2**60) for row in range(40)}
    long = Stream(seed, bytes_of, 1)
    ahead = [long.roll(2**60) for _each in range(400)]
    assert len(set(first.values())) == 40
    assert not {draw for row, draw in first.items() if row != 1} & set(ahead)
    assert Stream(seed, [bytes(16), bytes(15) + b"\1"], 1).roll(2**60) != ahead[0]  # a bit of difference is all of it


HIDDEN = ("\u202eecila", "ali\u200bce", "\x9b31m", "ali\xadce", "a\u2028b", "\u2066a", "alice\xa0", "a\ufeffb")
"""Names that turn the direction of reading, steer a terminal, or look like another's."""


@pytest.mark.parametrize("name", HIDDEN)
def test_a_record_from_elsewhere_names_nobody_by_what_is_not_seen(name):
    assert reading.misshapen(golden()) is None
    for change in (("seats", 0, "name"), ("outcome", "reason")):
        record = place = golden()
        for step in change[:-1]:
            place = place[step]
        place[change[-1]] = name
        assert reading.misshapen(record) is not None, change
