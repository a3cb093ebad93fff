"""What every title must say besides its rules: options, versions and words. A new title adds nothing here."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

from games import engine
from games.titles import Title
from tests.titles.telling import told_by
from tests.titles.walks import TITLES, viewers, walk

NAMES = ("Alice", "Bob", "Charlie", "Dana")


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_options_are_described(title: Title) -> None:
    assert engine.options_from(title.game, {}) == title.game.Options()
    for field in dataclasses.fields(title.game.Options):
        assert field.metadata["label"]
        assert field.metadata["help"]
        choices = field.metadata.get("choices")
        assert isinstance(field.default, bool) if choices is None else field.default in choices
        for choice in choices or (False, True):
            assert getattr(engine.options_from(title.game, {field.name: choice}), field.name) == choice
        with pytest.raises(engine.BadOptions):
            engine.options_from(title.game, {field.name: "?"})


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_versions_and_numbers(title: Title) -> None:
    versions = [game.version for game in title.package.GAMES]
    assert versions == sorted(set(versions))
    assert {game.slug for game in title.package.GAMES} == {title.slug}
    assert min(title.game.seat_counts) >= 2


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_the_words_say_what_the_site_asks_for(title: Title) -> None:
    """Every sentence of ``games.wording.Words``, in one match, filled for everybody who may read it."""
    words, game = title.words, title.game
    assert words.NAME
    assert words.TAGLINE
    match = walk(title.slug, game.Options(), max(game.seat_counts), 1)
    names = NAMES[: match.seats]
    for row in random.Random(1).sample(match.rows[1:], min(12, len(match.rows) - 1)):
        seat = game.active_seat(row.before)
        seen = through_json(game.observe(row.before, seat))
        told_by(title, names, words.ask(seen, list(game.legal_moves(row.before))))
        told_by(title, names, words.ask(through_json(game.observe(row.before, None)), []))
        told_by(title, names, words.refusal("unknown_step", {"step": "?"}, seen))
        for step in (*row.steps, "?"):
            told_by(title, names, words.step(step, seen))
        said = [words.news(value, me) for me in viewers(match.seats) for value in engine.seen(row.news, me)]
        for sentence in filter(None, said):
            told_by(title, names, sentence)
    outcome, last = game.outcome(match.rows[-1].after), game.observe(match.rows[-1].after, "open")
    for me in viewers(match.seats):
        told_by(title, names, words.result(last, list(outcome.places), outcome.reason, me))
