"""The environment ./play runs in: a venv with the locked packages. Standard library only."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed.json"
LOCKS = {"runtime": ("runtime",), "dev": ("runtime", "dev")}
"""What installing a lock gives: dev.txt holds everything of runtime.txt too, at the same versions."""


class Failed(Exception):
    """Setting up cannot go on; the text is one line for the user."""


class Progress:
    """Lines that say what is being done and how long it took; on a terminal the present line moves."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.began = time.monotonic()
        self.moving = sys.stdout.isatty()
        self.say("...")

    def say(self, detail: str) -> None:
        """Shows how far it is."""
        print(f"\r\x1b[K  {self.what} {detail}" if self.moving else f"  {self.what} {detail}", end="", flush=True)
        if not self.moving:
            print(flush=True)

    def done(self) -> None:
        """Ends the line with the time it took."""
        self.say(f"done ({time.monotonic() - self.began:.1f} s)")
        if self.moving:
            print(flush=True)


def digest(*parts: bytes) -> str:
    """A short fingerprint of the parts."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:32]


def lock_file(name: str) -> Path:
    """The file with the pinned packages of a lock."""
    return ROOT / "requirements" / f"{name}.txt"


def lock_digest(name: str, version: str = "") -> str:
    """Changes with the lock and with the version of Python it is installed for."""
    return digest(lock_file(name).read_bytes(), version.encode())


def no_venv() -> str | None:
    """The line for a Python that cannot make environments (Debian ships it so), or None."""
    if all(importlib.util.find_spec(module) for module in ("venv", "ensurepip")):
        return None
    return "This Python cannot make environments: install its venv module (Debian: sudo apt install python3-venv)."


def ensure(lock: str) -> None:
    """Makes the environment hold the packages of ``lock``, unless it does. Raises Failed."""
    version = _version()
    if version and _installed().get(lock) == lock_digest(lock, version):
        return
    if not version:
        version = _make_venv()
    STAMP.unlink(missing_ok=True)  # until all is there, nothing is promised
    uv = _uv(lock)
    requirements = ["--require-hashes", "-r", str(lock_file(lock))]
    command = [uv, "pip", "install", "--python", str(PYTHON), *requirements] if uv else [*_pip(), *requirements]
    total = sum("==" in line for line in lock_file(lock).read_text().splitlines())
    follow(command, f"packages ({lock})", total, env={"UV_PYTHON_DOWNLOADS": "never"})
    STAMP.write_text(json.dumps({name: lock_digest(name, version) for name in LOCKS[lock]}))


def _installed() -> dict[str, str]:
    """Which locks the environment holds, by their digests."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _make_venv() -> str:
    """Makes the environment and returns its version of Python. Raises Failed."""
    problem = no_venv()
    if problem:
        raise Failed(problem)
    follow([sys.executable, "-m", "venv", "--clear", str(VENV)], f"environment {VENV.name}")
    return sys.version


def _version() -> str | None:
    """The version of the environment's Python; None if there is no environment that can be used."""
    if not PYTHON.exists():
        return None
    asked = "import sys, pip; print(sys.version if sys.version_info >= (3, 11) else '')"
    answer = subprocess.run([str(PYTHON), "-c", asked], capture_output=True, text=True, check=False)
    return answer.stdout.strip() or None


def _pip() -> list[str]:
    quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    return [str(PYTHON), "-m", "pip", "install", *quiet]


def _uv(lock: str) -> str | None:
    """The uv to install with: one on the PATH; for the many packages of ``dev`` one of our own; None for pip."""
    found = shutil.which("uv")
    if found or lock != "dev":
        return found
    own = VENV / "bin" / "uv"
    if not own.exists():
        follow([*_pip(), "--require-hashes", "-r", str(lock_file("uv"))], "installer (uv)")
    return str(own)


def follow(command: Sequence[str], what: str, total: int = 0, env: Mapping[str, str] | None = None) -> None:
    """Runs a command, shows how it goes and keeps its output to itself. Raises Failed, after showing the end of it."""
    progress = Progress(what)
    last: deque[str] = deque(maxlen=20)
    count = 0
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            last.append(line)
            if line.startswith("Collecting "):
                count += 1
                if progress.moving or count % 10 == 0:
                    progress.say(f"{count} of {total}: {line.split()[1].split('=')[0]}")
            elif line.startswith("Installing "):
                progress.say("fetched, being unpacked")
    if process.returncode:
        sys.stderr.write("\n" + "".join(last))
        raise Failed(f"{what} did not work (exit code {process.returncode}); the reason is above.")
    progress.done()
