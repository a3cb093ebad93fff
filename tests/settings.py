"""The site's settings, with what differs under test. Started by pytest only."""

import os
import tempfile
from pathlib import Path

from config.settings import *  # noqa: F403
from config.settings import DATABASES, MATCHES_AT_ONCE, STORAGES

VAR = Path(tempfile.gettempdir()) / f"na-tahu-test-{os.getpid()}"
STATIC_ROOT = VAR / "static"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, because a shared in-memory database refuses simultaneous writers; its own for each run.
    DATABASES["default"]["TEST"] = {"NAME": f"{VAR}.sqlite3"}
    options = DATABASES["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
else:
    DATABASES["default"]["OPTIONS"]["pool"]["max_size"] = 24  # races hold more connections at once than a site does
# A few people play all matches of a test; what is asked of the limit itself sets it as it is.
MATCHES_AT_ONCE = dict.fromkeys(MATCHES_AT_ONCE, 10_000)
VAPID_PRIVATE_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"  # of the example in RFC 8291

# No collectstatic before a test: files are served from where they lie.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
