"""How Celery works here: short tasks that look what is due, and how often each does."""

import environ

env = environ.FileAwareEnv()

CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # however long the broker is away
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # in memory: every task asks what is due, a lost clock loses nothing
STANDSTILL_SECONDS = env.float("STANDSTILL_SECONDS", default=180.0)  # without sweeps; then Celery's processes end
SWEEP_BOTS_SECONDS = env.float("SWEEP_BOTS_SECONDS", default=1.0)
SWEEPS = {
    "games.tasks.bots": SWEEP_BOTS_SECONDS,
    "games.tasks.wishes": 5.0,
    "games.tasks.deadlines": 15.0,
    "games.tasks.reminders": 30.0,
    "games.tasks.deliveries": 5.0,
    "games.tasks.ratings": 20.0,
    "games.tasks.tallies": 30.0,
    "games.tasks.rankings": 120.0,
    "games.tasks.open_tables": 300.0,
    "games.tasks.guests": 3600.0,
}
CELERY_BEAT_SCHEDULE = {
    # A call that waited longer than its period is thrown away: the next one finds the same rows.
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in SWEEPS.items()
}
