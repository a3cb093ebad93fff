"""The log: lines on stderr, never a query string, for half-made turns travel in it."""

import sys

import environ

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"masked": {"()": "config.masking.Masked"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "stream": sys.stderr,
            "formatter": "plain",
            "filters": ["masked"],
        }
    },
    "root": {"handlers": ["stderr"], "level": environ.FileAwareEnv().str("LOG_LEVEL", default="INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
        "uvicorn": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        "celery.worker.control": {"level": "ERROR"},  # it would say at each stop that it was asked to
    },
}
