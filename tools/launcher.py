"""The command line of ./play. Standard library only."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from tools import door, install, prepare, testing

DESCRIPTION = "Na tahu: table games by turns. Without a command: sets up what is missing and serves."


def run(arguments: Sequence[str]) -> int:
    """Does what the command line says and returns the exit code; trouble is one line on stderr."""
    try:
        return _dispatch(list(arguments))
    except (install.Failed, door.Closed) as problem:
        sys.stderr.write(f"play: {problem}\n")
        return 1
    except OSError as problem:
        sys.stderr.write(f"play: {problem.strerror or problem}: {problem.filename or ''}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return 130


def _dispatch(arguments: list[str]) -> int:
    os.environ["NA_TAHU_VAR"] = str(prepare.var())  # absolute, as the commands below run in another folder
    if arguments[:1] == ["manage"]:
        install.ensure("runtime")
        prepare.secret_key()
        return _manage(arguments[1:])
    if arguments[:1] == ["test"]:
        return testing.run(arguments[1:])
    options = _parser().parse_args(arguments)
    if os.environ.get("NA_TAHU_MODE") == "production":
        raise install.Failed(
            "this command is for one machine; README.md tells how to serve with NA_TAHU_MODE=production."
        )
    os.environ["PYTHONUNBUFFERED"] = "1"
    if options.command == "setup":
        _set_up(demo=options.demo)
        print("Set up. ./play serves.")
        return 0
    with door.lock(prepare.var()):
        for one in door.listen(options.host, options.port):  # better said now than after minutes of installing
            one.close()
        _set_up(demo=options.demo)
    return _manage(["serve", "--host", options.host, "--port", str(options.port)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./play", description=DESCRIPTION)
    parser.add_argument("command", nargs="?", choices=["setup"], help="setup: only set up; also: manage ..., test ...")
    parser.add_argument("--port", type=_port, default=8000, help="port to serve at (default 8000)")
    parser.add_argument("--host", default="localhost", help="host to serve at (default localhost: this machine only)")
    parser.add_argument("--no-demo", dest="demo", action="store_false", help="do not load demo matches")
    return parser


def _port(text: str) -> int:
    """A port number. Raises ValueError, which argparse turns into its message."""
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError
    return number


def _set_up(*, demo: bool) -> None:
    install.ensure("runtime")
    prepare.everything(demo=demo)


def _manage(arguments: Sequence[str]) -> int:
    """Becomes manage.py, so that signals and the exit code are its own."""
    sys.stdout.flush()
    os.execv(install.PYTHON, [str(install.PYTHON), str(install.ROOT / "manage.py"), *arguments])  # noqa: S606
