"""What every title must keep to. A new title is found by itself and adds nothing here."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games import engine
from games.chance import seeded
from games.engine import IllegalMove
from tests.titles.walks import COMBINATIONS, LONGEST, TITLES, Walk, stream, viewers, walk

SOME = 6
"""How many of a state's legal steps are tried where trying all would take long."""


class NoChance:
    """Chance that must not be asked."""

    def shuffle(self, items: Any) -> Any:
        raise AssertionError("drawn too early")

    def roll(self, faces: int) -> int:
        raise AssertionError("drawn too early")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "match" in metafunc.fixturenames:
        seeds = range(30) if metafunc.config.getoption("--thorough") else range(3)
        every = [(*combination, seed) for combination in COMBINATIONS for seed in seeds]
        names = [f"{slug}-{'-'.join(map(str, dataclasses.astuple(o)))}-{n}-{seed}" for slug, o, n, seed in every]
        metafunc.parametrize("match", every, ids=names, indirect=True)


@pytest.fixture
def match(request: pytest.FixtureRequest) -> Walk:
    return walk(*request.param)


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def pool(match: Walk) -> list[str]:
    """Every step that was made in the match."""
    return sorted({step for row in match.rows for step in row.steps})


def sample(match: Walk, items: Iterable[Any], count: int) -> list[Any]:
    """A few of the items, the same for the same match."""
    items = list(items)
    return random.Random(match.seed).sample(items, min(count, len(items)))


def refusal(game: Any, state: Any, steps: list[str]) -> tuple[str, dict[str, Any]] | None:
    """Why a post is refused, None if it is accepted; nothing may be drawn for a refused one."""
    try:
        engine.plan(game, state, steps)
    except IllegalMove as refused:
        with pytest.raises(IllegalMove):
            engine.play(game, state, steps, NoChance())
        return refused.reason, through_json(refused.facts)
    return None


def test_random_play_ends(match: Walk) -> None:
    game, last = match.game, match.rows[-1].after
    assert len(match.rows) < LONGEST
    assert game.outcome(last) is not None
    assert game.active_seat(last) is None
    assert not game.legal_moves(last)


def test_a_stored_state_has_one_active_seat_with_a_step(match: Walk) -> None:
    game = match.game
    for state in match.stored[:-1]:
        assert game.outcome(state) is None
        assert game.active_seat(state) in range(match.seats)
        legal = list(game.legal_moves(state))
        assert legal
        assert len(set(legal)) == len(legal)
    for state in match.positions:
        if game.active_seat(state) is None:
            assert not game.legal_moves(state)


def test_legal_steps_are_accepted_and_old_states_stay(match: Walk) -> None:
    game = match.game
    for state in sample(match, match.positions, 40):
        before = copy.deepcopy(state)
        for step in game.legal_moves(state):
            after, _news = game.apply(state, step)
            assert len(step) <= engine.MAX_STEP_LENGTH
            assert engine.split(step) == [step]
            assert game.active_seat(after) != game.active_seat(state) or game.legal_moves(after), step
        assert state == before


def test_settle_leaves_the_old_state(match: Walk) -> None:
    game = match.game
    for row in match.rows:
        for state in (*row.planned[-1:], *row.owed[:-1]):
            before = copy.deepcopy(state)
            game.settle(state, seeded(1))
            assert state == before


def test_states_are_plain_values(match: Walk) -> None:
    def check(value: Any) -> None:
        if dataclasses.is_dataclass(value):
            assert value.__dataclass_params__.frozen
            value = tuple(getattr(value, field.name) for field in dataclasses.fields(value))
        if isinstance(value, tuple):
            for part in value:
                check(part)
        else:
            assert value is None or type(value) in (int, str, bool)

    for state in match.stored:
        check(state)
        hash(state)


def test_replay_gives_the_same(match: Walk) -> None:
    game = match.game
    state, news = engine.start(game, match.options, match.seats, stream(match.seed, 1))
    assert (state, news) == (match.rows[0].after, match.rows[0].news)
    for number, row in enumerate(match.rows[1:], start=2):
        steps = engine.split(engine.join(row.steps))
        state, news = engine.play(game, state, steps, stream(match.seed, number))
        assert (state, news) == (row.after, row.news)


def test_news_are_json_with_an_audience(match: Walk) -> None:
    for row in match.rows:
        for value in row.news:
            assert through_json(value) == value
            assert isinstance(value["what"], str)
            assert set(value.get("to", ())) <= set(range(match.seats))
            assert "to" in value or "public" not in value
        for viewer in viewers(match.seats):
            for value in engine.seen(row.news, viewer):
                assert not {"to", "public"} & set(value)


def test_nobody_can_tell_an_imagined_state(match: Walk) -> None:
    game = match.game
    for number, state in enumerate(sample(match, match.positions, 60)):
        for viewer in viewers(match.seats):
            seen = game.observe(state, viewer)
            assert seen["viewer"] == viewer
            twin = game.imagine(through_json(seen), seeded(number))
            assert game.observe(twin, viewer) == seen == through_json(seen)
            assert game.active_seat(twin) == game.active_seat(state)
            assert game.outcome(twin) == game.outcome(state)
        assert game.imagine(through_json(game.observe(state, "open")), seeded(number)) == state


def test_the_mover_learns_the_same_from_an_imagined_state(match: Walk) -> None:
    game = match.game
    steps = pool(match)
    for number, state in enumerate(sample(match, match.positions, 30)):
        seat = game.active_seat(state)
        if seat is None:
            continue
        twin = game.imagine(through_json(game.observe(state, seat)), seeded(number))
        legal = game.legal_moves(state)
        assert list(game.legal_moves(twin)) == list(legal)
        for step in sample(match, legal, SOME):
            (after, news), (other, same) = game.apply(state, step), game.apply(twin, step)
            assert game.observe(other, seat) == game.observe(after, seat)
            assert engine.seen(same, seat) == engine.seen(news, seat)
        for step in sample(match, steps, SOME):
            assert refusal(game, twin, [step]) == refusal(game, state, [step])


def test_a_step_outside_the_legal_ones_is_refused(match: Walk) -> None:
    game = match.game
    for state in sample(match, match.stored[:-1], 15):
        seat = game.active_seat(state)
        for step in sample(match, set(pool(match)) - set(game.legal_moves(state)), 2 * SOME):
            with pytest.raises(IllegalMove):
                engine.play(game, state, [step], NoChance())
            try:
                after, _news = game.apply(state, step)
            except IllegalMove:
                continue
            assert game.active_seat(after) == seat  # a preview, from which nothing leads on
            assert not game.legal_moves(after)


def test_nothing_stands_behind_the_end_of_a_post(match: Walk) -> None:
    game = match.game
    for row in sample(match, match.rows[1:], 20):
        for behind in (row.steps[0], "?"):
            with pytest.raises(IllegalMove) as refused:
                engine.play(game, row.before, [*row.steps, behind], NoChance())
            assert refused.value.reason == "after_end"
        if len(row.steps) > 1:
            with pytest.raises(IllegalMove) as refused:
                engine.play(game, row.before, row.steps[:-1], NoChance())
            assert refused.value.reason == "unfinished"


def test_places_are_valid(match: Walk) -> None:
    game = match.game
    assert all(game.outcome(state) is None for state in match.stored[:-1])
    outcome = game.outcome(match.rows[-1].after)
    assert outcome is not None
    assert outcome.reason
    assert len(outcome.places) == match.seats
    assert all(place == 1 + sum(other < place for other in outcome.places) for place in outcome.places)


def test_observations_are_a_whitelist(match: Walk) -> None:
    """A field that somebody adds to a state must not be seen before ``observe`` names it."""

    def spied(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(spied(part) for part in value)
        if not dataclasses.is_dataclass(value):
            return value
        base: Any = type(value)
        extra = ("injected", str, dataclasses.field(default="LEAK"))
        spy = dataclasses.make_dataclass("Spy", [extra], bases=(base,), frozen=True, slots=True)
        return spy(**{field.name: spied(getattr(value, field.name)) for field in dataclasses.fields(value)})

    state = spied(sample(match, match.positions, 1)[0])
    for viewer in (*viewers(match.seats), "open"):
        assert "LEAK" not in json.dumps(match.game.observe(state, viewer))
        assert "injected" not in json.dumps(match.game.observe(state, viewer))


def test_the_bot_answers_with_an_acceptable_post(match: Walk) -> None:
    game = match.game
    title = TITLES[game.slug]
    for number, state in enumerate(sample(match, match.stored[:-1], 5)):
        seen = through_json(game.observe(state, game.active_seat(state)))
        engine.play(game, state, title.bot(game, seen, seeded(number)), seeded(number))


def test_a_wish_answers_with_an_acceptable_post_or_nothing(match: Walk) -> None:
    game = match.game
    for number, state in enumerate(sample(match, match.stored[:-1], 12)):
        seen = through_json(game.observe(state, game.active_seat(state)))
        for wish in TITLES[game.slug].wishes.values():
            steps = wish.steps(game, copy.deepcopy(seen), seeded(number))
            assert steps == wish.steps(game, seen, seeded(number + 1000))  # made of what is known alone
            if steps is not None:
                engine.play(game, state, steps, seeded(number))


def turns(game: Any, state: Any, most: int = 2) -> list[list[str]]:
    """The whole turns from a state, or the first few of them."""
    found: list[list[str]] = []
    for step in game.legal_moves(state):
        after, _news = game.apply(state, step)
        behind = turns(game, after, most) if game.active_seat(after) == game.active_seat(state) else [[]]
        found += [[step, *more] for more in behind]
        if len(found) >= most:
            break
    return found[:most]


def test_the_wish_for_an_only_turn_finds_it_and_no_other(match: Walk) -> None:
    game = match.game
    wish = TITLES[game.slug].wishes["only"]
    for state in sample(match, match.stored[:-1], 30):
        first, *more = turns(game, state)
        steps = wish.steps(game, through_json(game.observe(state, game.active_seat(state))), seeded(1))
        assert steps == (None if more else first)


@lru_cache
def middle() -> tuple[list[tuple[Any, Any]], list[str]]:
    """Positions of every title with their game, and all steps that were made in those matches."""
    matches = [walk(*combination, 1) for combination in COMBINATIONS]
    positions = [(match.game, state) for match in matches for state in sample(match, match.positions, 5)]
    return positions, sorted({step for match in matches for step in pool(match)})


texts = st.text(max_size=80) | st.deferred(lambda: st.sampled_from(middle()[1]))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(position=st.deferred(lambda: st.sampled_from(middle()[0])), step=texts, data=st.data())
def test_any_text_is_a_step_or_illegal(position: Any, step: str, data: st.DataObject) -> None:
    game, state = position
    cut, more = data.draw(st.integers(0, len(step))), data.draw(st.text(max_size=3))
    for text in (step, step[:cut] + more + step[cut:], step[:cut] + more + step[cut + 1 :], step.lower(), f"{step}\n"):
        with suppress(IllegalMove):
            game.apply(state, text)
