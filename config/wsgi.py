"""Pages by synchronous workers: ``gunicorn config.wsgi``."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.charsets import OneCharset

application = OneCharset(get_wsgi_application())
