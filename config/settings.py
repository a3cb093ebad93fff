"""The settings, with those of accounts, limits, the API, sweeps and the log from modules beside this one.

Everything that differs between installations comes from the environment (see README.md).

Any value can also be read from a file: NA_TAHU_SECRET_KEY_FILE=/run/secrets/key stands for NA_TAHU_SECRET_KEY.
Importing this module writes nothing anywhere.
"""

import os
import re
import secrets
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.accounts import *  # noqa: F403
from config.accounts import openid_providers
from config.api import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401
from config.limits import ACCOUNT_RATE_LIMITS, LIMITS, LIMITS_TIMES, MATCHES_AT_ONCE, RATED_TOGETHER  # noqa: F401
from config.logs import LOGGING  # noqa: F401
from config.work import *  # noqa: F403

env = environ.FileAwareEnv()

BASE_DIR = Path(__file__).resolve().parent.parent
MODE = env.str("NA_TAHU_MODE", default="embedded")
EMBEDDED = MODE == "embedded"
PRODUCTION = MODE == "production"
VAR = Path(env.str("NA_TAHU_VAR", default=str(BASE_DIR / "var"))).resolve()

if not EMBEDDED and not PRODUCTION:
    raise ImproperlyConfigured(f"NA_TAHU_MODE is {MODE!r}; it must be 'embedded' or 'production'.")
if PRODUCTION:
    needed = ("NA_TAHU_SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL", "REDIS_URL")
    missing = [name for name in needed if not env.str(name, default="")]
    if missing:
        raise ImproperlyConfigured(f"NA_TAHU_MODE=production needs {', '.join(missing)} in the environment.")

DEBUG = env.bool("DEBUG", default=False)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("DEBUG shows secrets to visitors: it cannot be on with NA_TAHU_MODE=production.")

# For tests of what a sudden death leaves behind, see games/failpoints.py.
FAIL_AT = env.str("FAIL_AT", default="")
if PRODUCTION and FAIL_AT:
    raise ImproperlyConfigured("FAIL_AT kills the process: it cannot be set with NA_TAHU_MODE=production.")

# ./play makes the file. Without it a key that dies with the process is enough for checks and tests; `serve` refuses it.
SECRET_KEY_FILE = VAR / "secret_key"
SECRET_KEY = env.str("NA_TAHU_SECRET_KEY", default="").strip()
if not SECRET_KEY and SECRET_KEY_FILE.exists():
    SECRET_KEY = SECRET_KEY_FILE.read_text().strip()
SECRET_KEY_LASTS = bool(SECRET_KEY)
SECRET_KEY = SECRET_KEY or secrets.token_urlsafe(50)

# The key by which push services know the site, also made by ./play; `manage.py vapid` makes one for production. Without
# it pushes are not offered. A new key ends all that devices have agreed to.
VAPID_KEY_FILE = VAR / "vapid_key"
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="").strip()
if not VAPID_PRIVATE_KEY and VAPID_KEY_FILE.exists():
    VAPID_PRIVATE_KEY = VAPID_KEY_FILE.read_text().strip()
if VAPID_PRIVATE_KEY and not re.fullmatch(r"[\w-]{43}", VAPID_PRIVATE_KEY, re.ASCII):
    raise ImproperlyConfigured("VAPID_PRIVATE_KEY is not a key as `manage.py vapid` makes them.")

# For tests: pushes may go to this machine itself, at any port and without TLS.
PUSH_ALLOW_LOOPBACK = env.bool("PUSH_ALLOW_LOOPBACK", default=False)
if PRODUCTION and PUSH_ALLOW_LOOPBACK:
    raise ImproperlyConfigured(
        "PUSH_ALLOW_LOOPBACK opens the machine's own services: not with NA_TAHU_MODE=production."
    )

SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[])
if EMBEDDED:
    ALLOWED_HOSTS = [*ALLOWED_HOSTS, "localhost", "127.0.0.1", "[::1]"]

# Games: one folder each, here and wherever else the operator says.
GAME_PATHS = [BASE_DIR / "games" / "titles"]
GAME_PATHS += [Path(path).resolve() for path in env.str("GAME_PATHS", default="").split(os.pathsep) if path]
TITLE_DIRS = [rules.parent for path in GAME_PATHS for rules in sorted(path.glob("*/rules.py"))]


def folders(name: str) -> list[Path]:
    """The folders of this name that exist: the site's, then each title's."""
    return [path / name for path in (BASE_DIR, *TITLE_DIRS) if (path / name).is_dir()]


INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "games.apps.GamesConfig",
    "accounts.apps.AccountsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "drf_spectacular",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "games.api.problems.Problems",
    "games.middleware.PlainInput",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.Preferences",
    "accounts.middleware.LastSeen",
    "games.middleware.Refusals",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": folders("templates"),
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "games.context.turns",
                "accounts.context.notes",
            ],
        },
    },
]

# Data: SQLite in one file, or what DATABASE_URL names.
DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'db.sqlite3'}")}
DATABASE = DATABASES["default"]
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE: without it simultaneous writers get "database is locked" at once instead of waiting their turn.
    # FULL: an acknowledged move survives a power cut.
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
        "PRAGMA journal_size_limit=27103364; PRAGMA cache_size=2000;",
    }
elif DATABASE["ENGINE"] == "django.db.backends.postgresql":
    DATABASE["OPTIONS"] = {
        # Who waits longer than this for a connection is told to come again; a server that was away is asked again soon.
        "pool": {"min_size": 1, "max_size": 8, "timeout": 5, "reconnect_timeout": 10},
        # One match that is held up holds up nobody else for long.
        "options": "-c lock_timeout=3s -c idle_in_transaction_session_timeout=10s",
    }
    DATABASE["CONN_MAX_AGE"] = 0  # the pool keeps the connections ...
    DATABASE["CONN_HEALTH_CHECKS"] = True  # ... and gives out none that a restart of the server has broken

# Redis carries only what may be lost: hints, cached values and wake-up calls. Without it each lives in the process.
REDIS_URL = env.str("REDIS_URL", default="").strip()
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            # A Redis that is silent costs a request this long, not its life.
            "OPTIONS": {
                "socket_connect_timeout": 0.5,
                "socket_timeout": 0.5,
                "serializer": "config.plain_cache.JSONSerializer",
            },
        }
    }
    CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    }
else:
    # The default of 300 entries would throw the counters of the limits away under a flood.
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 20_000},
        }
    }
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# Celery: short tasks that look what is due. Nothing durable is in the broker, so no task has an ETA or a result.
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=REDIS_URL or "memory://localhost/").strip()
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.05}
    if CELERY_BROKER_URL.startswith("memory:")
    # A broker that is silent without having closed its connections is given up, not waited for.
    else {"visibility_timeout": 600, "socket_timeout": 10, "socket_connect_timeout": 5}
)
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "email")},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 15},  # no rules of composition, and no upper end but that of a form
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "accounts.passwords.OwnThought",
        "OPTIONS": {"words": ["natahu", *(folder.name.replace("_", "") for folder in TITLE_DIRS)]},
    },
]

# Accounts elsewhere: any OpenID Connect provider, by configuration alone; without one there are no such addresses.
# OIDC_PROVIDERS=[{"id": "club", "name": "Club", "server_url": "https://id.example.org", "client_id": "", "secret": ""}]
OIDC_PROVIDERS = env.json("OIDC_PROVIDERS", default=[])
SOCIALACCOUNT_PROVIDERS = openid_providers(OIDC_PROVIDERS)

# Mail: by EMAIL_URL (smtp+tls://user:password@host:587). Embedded without it, mails are kept and read on /dev/mail/.
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"Na tahu <noreply@{urlsplit(SITE_URL).hostname}>")
if EMBEDDED and not env.str("EMAIL_URL", default=""):
    EMAIL_BACKEND = "accounts.mail.Kept"
else:
    globals().update(env.email_url("EMAIL_URL", default="smtp://localhost:25"))

# What mail servers report of mails that came back, signed with this secret (POST /hooks/bounce/, see README.md).
BOUNCE_SECRET = env.str("BOUNCE_SECRET", default="").strip()
# Whom a push service may turn to.
VAPID_SUBJECT = SITE_URL if SITE_URL.startswith("https:") else f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = folders("locale")
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = folders("static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.assets.Assets"},
}

SESSION_ENGINE = "accounts.session_store"
SESSION_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        # Browsers hold the redirect to a provider to this list, too.
        "form-action": [SELF, *("{0.scheme}://{0.netloc}".format(urlsplit(it["server_url"])) for it in OIDC_PROVIDERS)],
    }
}

# How many proxies of ours stand in front and add to X-Forwarded-For; further entries are the visitor's own invention.
TRUSTED_PROXIES: int = env.int("TRUSTED_PROXIES", default=1 if PRODUCTION else 0)
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
DATA_UPLOAD_MAX_NUMBER_FILES = 1
LONGER_BODIES = {"/import/": 1024 * 1024 + 16 * 1024}  # a record, and the form around it

if PRODUCTION:
    if urlsplit(SITE_URL).scheme != "https":
        raise ImproperlyConfigured("SITE_URL must begin with https:// with NA_TAHU_MODE=production.")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-session", "__Host-csrf"
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")  # the proxy in front must set it, see README.md
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked by supervisors on the machine itself
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # Being on the browsers' preload list binds a whole domain for years: the operator's decision, not a program's.
    SILENCED_SYSTEM_CHECKS = ["security.W021"]
