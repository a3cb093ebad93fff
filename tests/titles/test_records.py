"""Whole finished matches, kept for ever: every record must replay under the rules it names."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from games import verify
from tests.golden import GOLDEN, SHORT
from tests.titles.walks import COMBINATIONS, TITLES, walk

HERE = Path(__file__).parent


def read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_record_is_true(path: Path) -> None:
    record = read(path)
    game = TITLES[record["game"]].rules(record["rules_version"])
    assert verify.check(record, game) == []
    assert record["outcome"]


@pytest.mark.parametrize("slug", sorted(path.parent.name for path in HERE.glob("*/wanted.py")))
def test_the_records_show_what_they_should(slug: str) -> None:
    for name, (options, seats, wants) in importlib.import_module(f"tests.titles.{slug}.wanted").WANTED.items():
        record = read(HERE / slug / "records" / f"{name}.json")
        assert (record["options"], len(record["seats"])) == (options, seats)
        assert wants(record), name


@pytest.mark.parametrize("path", SHORT.values(), ids=SHORT)
def test_a_record_that_was_changed_is_not(path: Path) -> None:
    record = read(path)
    game = TITLES[record["game"]].rules(record["rules_version"])
    forged = copy.deepcopy(record)
    forged["rows"][0]["news"][0]["what"] = "?"
    assert verify.check(forged, game)
    forged = copy.deepcopy(record)
    forged["outcome"]["places"] = [place % len(record["seats"]) + 1 for place in record["outcome"]["places"]]
    assert verify.check(forged, game)


@pytest.mark.parametrize("slug", TITLES)
def test_every_ending_has_a_record(slug: str) -> None:
    kept = {(len(r["seats"]), r["outcome"]["reason"]) for r in map(read, GOLDEN) if r["game"] == slug}
    met = set()
    for combination in COMBINATIONS:
        if combination[0] == slug:
            match = walk(*combination, 1)
            outcome = match.game.outcome(match.rows[-1].after)
            assert outcome is not None
            met.add(outcome.reason)
    assert met <= {reason for _seats, reason in kept}
    assert {seats for seats, _reason in kept} == set(TITLES[slug].game.seat_counts)
