"""./play test: everything that must hold. Standard library only."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools import install, prepare

SYSTEM = {"chromium": "chromium", "redis-server": "redis-server", "postgresql": "initdb"}
"""Debian's packages that some tests need, each with a program by which one sees that it is there."""

SERVER_PROGRAMS = Path("/usr/lib/postgresql")
"""Where Debian keeps PostgreSQL's own programs, a folder a version."""

PRODUCTION = {
    "NA_TAHU_MODE": "production",
    "NA_TAHU_SECRET_KEY": "checked-only-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEF",
    "ALLOWED_HOSTS": "play.example.org",
    "SITE_URL": "https://play.example.org",
    "DATABASE_URL": "postgres://na_tahu@localhost/na_tahu",
    "REDIS_URL": "redis://localhost:6379/0",
}
"""A complete production environment, for the deployment check."""

ON_POSTGRES = ("-m", "not any_database", "tests/games")
"""What is run a second time, on PostgreSQL: every write and every page. Not what starts a whole site (where the
database matters that runs on both anyway), and not the pure rooms, which have no database."""

SPREAD = ("--dist", "worksteal")
"""Who has nothing left takes over from others, for tests take from a millisecond to two minutes."""


@dataclass
class Step:
    """One command of the test run."""

    name: str
    command: list[str]
    env: Mapping[str, str] = field(default_factory=dict)


def run(arguments: Sequence[str]) -> int:
    """Sets up and runs everything, or one pytest run with the arguments; the exit code. Raises install.Failed."""
    own = argparse.ArgumentParser(prog="./play test", add_help=False, allow_abbrev=False)
    own.add_argument("--no-install", action="store_true")
    options, rest = own.parse_known_args(list(arguments))
    missing = _system_packages(may_install=not options.no_install)
    install.ensure("dev")
    prepare.secret_key()
    steps = [Step("pytest", _python("-m", "pytest", *rest))] if rest else _steps()
    failed = [step.name for step in steps if not _passes(step)]
    if missing:
        print(f"NOT TESTED: what needs {', '.join(missing)}.")
        if os.environ.get("CI") == "true":
            failed.append(f"missing: {', '.join(missing)}")
    print(f"FAILED: {'; '.join(failed)}" if failed else "All passed.")
    return 1 if failed else 0


def _steps() -> list[Step]:
    return [
        Step("ruff check", _tool("ruff", "check", ".")),
        Step("ruff format", _tool("ruff", "format", "--check", ".")),
        Step("mypy", _tool("mypy")),
        Step("import-linter", _tool("lint-imports", "--no-cache")),
        Step("djlint", _tool("djlint", "--lint", "--quiet", "templates", "games")),
        Step(
            "migrations",
            _python("manage.py", "makemigrations", "--check", "--dry-run"),
            {"DATABASE_URL": "sqlite://:memory:"},
        ),
        Step("check", _python("manage.py", "check", "--fail-level", "WARNING")),
        Step("check --deploy", _python("manage.py", "check", "--deploy", "--fail-level", "WARNING"), PRODUCTION),
        # More at once than there are processors on a small machine: many of them wait for processes and clocks.
        Step("tests", _python("-m", "pytest", "-q", "-n", "3", *SPREAD, "-m", "not browser")),
        Step("tests on PostgreSQL", _python("-m", "tests.on_postgres", "-q", "-n", "2", *SPREAD, *ON_POSTGRES)),
        # Apart: what drives the browser leaves an event loop running, and others would trip over it.
        Step("browser tests", _python("-m", "pytest", "-q", "-n", "3", *SPREAD, "-m", "browser")),
    ]


def _tool(name: str, *arguments: str) -> list[str]:
    return [str(install.VENV / "bin" / name), *arguments]


def _python(*arguments: str) -> list[str]:
    return [str(install.PYTHON), *arguments]


def _passes(step: Step) -> bool:
    """Runs a step with its output shown and says how long it took."""
    print(f"== {step.name}", flush=True)
    began = time.monotonic()
    code = subprocess.run(step.command, cwd=install.ROOT, env={**os.environ, **step.env}, check=False).returncode
    print(
        f"== {step.name}: {'passed' if code == 0 else f'FAILED ({code})'} in {time.monotonic() - began:.1f} s",
        flush=True,
    )
    return code == 0


def _system_packages(*, may_install: bool) -> list[str]:
    """The system packages still missing after installing them, which is tried as root on Debian if it is allowed."""
    missing = _missing()
    if not missing:
        return []
    line = f"apt-get install {' '.join(missing)}"
    if may_install and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"Installing system packages for the tests: {line}", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (
            ["apt-get", "update", "-qq"],
            ["apt-get", "install", "-qq", "--no-install-recommends", *missing],
        ):
            subprocess.run(command, env=quiet, check=False, stdout=subprocess.DEVNULL)
        missing = _missing()
    if missing:
        print(f"Missing for some tests: {', '.join(missing)}. On Debian: sudo {line}", file=sys.stderr, flush=True)
    return missing


def _missing() -> list[str]:
    return [package for package, program in SYSTEM.items() if found(program) is None]


def found(program: str) -> str | None:
    """The path of a system program, the newest of several versions; None if it is not installed."""
    versions = sorted(SERVER_PROGRAMS.glob(f"*/bin/{program}"), key=lambda path: int(path.parts[-3]))
    return shutil.which(program) or (str(versions[-1]) if versions else None)
