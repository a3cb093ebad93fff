"""From which pages a socket may be opened: scheme, host and port must all be ours."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

BEARER = b"bearer "


class OwnPages:
    """ASGI: refuses handshakes whose Origin is not this site's own.

    A program with a token may come from anywhere: no page can make a browser
    send one. What a browser adds by itself, its cookies, then counts for nothing.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Passes the handshake on, or refuses it (403) before anything else has looked at it."""
        headers = dict(scope.get("headers", ()))
        if headers.get(b"authorization", b"").lower().startswith(BEARER):
            kept = [header for header in scope["headers"] if header[0] != b"cookie"]
            await self.app({**scope, "headers": kept}, receive, send)
        elif is_own(headers.get(b"origin", b"").decode("latin-1"), headers.get(b"host", b"").decode("latin-1")):
            await self.app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


def is_own(origin: str, host: str) -> bool:
    """Whether a page at ``origin`` is one of this site, asked for as ``host``.

    In production that is SITE_URL to the letter. Embedded, the site has many
    names and any port: there the page must come from the very host that the
    socket is opened to, and that host must be allowed.
    """
    if origin == settings.SITE_URL:
        return True
    if not settings.EMBEDDED or origin != f"http://{host}":
        return False
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
