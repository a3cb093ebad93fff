"""The two commands: what ./play says and does, without installing anything."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import httpx
import pytest

from games.delivery import webpush
from tests.reading import Page
from tests.serving import ROOT, Server
from tools import door, install, launcher, prepare, testing

PIN = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)


@pytest.fixture(scope="module")
def play():
    """The launcher as a module."""
    loader = SourceFileLoader("play", str(ROOT / "play"))
    module = module_from_spec(spec_from_loader("play", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def var(tmp_path, monkeypatch):
    """A data folder of our own."""
    monkeypatch.setenv("NA_TAHU_VAR", str(tmp_path / "var"))
    return tmp_path / "var"


@pytest.fixture
def nothing_runs(monkeypatch):
    """Records the commands that setting up would run."""
    commands: list[list[str]] = []
    monkeypatch.setattr(install, "follow", lambda command, *_more, **_env: commands.append(list(command)))
    return commands


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The data of a site that can be started."""
    server = Server(tmp_path_factory.mktemp("served") / "var")
    yield server
    if server.process is not None and server.process.poll() is None:
        server.stop()


def only_line(text: str) -> str:
    """The text, which must be one line."""
    assert text.count("\n") == 1, text
    return text.strip()


def test_an_old_python_is_told_so_in_one_line(play):
    assert play.too_old((3, 11, 0)) is None
    assert play.too_old((3, 13, 0)) is None
    assert play.too_old((3, 10, 13)).startswith("play: Python 3.11 or newer is needed, this is 3.10")
    ast.parse((ROOT / "play").read_text(), feature_version=(3, 6))


def test_a_python_without_venv_is_told_what_to_install(var, tmp_path, monkeypatch, nothing_runs, capsys):
    monkeypatch.setattr(install, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(install.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name)
    assert launcher.run(["setup"]) == 1
    assert "apt install python3-venv" in only_line(capsys.readouterr().err)
    assert nothing_runs == []


def test_a_taken_port_is_said_before_anything_is_set_up(var, nothing_runs, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert launcher.run(["--port", str(port)]) == 1
    line = only_line(capsys.readouterr().err)
    assert f"Port {port} is taken" in line
    assert f"--port {port + 1}" in line
    assert nothing_runs == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--host", "no such host"], "no host"),
        (["--host", "192.0.2.1"], "Cannot listen at 192.0.2.1"),
    ],
)
def test_a_host_that_cannot_be_had_is_one_line(var, nothing_runs, capsys, arguments, said):
    assert launcher.run(arguments) == 1
    assert said in only_line(capsys.readouterr().err)
    assert nothing_runs == []


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--port", "x"], ["no-such-command"]])
def test_a_wrong_command_line_is_refused(var, nothing_runs, capsys, arguments):
    with pytest.raises(SystemExit) as end:
        launcher.run(arguments)
    assert end.value.code == 2
    assert nothing_runs == []


def test_production_is_not_for_this_command(var, nothing_runs, monkeypatch, capsys):
    monkeypatch.setenv("NA_TAHU_MODE", "production")
    assert launcher.run([]) == 1
    assert "README.md" in only_line(capsys.readouterr().err)
    assert nothing_runs == []


def test_an_installed_environment_is_not_installed_again(tmp_path, monkeypatch, nothing_runs):
    monkeypatch.setattr(install, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(install, "STAMP", tmp_path / "installed.json")
    install.ensure("runtime")
    assert len(nothing_runs) == 1
    install.ensure("runtime")
    assert len(nothing_runs) == 1
    (tmp_path / "installed.json").write_text(json.dumps({"runtime": "of an older lock"}))
    install.ensure("runtime")
    assert len(nothing_runs) == 2
    assert "--require-hashes" in nothing_runs[-1]


def test_a_failed_step_shows_its_end_and_one_line(monkeypatch, capsys):
    with pytest.raises(install.Failed, match="did not work"):
        install.follow([sys.executable, "-c", "print('the reason'); raise SystemExit(3)"], "a step")
    assert "the reason" in capsys.readouterr().err


def test_only_what_changed_is_prepared_again(var, tmp_path, monkeypatch):
    title = tmp_path / "more" / "game" / "static"
    title.mkdir(parents=True)
    monkeypatch.setenv("GAME_PATHS", str(tmp_path / "more"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    ran: list[str] = []

    def pretend(command, what, *_more):
        ran.append(command[2])
        if command[2] == "migrate":
            (var / "db.sqlite3").touch()
        if command[2] == "collectstatic":
            (var / "static").mkdir(exist_ok=True)
            (var / "static" / "staticfiles.json").touch()

    def prepared(*, demo=True):
        ran.clear()
        prepare.everything(demo=demo)
        return list(ran)

    monkeypatch.setattr(prepare, "follow", pretend)
    assert prepared(demo=False) == ["migrate", "collectstatic"]
    assert prepared() == ["seed"]
    assert prepared() == []
    (title / "new.css").write_text("a{}")
    assert prepared() == ["collectstatic"]
    (var / "db.sqlite3").unlink()
    assert prepared() == ["migrate", "seed"]
    key = var / "secret_key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(key.read_text()) > 50
    pushes = var / "vapid_key"
    assert pushes.stat().st_mode & 0o777 == 0o600
    assert webpush.public_key(pushes.read_text().strip())


def test_the_locks_agree_and_name_no_address():
    pins = {name: dict(PIN.findall(install.lock_file(name).read_text())) for name in ("runtime", "production", "dev")}
    assert pins["runtime"]
    for name in ("runtime", "production"):
        assert pins[name].items() <= pins["dev"].items()
    for name in ("runtime", "production", "dev", "uv"):
        assert "://" not in install.lock_file(name).read_text()


def test_a_second_server_on_the_same_data_is_refused_with_the_first_ones_number(served):
    served.start()
    second = subprocess.run(
        [sys.executable, "play", "--port", "0"],
        cwd=ROOT,
        env=served.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert second.returncode == 1
    assert f"process {served.process.pid}" in only_line(second.stderr)
    third = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env=served.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert third.returncode == 1
    assert f"process {served.process.pid}" in only_line(third.stderr)
    assert httpx.get(f"{served.url}/healthz").json()["ok"]
    served.stop()


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly(served, signal_number):
    served.start()
    began = time.monotonic()
    served.process.send_signal(signal_number)
    said, _nothing = served.process.communicate(timeout=15)
    assert served.process.returncode == 0
    assert "Stopped." in said
    assert time.monotonic() - began < 8
    door.lock(served.folder).close()
    for one in door.listen("localhost", served.port):
        one.close()


def test_another_host_is_printed_and_allowed(served):
    command = [sys.executable, "manage.py", "serve", "--port", "0", "--host", "127.0.0.2"]
    with subprocess.Popen(command, cwd=ROOT, env=served.environment, stdout=subprocess.PIPE, text=True) as process:
        printed = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.2:\d+/", printed)
        assert found, printed
        with httpx.Client(base_url=found[0], timeout=20) as client:
            form = Page(client.get("/").text).form(action="/play-now/")
            origin = {"Origin": found[0].rstrip("/")}
            assert client.post(form.action, data=form.fields, headers=origin).status_code == 302
            assert client.post(form.action, data=form.fields, headers={"Origin": "http://elsewhere"}).status_code == 403
        assert httpx.get(found[0] + "healthz", headers={"Host": "elsewhere.example"}).status_code == 400
        process.send_signal(signal.SIGINT)
        assert process.wait(15) == 0


def test_an_address_to_tell_others_is_found():
    assert door.addresses("192.0.2.7") == ["192.0.2.7"]
    assert socket.gethostname() in door.addresses("0.0.0.0")


class TestTest:
    """./play test, with other steps than the real ones."""

    @pytest.fixture(autouse=True)
    def _prepared(self, var, monkeypatch, nothing_runs):
        monkeypatch.setattr(testing.install, "ensure", lambda lock: None)
        monkeypatch.setattr(testing, "_missing", list)
        monkeypatch.delenv("CI", raising=False)

    @staticmethod
    def steps(*codes: int):
        """A step for each exit code."""
        python = [sys.executable, "-c"]
        return lambda: [
            testing.Step(f"step {n}", [*python, f"raise SystemExit({code})"]) for n, code in enumerate(codes)
        ]

    def test_all_steps_run_and_failures_are_listed(self, monkeypatch, capsys):
        monkeypatch.setattr(testing, "_steps", self.steps(0, 3, 0, 1))
        assert testing.run([]) == 1
        said = capsys.readouterr().out
        assert "step 2: passed" in said
        assert said.endswith("FAILED: step 1; step 3\n")

    def test_it_passes(self, monkeypatch, capsys):
        monkeypatch.setattr(testing, "_steps", self.steps(0, 0))
        assert testing.run([]) == 0
        assert capsys.readouterr().out.endswith("All passed.\n")

    def test_arguments_go_to_one_pytest_run(self, monkeypatch):
        ran = []
        monkeypatch.setattr(testing, "_passes", lambda step: ran.append(step.command) or True)
        assert testing.run(["--no-install", "tests/games", "-k", "races"]) == 0
        assert [command[1:] for command in ran] == [["-m", "pytest", "tests/games", "-k", "races"]]

    @pytest.mark.parametrize(("ci", "code"), [(None, 0), ("true", 1)])
    def test_a_missing_program_is_said_and_fails_in_ci(self, monkeypatch, capsys, ci, code):
        monkeypatch.setattr(testing, "_steps", self.steps(0))
        monkeypatch.setattr(testing, "_missing", lambda: ["chromium"])
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        if ci:
            monkeypatch.setenv("CI", ci)
        assert testing.run([]) == code
        said = capsys.readouterr()
        assert "sudo apt-get install chromium" in said.err
        assert "NOT TESTED: what needs chromium." in said.out

    def test_no_install_installs_nothing(self, monkeypatch, capsys):
        monkeypatch.setattr(testing, "_missing", lambda: ["chromium"])
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        monkeypatch.setattr(testing.subprocess, "run", lambda *_a, **_k: pytest.fail("something was started"))
        assert testing._system_packages(may_install=False) == ["chromium"]


def test_a_program_is_found_where_debian_keeps_several_versions(tmp_path, monkeypatch):
    monkeypatch.setattr(testing, "SERVER_PROGRAMS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert testing.found("initdb") is None
    for version in (9, 15):
        program = tmp_path / str(version) / "bin" / "initdb"
        program.parent.mkdir(parents=True)
        program.touch()
    assert testing.found("initdb") == str(tmp_path / "15" / "bin" / "initdb")


def test_ci_only_calls_the_test_command():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "set -eu",
        'cd "$(dirname "$0")/.."',
        "exec ./play test",
    ]
