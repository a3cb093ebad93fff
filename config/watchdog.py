"""A worker or a schedule that lives but does nothing ends itself, so that the service manager starts it again.

Whether work is done is seen by the heartbeat of the fastest sweep in the database, not by the life of a process.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from datetime import timedelta

from django.conf import settings
from django.db import Error, close_old_connections

log = logging.getLogger(__name__)

LAST_WORDS = 10.0
"""Seconds that a process has to end by itself."""


def start() -> None:
    """Watches from now on, in a thread of this process; not where Celery is only a part of one, in a thread itself."""
    if threading.current_thread() is threading.main_thread():
        threading.Thread(target=_watch, args=(settings.STANDSTILL_SECONDS,), name="watchdog", daemon=True).start()


def _watch(patience: float) -> None:
    """Ends the process when the sweeps have stood still for so many seconds of its own life.

    Without an answer of the database nothing is known, and a new process would do no better.
    """
    pause = threading.Event()
    while not pause.wait(patience):
        try:
            if not _stands_still(patience):
                continue
        except Error:
            continue
        finally:
            close_old_connections()
        log.error("no sweep has run for %s s; this process ends, to be started again", patience)
        os.kill(os.getpid(), signal.SIGTERM)
        pause.wait(LAST_WORDS)
        os._exit(1)


def _stands_still(patience: float) -> bool:
    from games.models import Heartbeat
    from games.now import now

    beat = Heartbeat.objects.filter(sweep="bots").first()
    return beat is None or beat.at < now() - timedelta(seconds=patience)
