"""Rules that change: the gate stops what old logs do not bear; a match ends under the rules it began with."""

from __future__ import annotations

import json
import shutil
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games import registry, states, titles
from games.models import Match
from games.services.records import differences, dump
from games.verify import __main__ as command
from tests.client import client_of
from tests.conftest import move, post_body, seated

pytestmark = pytest.mark.any_database

TOY = Path(__file__).parent.parent / "toys" / "sticks"

GENTLER = {
    "rules.py": [
        ("min(3, state.left)", "min(2, state.left)"),
        ("2 if seat == state.active else 1", "1 if seat == state.active else 2"),
    ]
}
"""Other rules: at most two are taken, and who takes the last one wins."""

BESIDE = """

class Gentler(Sticks):
    version = 2

    def legal_moves(self, state):
        return super().legal_moves(state)[:2]

    def outcome(self, state):
        if state.left:
            return None
        return Outcome(tuple(1 if seat == state.active else 2 for seat in range(state.seats)), "last")
"""
"""The same as a new version beside the old one."""


@pytest.fixture
def plant(tmp_path, settings):
    """Puts the toy on GAME_PATHS as it is edited, as a new release of the site would have it."""
    settings.GAME_PATHS = [*settings.GAME_PATHS, tmp_path]

    def forget():
        for name in [name for name in sys.modules if name.startswith("games.titles.sticks")]:
            del sys.modules[name]
        registry.all_titles.cache_clear()
        states.forget()

    def planted(edits, more=""):
        shutil.rmtree(tmp_path / "sticks", ignore_errors=True)
        shutil.copytree(TOY, tmp_path / "sticks", ignore=shutil.ignore_patterns("__pycache__"))
        for name, pairs in edits.items():
            path = tmp_path / "sticks" / name
            text = path.read_text("utf-8")
            for old, new in pairs:
                assert old in text
                text = text.replace(old, new)
            path.write_text(text + more * (name == "rules.py"), "utf-8")
        forget()

    yield planted
    settings.GAME_PATHS = settings.GAME_PATHS[:-1]
    forget()


@pytest.fixture(autouse=True)
def _no_bytecode(monkeypatch):
    """A file that is planted twice within a second is read twice."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def gate():
    """What the gate says, whether it lets the change pass."""
    out = StringIO()
    try:
        call_command("verify", "--all", "--json", stdout=out)
    except CommandError:
        return False, json.loads(out.getvalue())
    return True, json.loads(out.getvalue())


def takes(match, *numbers):
    """So many sticks are taken one after the other."""
    for number in numbers:
        match = move(match, steps=[f"take {number}"])
    return match


def test_a_change_under_the_same_version_is_stopped_and_one_beside_it_is_not(plant, alice, bob, tmp_path):
    plant({})
    ended = takes(seated(alice, bob, game="sticks"), 3, 3, 3, 1)
    running = takes(seated(alice, bob, game="sticks"), 3)
    untouched = takes(seated(alice, bob, game="sticks"), 1)
    other = move(seated(alice, bob))
    assert (ended.status, running.status) == ("finished", "playing")
    assert gate() == (True, {"matches": 4, "records": 0, "differences": []})

    plant(GENTLER)
    passes, said = gate()
    assert not passes
    assert {one["match"] for one in said["differences"]} == {ended.slug, running.slug}
    assert {one["what"] for one in said["differences"]} == {"text (unknown_step)"}

    beside = {"rules.py": [], "__init__.py": [("import Sticks", "import Gentler, Sticks"),
                                              ("(Sticks(),)", "(Sticks(), Gentler())")]}  # fmt: skip
    plant(beside, BESIDE)
    assert gate() == (True, {"matches": 4, "records": 0, "differences": []})

    # The old match goes on and ends under the old rules: three may be taken, and the last one loses.
    for old in (running, untouched):
        old = Match.objects.get(pk=old.pk)
        assert old.rules.version == 1
        while old.status == "playing":
            mover = old.seats.get(number=old.active_seat)
            take = min(3, old.rules.observe(states.load(old, list(old.seats.all())), None)["left"])
            client = client_of(mover.user)
            assert client.get(old.get_absolute_url()).status_code == 200
            assert client.post(old.get_absolute_url(), post_body(old, [f"take {take}"])).status_code == 302
            old.refresh_from_db()
        assert old.seats.get(number=mover.number).place == 2
        assert differences(old) == []

    # A new one has the new rules.
    new = seated(alice, bob, game="sticks")
    assert new.rules_version == 2
    mover = client_of(new.seats.get(number=new.active_seat).user)
    assert mover.post(new.get_absolute_url(), post_body(new, ["take 3"])).status_code == 422
    new = takes(new, 2, 2, 2, 2)
    last = new.active_seat
    new = takes(new, 2)
    assert new.seats.get(number=last).place == 1
    assert gate() == (True, {"matches": 5, "records": 0, "differences": []})

    # The command verifies a record of either, given the folder of the game.
    here = titles.find([titles.HERE, tmp_path])
    for match in (ended, new):
        status, lines = command.examine(json.dumps(dump(match)).encode(), here)
        assert status == command.TRUE, lines
    assert differences(other) == []


def test_a_version_that_is_gone_is_named_by_the_gate(plant, alice, bob):
    plant({})
    match = takes(seated(alice, bob, game="sticks"), 1)
    plant({"rules.py": [("version = 1", "version = 2")]})
    assert gate() == (
        False, {"matches": 1, "records": 0, "differences": [{"match": match.slug, "version": 0, "what": "rules"}]},
    )  # fmt: skip
