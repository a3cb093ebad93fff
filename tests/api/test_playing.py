"""Whole matches by the API, and steps that no rules allow: none is accepted, and nothing of them stays."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest

from games import engine, states
from games.chance import seeded
from games.models import Match
from games.services import records
from tests.api.calling import Program, problem
from tests.api.playing import begun, played
from tests.conftest import move, seated

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("unlimited")]

GAMES = ("red", "barvosauri", "power_cards")

SHORT = {
    "barvosauri": {"options": {"goal_colors": 4, "stall_rounds": 15, "harvest": "both"}},
    "power_cards": {"options": {"max_rounds": 40}},
}
"""Options under which matches by chance end sooner."""


@pytest.mark.parametrize("game", GAMES)
def test_two_programs_play_to_the_end(game, alice, bob, thorough):
    one, other = Program(alice), Program(bob)
    for number in range(100 if thorough else 2):
        slug = begun(one, other, game, **SHORT.get(game, {}))
        ended = played(one, other, slug, number)
        assert (ended["status"], sorted(seat["place"] for seat in ended["seats"])[0]) == ("finished", 1)
        assert ended["outcome"]
        match = Match.objects.get(slug=slug)
        assert records.differences(match) == []
        assert other.get(f"/matches/{slug}/observation").json()["viewer"] == "open"


def wrong_steps(match, chooser):
    """Steps that the rules do not allow here, made of those that they allow somewhere."""
    rules, seats = match.rules, list(match.seats.all())
    state = states.load(match, seats)
    legal = list(rules.legal_moves(state))
    texts = [text for move in match.moves.all() for text in engine.split(move.text)] + legal
    while True:
        text = chooser.choice(texts)
        kind = chooser.randrange(6)
        letters = list(text)
        if kind == 0:
            letters[chooser.randrange(len(letters))] = chooser.choice("RGBY1234567:>; Pz")
        elif kind == 1:
            letters.insert(chooser.randrange(len(letters)), chooser.choice("RGBY1234567:> "))
        elif kind == 2:
            del letters[chooser.randrange(len(letters))]
        steps = {3: [text, text], 4: [text, "zz"], 5: []}.get(kind, ["".join(letters)])
        steps = [step for step in engine.split(engine.join(steps)) if len(step) <= engine.MAX_STEP_LENGTH]
        try:
            engine.play(rules, state, steps, seeded(0))
        except engine.IllegalMove:
            return steps


@pytest.mark.parametrize("game", GAMES)
def test_illegal_steps_leave_no_trace(game, alice, bob, thorough):
    chooser = random.Random(7)
    programs, total, match = {user.pk: Program(user) for user in (alice, bob)}, 2000 if thorough else 60, None
    for number in range(total):
        if number % 10 == 0:  # another position
            match = seated(alice, bob, game=game) if match is None or match.version > 25 else move(match, number)
            if match.status != "playing":
                match = seated(alice, bob, game=game)
            before = Match.objects.values().get(pk=match.pk)
        program = programs[match.seats.get(number=match.active_seat).user_id]
        steps = wrong_steps(match, chooser)
        answer = program.move(match.slug, match.version, steps, uuid4())
        assert problem(answer, 422, "illegal_move")["reason"], steps
        assert Match.objects.values().get(pk=match.pk) == before
    assert match.moves.count() == match.version
