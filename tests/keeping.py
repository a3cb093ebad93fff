"""Celery's processes as an operator runs them: each by itself, and started again when it ends."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.serving import ROOT, Server


class Kept:
    """A process that is started again whenever it ends by itself, as a service manager does (README.md, Production).

    Celery's worker ends with an error when its broker goes away in a moment it does not expect.
    """

    def __init__(self, command: list[str], **options: Any) -> None:
        self.command, self.options = command, options
        self.stopping = threading.Event()
        self.process = subprocess.Popen(command, **options)
        self.keeper = threading.Thread(target=self._keep)
        self.keeper.start()

    def _keep(self) -> None:
        while not self.stopping.wait(0.5):
            if self.process.poll() is not None:
                self.process = subprocess.Popen(self.command, **self.options)

    def stop(self) -> None:
        """Ends it for good."""
        self.stopping.set()
        self.keeper.join()
        self.process.terminate()
        self.process.wait(60)

    @property
    def children(self) -> list[int]:
        """The processes that it has started."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def celery(server: Server, folder: Path) -> Iterator[tuple[Kept, Kept]]:
    """Worker and schedule of a site, which was started without them."""
    commands = (["worker", "--concurrency=2", "--pool=prefork"], ["beat", f"--schedule={folder / 'beat'}"])
    with (folder / "celery.log").open("a") as log:
        worker, schedule = (
            Kept(
                [sys.executable, "-m", "celery", "-A", "config", *command, "--loglevel=WARNING"],
                cwd=ROOT,
                env=server.environment,
                stdout=log,
                stderr=log,
            )
            for command in commands
        )
        try:
            yield worker, schedule
        finally:
            worker.stop()
            schedule.stop()
