"""The whole site on one asynchronous server: pages and the server's own life (``manage.py serve`` runs it)."""

import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import SessionMiddlewareStack
from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

pages = get_asgi_application()

from config.bodies import LimitBodies  # noqa: E402
from config.lifespan import lifespan  # noqa: E402  (after Django is set up: it leads to the tasks)
from config.origins import OwnPages  # noqa: E402
from games import routing  # noqa: E402

# Twice the limit of a form: what is only a little too much is refused by a page, with its reason.
limited = LimitBodies(pages, most=2 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE, longer=settings.LONGER_BODIES)
sockets = OwnPages(SessionMiddlewareStack(URLRouter(routing.urlpatterns)))
events = SessionMiddlewareStack(routing.stream)


async def http(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Every answer is made by Django, but the one that has no end."""
    await (events if scope["path"] == routing.STREAM else limited)(scope, receive, send)


application = ProtocolTypeRouter({"http": http, "websocket": sockets, "lifespan": lifespan})
