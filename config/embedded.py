"""Celery's worker and schedule as threads of the serving process, where no processes of their own are wanted.

Nothing is lost with the process: what is due are rows in the database, and the
schedule asks for them again after a restart.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable

from celery.beat import Service
from celery.worker import WorkController, state
from django.conf import settings

from config.celery import app

log = logging.getLogger(__name__)

NAME = f"embedded-{os.getpid()}@{socket.gethostname()}"
"""The worker's name on the broker, no other's."""

PAUSE = 1.0
"""Seconds before a part that broke is started again."""

_stopping = threading.Event()
_threads: list[threading.Thread] = []
_schedule: Service | None = None


class Worker(WorkController):
    """A worker for a thread: it installs no signal handlers, and says when it takes tasks."""

    ready = threading.Event()

    def on_consumer_ready(self, consumer: object) -> None:
        """Called by Celery once tasks are taken from the broker."""
        self.ready.set()


def start(concurrency: int = 2, patience: float = 10) -> None:
    """Starts worker and schedule and returns when tasks are taken, at the latest after ``patience`` seconds."""
    _stopping.clear()
    Worker.ready.clear()
    state.should_stop = None
    app.finalize()
    for part in (lambda: _work(concurrency), _tick):
        thread = threading.Thread(target=_keep_up, args=(part,), name="celery", daemon=True)
        thread.start()
        _threads.append(thread)
    if not Worker.ready.wait(patience):
        log.error("the embedded worker did not get ready within %s s", patience)


def stop(grace: float = 4) -> None:
    """Stops both, letting a running task end; after ``grace`` seconds they are left to end with the process."""
    _stopping.set()
    if _schedule is not None:
        _schedule.stop()
    state.should_stop = 0  # the worker's loop looks at it now and then ...
    if app.conf.broker_url.startswith("memory:"):
        app.control.shutdown(destination=[NAME])  # ... and this wakes it up; another broker may be out of reach
    for thread in _threads:
        thread.join(grace)
    _threads.clear()


def alive() -> bool | None:
    """Whether worker and schedule run; None where this process has none and others do the work."""
    if not _threads:
        return None
    return Worker.ready.is_set() and all(thread.is_alive() for thread in _threads)


def _keep_up(part: Callable[[], None]) -> None:
    """Runs a part, again if it breaks, until all is stopped."""
    while not _stopping.is_set():
        try:
            part()
        except Exception:  # whatever broke it: without this part nothing that is due happens any more
            log.exception("an embedded part of Celery broke")
        if not _stopping.wait(PAUSE):
            log.error("an embedded part of Celery ended; it is started again")


def _work(concurrency: int) -> None:
    worker = Worker(
        app=app,
        hostname=NAME,
        pool="threads",
        concurrency=concurrency,
        loglevel="WARNING",
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    try:
        worker.start()
    finally:
        worker.ready.clear()


def _tick() -> None:
    global _schedule
    interval = min(1.0, settings.SWEEP_BOTS_SECONDS)
    _schedule = Service(app, max_interval=interval, scheduler_cls=app.conf.beat_scheduler)
    if not _stopping.is_set():
        _schedule.start()
