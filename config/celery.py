"""The Celery application; its settings are the CELERY_* ones of the settings file."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_ready
from django.conf import settings

from config import watchdog

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("na_tahu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()  # tasks published from any thread of the process go to this application


@beat_init.connect
def ask_at_once(**_facts: Any) -> None:
    """Every sweep runs when the schedule starts, not only one period later: much may be due after a pause."""
    for task, seconds in settings.SWEEPS.items():
        app.send_task(task, expires=seconds)


@worker_ready.connect
@beat_init.connect
def watch(**_facts: Any) -> None:
    """Worker and schedule end when they do nothing any more; what is embedded is started again by ``embedded``."""
    watchdog.start()
