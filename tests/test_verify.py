"""Records from anywhere: true ones pass, each that was tampered with is refused with the reason, on any machine."""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games.chance import Stream, commitment as fingerprint
from games.models import Move
from games.verify import __main__ as command, reading
from games.verify.draws import draws
from tests.golden import GOLDEN, ROOT, SHORT, Record, golden, resealed
from tests.tampering import DAMAGED, RESEALED, TITLES

DEMO = sorted((ROOT / "seeds").glob("*.json"))
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs" / "record.schema.json").read_text("utf-8")))


def verdict(value: Record | bytes) -> tuple[int, str]:
    """Exit status and words for a record."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    status, lines = command.examine(text, TITLES)
    return status, "\n".join(lines)


@pytest.mark.parametrize("path", [*GOLDEN, *DEMO], ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_golden_record_fits_the_schema_and_is_read(path: Path) -> None:
    text = path.read_bytes()
    SCHEMA.validate(json.loads(text))
    assert reading.read(text) == json.loads(text)


def test_kinds_of_rows_are_those_of_the_log() -> None:
    assert sorted(reading.KINDS) == sorted(Move.Kind.values)


@pytest.mark.parametrize("tamper", [*RESEALED, *DAMAGED], ids=lambda tamper: tamper.__name__)
@pytest.mark.parametrize("slug", SHORT)
def test_what_was_tampered_with_is_refused_with_the_reason(slug: str, tamper: Any, thorough: bool) -> None:
    """36 ways in three games; --thorough does each six times at other places."""
    for number in range(6 if thorough else 1):
        true = golden(slug)
        value = copy.deepcopy(true)
        tamper(value, random.Random(f"{slug} {tamper.__name__} {number}"))
        assert value != true
        if tamper in RESEALED:
            value = resealed(value) if "checksum" in value else value
        status, said = verdict(value)
        assert status == command.FALSE, (tamper.__name__, said)
        assert said.startswith("NOT TRUE: "), said
        assert "{" not in said.replace("'{", ""), said
        assert len(said) > 30


def test_a_name_that_would_steer_a_terminal_is_shown_as_text() -> None:
    status, said = verdict(resealed(golden("red") | {"\x1b]0;x\x07\x1b[2J\u202eis true": 1}))
    assert status == command.FALSE
    assert said.isprintable(), said
    assert "?]0;x??[2J?is true is not known" in said


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (b"", "not JSON"),
        (b"[]", "JSON object"),
        (b"\xff\xfe", "UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"format": ' * 5_000 + b"1" + b"}" * 5_000, "nested too deep"),
        (b'{"format": "na-tahu/1", "format": "na-tahu/1"}', "twice"),
        (b'{"format": NaN}', "no number"),
        (b'{"format": -Infinity}', "no number"),
        (b'{"format": 1e999}', "cannot be kept"),
        (b'{"format": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b'{"format": 12345678901234567890}', "cannot be kept"),
        (b'{"format": "\\ud800"}', "cannot be kept"),
        (b'{"format": "na-tahu/1", "id": "\\u0000", "seed": ""}', "cannot be kept"),
        (b'{"format": "na-tahu/2"}', "format"),
        (b'{"format": "na-tahu/1", "viewer": null}', "no seed"),
        (b" " * (reading.MOST_BYTES + 1), "longer than"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused_before_anything_looks_into_it(spoilt: bytes, why: str) -> None:
    status, said = verdict(spoilt)
    assert (status, why in said) == (command.FALSE, True), said


def test_rows_of_the_site_are_checked_although_the_rules_know_nothing_of_them() -> None:
    """Who has the seed can make a chain that fits; what pages could not tell is refused all the same."""
    for news in ([], [{}], [{"what": "clock"}], [{"what": "clock", "why": "x", "seat": 0, "seconds": 1}],
                 [{"what": "clock", "why": "holiday", "seat": 7, "seconds": 1}],
                 [{"what": "clock", "why": "holiday", "seat": 0, "seconds": 10**12}]):  # fmt: skip
        value = golden("red")
        value["rows"][-1] |= {"kind": "clock", "seat": None, "text": "", "news": news}
        with pytest.raises(reading.Unreadable):
            reading.read(json.dumps(resealed(value)).encode())


@pytest.mark.parametrize("slug", SHORT)
def test_every_draw_comes_from_the_stream_of_its_row(slug: str) -> None:
    value = golden(slug)
    seed, seats = bytes.fromhex(value["seed"]), [bytes.fromhex(seat["entropy"]) for seat in value["seats"]]
    found = draws(value, TITLES[slug].game)
    assert [one["row"] for one in found][:2] == [0, 1]
    for one in found:
        stream = Stream(seed, seats, one["row"])
        for draw in one["draws"]:
            if "roll" in draw:
                assert stream.roll(draw["roll"]) == draw["gives"]
            else:
                assert list(stream.shuffle(range(draw["shuffle"]))) == draw["gives"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pure rooms alone, in a folder of their own."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "games").mkdir()
    pure = ("__init__", "bots", "chance", "engine", "plain_table", "values", "wishes", "wording")
    for room in pure:
        shutil.copy(ROOT / "games" / f"{room}.py", folder / "games")
    for room in ("verify", "titles"):
        shutil.copytree(ROOT / "games" / room, folder / "games" / room, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run(folder: Path, *arguments: str, comes_in: bytes | None = None) -> subprocess.CompletedProcess[str]:
    """The command, with the standard library alone: no site packages, no settings of the environment."""
    program = [sys.executable, "-S", "-E", "-s", "-B", "-m", "games.verify", *arguments]
    done = subprocess.run(program, cwd=folder, input=comes_in, capture_output=True, timeout=60, check=False)
    return subprocess.CompletedProcess(program, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("slug", SHORT)
def test_the_command_needs_nothing_but_the_standard_library(alone: Path, slug: str) -> None:
    done = run(alone, str(SHORT[slug]))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"TRUE: match {golden(slug)['id']} of {slug}, rules 1")
    for said in ("seed", "order of the seats", "drawn again", "moves were played again", "chain", "Not proven"):
        assert said in done.stdout


def test_the_command_refuses_with_status_1_and_the_reason(alone: Path, tmp_path: Path) -> None:
    value = golden("red")
    value["outcome"]["places"].reverse()
    done = run(alone, "-", comes_in=json.dumps(resealed(value)).encode())
    assert (done.returncode, done.stdout) == (1, "")
    assert "The result is not what the rules make of the last table." in done.stderr
    done = run(alone, str(tmp_path / "nothing.json"))
    assert (done.returncode, "NOT READ" in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr


def test_the_command_has_no_django(alone: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", "import django"], cwd=alone, capture_output=True, check=False
    )
    assert done.returncode == 1


def test_the_published_test_vectors_are_what_this_code_makes() -> None:
    lines = (ROOT / "docs" / "chance.md").read_text("utf-8").splitlines()
    published = [line.split("|")[2].strip(" `") for line in lines if line.startswith("|")][2:]
    own, seats = bytes(range(32)), [b"b" * 16, b"a" * 16]
    rolls = Stream(own, seats, 2)
    assert published == [
        fingerprint("abc123", own),
        " ".join(str(rolls.roll(6)) for _time in range(12)),
        "".join(Stream(own, seats, 1).shuffle("abcdefghijklmnopqrstuvwxyz")),
        "".join(Stream(own, (), 0).shuffle("ABCD")),
    ]
