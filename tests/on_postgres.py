"""``python -m tests.on_postgres ARGUMENTS``: one pytest run with the arguments, on a PostgreSQL started for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

from tests.postgres import Postgres


def run(arguments: Sequence[str]) -> int:
    """Pytest's exit code; 0 with a line that says so where PostgreSQL is not installed, but a failure in CI."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whatever ends this ends the server, too
    try:
        server = Postgres()
    except pytest.skip.Exception as absent:
        print(absent)
        return 0
    except pytest.fail.Exception as absent:
        print(absent, file=sys.stderr)
        return 1
    try:
        environment = {**os.environ, "DATABASE_URL": server.url}
        return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment, check=False).returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
