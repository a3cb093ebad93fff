"""Positions with the right answer: ``<slug>/cases.jsonl`` of every title, and every file given with ``--cases``.

A title's ``adapter.py`` answers ``run(given) -> dict``; what a case expects may name only some of the answer's fields.
``SETS`` of the adapter names the fields whose values compare as sorted lists. An answer of ``...`` is not compared.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def cases(path: Path) -> list[Any]:
    """The cases of one file, each with its id."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [pytest.param(case, id=f"{case['game']}-{case['id']}") for case in lines]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    files = [*sorted(HERE.glob("*/cases*.jsonl")), *map(Path, metafunc.config.getoption("--cases"))]
    metafunc.parametrize("case", [case for path in files for case in cases(path)])


def comparable(value: Any, is_set: bool) -> Any:
    """The value as it is compared: sets, also those within a mapping, as sorted lists."""
    if isinstance(value, dict):
        return {key: comparable(part, is_set) for key, part in value.items()}
    return sorted(value) if is_set and isinstance(value, list) else value


def differences(expect: dict[str, Any], answer: dict[str, Any], sets: frozenset[str]) -> dict[str, tuple[Any, Any]]:
    """The fields that are not as expected, with what was expected and what came."""
    found = {}
    for name, wanted in expect.items():
        got = answer.get(name, "no answer")
        if isinstance(wanted, dict) and isinstance(got, dict):
            got = {key: got.get(key) for key in wanted if got.get(key) is not ...}
            wanted = {key: part for key, part in wanted.items() if key in got}
        if got is not ... and comparable(wanted, name in sets) != comparable(got, name in sets):
            found[name] = (wanted, got)
    return found


def test_case(case: dict[str, Any]) -> None:
    adapter = importlib.import_module(f"tests.titles.{case['game']}.adapter")
    answer = adapter.run(case["given"])
    assert differences(case["expect"], answer, adapter.SETS) == {}, case["why"]
