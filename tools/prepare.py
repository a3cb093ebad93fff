"""What ./play prepares in the data folder before it serves, each only when it has changed. Standard library only."""

from __future__ import annotations

import json
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from pathlib import Path

from tools.install import PYTHON, ROOT, digest, follow, lock_digest


def var() -> Path:
    """The data folder."""
    return Path(os.environ.get("NA_TAHU_VAR") or ROOT / "var").resolve()


def secret_key() -> None:
    """Makes the secret key unless there is one."""
    _keep("secret_key", lambda: secrets.token_urlsafe(50))


P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def vapid_key() -> None:
    """Makes the key by which push services know the site, unless there is one: a number below the curve's order."""
    _keep("vapid_key", lambda: urlsafe_b64encode((1 + secrets.randbelow(P256_ORDER - 1)).to_bytes(32, "big")).decode())


def _keep(name: str, made: Callable[[], str]) -> None:
    """Writes a secret into the data folder, readable by its owner only, unless it is there."""
    path = var() / name
    if path.exists():
        return
    var().mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{name}.{os.getpid()}")  # complete before it has its name
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(made().rstrip("=") + "\n")
    fresh.rename(path)


def everything(*, demo: bool) -> None:
    """Keys, tables, static files and demo data. Raises install.Failed."""
    secret_key()
    vapid_key()
    done = _done()
    if _elsewhere() or done.get("tables") != _tables():
        follow([str(PYTHON), "manage.py", "migrate", "--no-input"], "tables")
        done = {**done, "tables": _tables(), "demo": ""}
        _note(done)
    if done.get("static") != _static():
        follow([str(PYTHON), "manage.py", "collectstatic", "--no-input", "--clear"], "static files")
        done = {**done, "static": _static()}
        _note(done)
    if demo and not done.get("demo"):
        follow([str(PYTHON), "manage.py", "seed", "--if-empty"], "demo matches")
        _note({**done, "demo": "loaded"})


def _note_file() -> Path:
    return var() / "prepared.json"


def _done() -> dict[str, str]:
    """What was prepared, by the fingerprint of what it was made from."""
    try:
        done = json.loads(_note_file().read_text())
    except (OSError, ValueError):
        return {}
    return done if isinstance(done, dict) else {}


def _note(done: dict[str, str]) -> None:
    _note_file().write_text(json.dumps(done))


def _elsewhere() -> bool:
    """Whether the data are in a database that we cannot look at from here."""
    return bool(os.environ.get("DATABASE_URL") or os.environ.get("DATABASE_URL_FILE"))


def _tables() -> str:
    """Changes with the migrations (ours and the packages') and with the database itself, e.g. when it was removed."""
    try:
        database = str((var() / "db.sqlite3").stat().st_ino)
    except FileNotFoundError:
        database = "none"
    migrations = _contents(ROOT.glob("*/migrations/*.py"))
    return digest(database.encode(), lock_digest("runtime").encode(), *migrations)


def _static() -> str:
    """Changes with the files served as they are, ours and the packages', and when the collected ones are gone."""
    titles = [ROOT / "games" / "titles"]
    titles += [Path(path) for path in os.environ.get("GAME_PATHS", "").split(os.pathsep) if path]
    folders = [ROOT / "static", *(folder for path in titles for folder in sorted(path.glob("*/static")))]
    files = [file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()]
    there = (var() / "static" / "staticfiles.json").exists()
    return digest(str(there).encode(), lock_digest("runtime").encode(), *_contents(files))


def _contents(files: Iterable[Path]) -> list[bytes]:
    """Names and contents."""
    return [part for file in sorted(files) for part in (str(file).encode(), file.read_bytes())]
