"""Records from anywhere: true ones pass, each that was tampered with is refused with the reason, on any machine."""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games import titles, verify
from games.chance import Stream, commitment as fingerprint
from games.models import Move
from games.verify import __main__ as command, reading
from games.verify.draws import draws

ROOT = Path(__file__).parent.parent
GOLDEN = sorted((ROOT / "tests" / "titles").glob("*/records/*.json"))
DEMO = sorted((ROOT / "seeds").glob("*.json"))

LONG_ENOUGH = 8_000
"""Bytes of a record that has enough rows to tamper with."""

SHORT = {
    game: min(
        (path for path in GOLDEN if path.parts[-3] == game and path.stat().st_size > LONG_ENOUGH),
        key=lambda path: path.stat().st_size,
    )
    for game in ("red", "barvosauri", "power_cards")
}
TITLES = titles.find([titles.HERE])
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs" / "record.schema.json").read_text("utf-8")))

Record = dict[str, Any]


def record_of(game: str) -> Record:
    """A short true record of the game."""
    value: Record = json.loads(SHORT[game].read_text("utf-8"))
    return value


def verdict(value: Record | bytes) -> tuple[int, str]:
    """Exit status and words for a record."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    status, lines = command.examine(text, TITLES)
    return status, "\n".join(lines)


def resealed(value: Record) -> Record:
    """The record with a checksum that fits: what who wants to deceive does last."""
    return value | {"checksum": verify.checksum(value)}


@pytest.mark.parametrize("path", [*GOLDEN, *DEMO], ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_golden_record_fits_the_schema_and_is_read(path: Path) -> None:
    text = path.read_bytes()
    SCHEMA.validate(json.loads(text))
    assert reading.read(text) == json.loads(text)


def test_kinds_of_rows_are_those_of_the_log() -> None:
    assert sorted(reading.KINDS) == sorted(Move.Kind.values)


# What somebody may do to a record, by the reason that is given. Each takes a record and a number to choose by.
def row(value: Record, chance: random.Random, kind: str = "play") -> dict[str, Any]:
    """A row of that kind."""
    return chance.choice([one for one in value["rows"] if one["kind"] == kind])  # type: ignore[no-any-return]


def _flip(digits: str, chance: random.Random) -> str:
    at = chance.randrange(len(digits))
    return digits[:at] + ("0" if digits[at] != "0" else "1") + digits[at + 1 :]


def seed(value: Record, chance: random.Random) -> None:
    value["seed"] = _flip(value["seed"], chance)


def commitment(value: Record, chance: random.Random) -> None:
    value["commitment"] = _flip(value["commitment"], chance)


def identity(value: Record, chance: random.Random) -> None:
    value["id"] += "x"


def entropy(value: Record, chance: random.Random) -> None:
    seat = chance.choice(value["seats"])
    seat["entropy"] = _flip(seat["entropy"], chance)


def seats_exchanged(value: Record, chance: random.Random) -> None:
    value["seats"].reverse()


def joined(value: Record, chance: random.Random) -> None:
    value["seats"][0]["joined"], value["seats"][1]["joined"] = (
        value["seats"][1]["joined"],
        value["seats"][0]["joined"],
    )


def seat_left_out(value: Record, chance: random.Random) -> None:
    value["seats"].pop()


def option(value: Record, chance: random.Random) -> None:
    field = next(iter(TITLES[value["game"]].game.Options.__dataclass_fields__.values()))
    choices = field.metadata.get("choices") or (False, True)
    now = value["options"].get(field.name, field.default)
    value["options"][field.name] = next(one for one in choices if one != now)


def option_unknown(value: Record, chance: random.Random) -> None:
    value["options"]["luck"] = True


def game(value: Record, chance: random.Random) -> None:
    value["game"] = {"red": "barvosauri", "barvosauri": "power_cards", "power_cards": "red"}[value["game"]]


def game_unknown(value: Record, chance: random.Random) -> None:
    value["game"] = "chess"


def rules(value: Record, chance: random.Random) -> None:
    value["rules_version"] += 1 + chance.randrange(5)


def text(value: Record, chance: random.Random) -> None:
    one, other = row(value, chance), row(value, chance)
    one["text"] = other["text"] if other["text"] != one["text"] else one["text"] + "; END"


def text_nonsense(value: Record, chance: random.Random) -> None:
    row(value, chance)["text"] = "nothing I know"


def turn_of_another(value: Record, chance: random.Random) -> None:
    one = row(value, chance)
    one["seat"] = (one["seat"] + 1) % len(value["seats"])


def row_left_out(value: Record, chance: random.Random) -> None:
    del value["rows"][chance.randrange(len(value["rows"]) - 1)]


def row_left_out_and_renumbered(value: Record, chance: random.Random) -> None:
    del value["rows"][1 + chance.randrange(len(value["rows"]) - 2)]
    for number, one in enumerate(value["rows"], start=1):
        one["number"] = number


def rows_exchanged(value: Record, chance: random.Random) -> None:
    at = 1 + chance.randrange(len(value["rows"]) - 2)
    value["rows"][at : at + 2] = value["rows"][at : at + 2][::-1]


def row_twice(value: Record, chance: random.Random) -> None:
    at = chance.randrange(len(value["rows"]))
    value["rows"].insert(at, copy.deepcopy(value["rows"][at]))


def row_put_in(value: Record, chance: random.Random) -> None:
    last = value["rows"][-1]
    news = [{"what": "clock", "why": "holiday", "seat": 0, "seconds": 60}]
    one = {"number": last["number"] + 1, "kind": "clock", "seat": None, "text": "", "at": last["at"], "news": news}
    value["rows"].append(one | {"digest": last["digest"]})


def row_after_the_end(value: Record, chance: random.Random) -> None:
    """The chain fits: who has the seed can make it."""
    row_put_in(value, chance)
    rules_ = TITLES[value["game"]].game
    state = verify.last_state(value | {"rows": value["rows"][:-1]}, rules_)
    one = value["rows"][-1]
    one["digest"] = verify.digest(
        bytes.fromhex(value["seed"]), value["rows"][-2]["digest"], one, rules_.observe(state, "open")
    )


def last_rows_cut_off(value: Record, chance: random.Random) -> None:
    del value["rows"][-1 - chance.randrange(5) :]


def kind(value: Record, chance: random.Random) -> None:
    row(value, chance)["kind"] = chance.choice(["resign", "timeout", "clock", "start", "annul"])


def news_changed(value: Record, chance: random.Random) -> None:
    one = chance.choice([one for one in value["rows"] if one["news"]])
    one["news"][0]["what"] = "won"


def news_left_out(value: Record, chance: random.Random) -> None:
    chance.choice([one for one in value["rows"] if one["news"]])["news"].pop()


def news_told_to_all(value: Record, chance: random.Random) -> None:
    told = [(at, news) for at, one in enumerate(value["rows"]) for news in one["news"]]
    chance.choice(told)[1]["to"] = []


def digest(value: Record, chance: random.Random) -> None:
    one = chance.choice(value["rows"])
    one["digest"] = _flip(one["digest"], chance)


def places(value: Record, chance: random.Random) -> None:
    value["outcome"]["places"] = [place % len(value["seats"]) + 1 for place in value["outcome"]["places"]]


def reason_of_the_end(value: Record, chance: random.Random) -> None:
    value["outcome"]["reason"] = "luck"


def no_outcome(value: Record, chance: random.Random) -> None:
    value["outcome"] = None


def name(value: Record, chance: random.Random) -> None:
    chance.choice(value["seats"])["name"] = "Mallory"


def moment(value: Record, chance: random.Random) -> None:
    chance.choice(value["rows"])["at"] += 1


def field_missing(value: Record, chance: random.Random) -> None:
    del value[chance.choice([name for name in value if name != "demo"])]


def field_of_a_row_missing(value: Record, chance: random.Random) -> None:
    one = chance.choice(value["rows"])
    del one[chance.choice(list(one))]


def field_more(value: Record, chance: random.Random) -> None:
    chance.choice([value, value["rows"][0], value["seats"][0], value["outcome"]])["more"] = 1


def of_another_kind(value: Record, chance: random.Random) -> None:
    name = chance.choice(sorted(value.keys() - {"checksum"}))
    value[name] = chance.choice(["x", -1, 1.5, True, "0" * 63, [[]]])


def of_another_kind_in_a_row(value: Record, chance: random.Random) -> None:
    one = chance.choice(value["rows"])
    one[chance.choice(sorted(one))] = chance.choice([{}, "\x07", -1, True, [1], [{}] * 3, 2**70])


RESEALED: list[Callable[[Record, random.Random], None]] = [
    seed, commitment, identity, entropy, seats_exchanged, joined, seat_left_out, option, option_unknown, game,
    game_unknown, rules, text, text_nonsense, turn_of_another, row_left_out, row_left_out_and_renumbered,
    rows_exchanged, row_twice, row_put_in, row_after_the_end, last_rows_cut_off, kind, news_changed, news_left_out,
    news_told_to_all, digest, places, reason_of_the_end, no_outcome, field_missing, field_of_a_row_missing, field_more,
    of_another_kind, of_another_kind_in_a_row,
]  # fmt: skip
"""What is found although the checksum is made anew."""

DAMAGED: list[Callable[[Record, random.Random], None]] = [name, moment]
"""What only the checksum tells."""


@pytest.mark.parametrize("tamper", [*RESEALED, *DAMAGED], ids=lambda tamper: tamper.__name__)
@pytest.mark.parametrize("slug", SHORT)
def test_what_was_tampered_with_is_refused_with_the_reason(slug: str, tamper: Any, thorough: bool) -> None:
    """36 ways in three games; --thorough does each six times at other places."""
    for number in range(6 if thorough else 1):
        true = record_of(slug)
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
    status, said = verdict(resealed(record_of("red") | {"\x1b]0;x\x07\x1b[2J\u202eis true": 1}))
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
        value = record_of("red")
        value["rows"][-1] |= {"kind": "clock", "seat": None, "text": "", "news": news}
        with pytest.raises(reading.Unreadable):
            reading.read(json.dumps(resealed(value)).encode())


@pytest.mark.parametrize("slug", SHORT)
def test_every_draw_comes_from_the_stream_of_its_row(slug: str) -> None:
    value = record_of(slug)
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
    assert done.stdout.startswith(f"TRUE: match {record_of(slug)['id']} of {slug}, rules 1")
    for said in ("seed", "order of the seats", "drawn again", "moves were played again", "chain", "Not proven"):
        assert said in done.stdout


def test_the_command_refuses_with_status_1_and_the_reason(alone: Path, tmp_path: Path) -> None:
    value = record_of("red")
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
