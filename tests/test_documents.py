"""What the documents name exists: modules, functions, paths and commands; the layers are those that are kept, and no
file is too long to be read."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.golden import ROOT

PACKAGES = ("games", "games.services", "games.views", "games.api", "games.consumers", "games.delivery", "accounts")
"""Where a name such as ``turns.play`` may stand for something; besides that the whole name."""

A_TITLE = ("games/titles/red/", "games/titles/power_cards/", "tests/titles/red/")
FOLDERS = ("", "games/", "games/services/", "accounts/", "requirements/", *A_TITLE)
SOURCES = ("games", "accounts", "config", "tools", "static/js", "bench", "tests/titles")

ARCHITECTURE = ROOT / "docs" / "architecture.md"
DOCUMENTS = (ARCHITECTURE, ROOT / "CONTRIBUTING.md")

PATH = re.compile(r"(?:[\w.*-]+/)+(?:[\w.*-]+)?|[\w-]+\.(?:py|js|css|md|toml|html|txt|jsonl)")
DOTTED = re.compile(r"[a-z_]\w*(?:\.\w+)+")
WORD = re.compile(r"[A-Za-z_]\w*")

ELSEWHERE = {"serve.lock", "security.W021"}
"""What the running site makes, and what Django calls its checks."""


def quoted(document: Path) -> list[str]:
    """What stands in backticks outside of blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL))


@cache
def words_of_code() -> set[str]:
    """Every word of the code and the templates."""
    files = [path for folder in SOURCES for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".js")]
    files += (ROOT / "templates").rglob("*.html")
    return {word for path in files for word in WORD.findall(path.read_text("utf-8"))}


def is_there(path: str) -> bool:
    """Whether a path exists, from the root or in a room that the text speaks of."""
    return any(next(ROOT.glob((folder + path).rstrip("/")), None) for folder in FOLDERS)


def stands_for(name: str) -> bool:
    """Whether a dotted name can be reached from a module."""
    parts = name.split(".")
    known = parts[0] in sys.stdlib_module_names or (ROOT / parts[0]).is_dir()
    for package in ("", *PACKAGES) if known else PACKAGES:
        for cut in range(len(parts), 0, -1):
            try:
                found = importlib.import_module(".".join(filter(None, (package, *parts[:cut]))))
            except ImportError:
                continue
            for part in parts[cut:]:
                found = getattr(found, part, None)
            if found is not None:
                return True
    return False


def is_true(name: str) -> bool:
    """Whether what is quoted exists, as far as its form says what it is."""
    if command := re.match(r"(?:\./play )?(?:manage|manage\.py) (\w+)", name):
        return command[1] in get_commands()
    if command := re.match(r"python3? -m ([\w.]+)", name):
        return importlib.util.find_spec(command[1]) is not None
    if name in ELSEWHERE:
        return True
    if PATH.fullmatch(name):
        return is_there(name)
    if name.startswith("words."):  # which a title may have, and need not
        return name.removeprefix("words.") in words_of_code()
    if DOTTED.fullmatch(name):
        return stands_for(name)
    return not WORD.fullmatch(name) or name in words_of_code()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_what_is_named_exists(document: Path) -> None:
    assert [name for name in quoted(document) if not is_true(name)] == []


@pytest.mark.parametrize(
    "name", ["turns.plays", "games/nowhere.py", "nowhere.css", "manage.py nothing", "nowhere_at_all"]
)
def test_what_does_not_exist_is_found(name: str) -> None:
    assert not is_true(name)


def test_the_rooms_are_there() -> None:
    block = DOCUMENTS[1].read_text("utf-8").split("```")[1]
    rooms = re.findall(r"(?<![\w<>/.])[a-z_*]+(?:/|\.py)(?![\w<])", block)
    assert len(rooms) > 40
    assert [room for room in rooms if not is_there(room)] == []


def test_the_layers_are_those_that_are_kept() -> None:
    found = re.search(r"```layers\n(.*?)```", ARCHITECTURE.read_text("utf-8"), re.DOTALL)
    assert found
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    kept = [
        ", ".join(room for room in layer.split(" : ") if not room.startswith("(")) for layer in contracts[0]["layers"]
    ]
    assert found[1].splitlines() == kept


def test_no_file_is_long() -> None:
    """At 300 lines one should think of parting it; 400 is the end."""
    files = [path for folder in (*SOURCES, "tests", "static", "templates") for path in (ROOT / folder).rglob("*.*")]
    written = [path for path in files if path.suffix in (".py", ".js", ".css", ".html") and "vendor" not in path.parts]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in written}
    assert len(lengths) > 500
    assert {name: length for name, length in lengths.items() if length > 400} == {}


LINKED = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("document", LINKED, ids=lambda path: path.name)
def test_links_lead_to_files(document):
    links = re.findall(r"\]\(([^)#:\s]+)\)", document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).is_file()] == []
    assert links or document.name not in ("README.md", "CONTRIBUTING.md")
