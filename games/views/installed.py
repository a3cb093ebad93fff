"""What lets a browser install the site and take its pushes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that shows pushes. From the root, because a service worker is for the pages beside it and below."""
    source = finders.find("js/sw.js")
    if source is None:
        raise FileNotFoundError("js/sw.js")
    response = HttpResponse(Path(source).read_bytes(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    response["Service-Worker-Allowed"] = "/"
    return response


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The name and the pictures of the site on a home screen."""
    content: dict[str, Any] = {
        "id": "/",
        "name": "Na tahu",
        "short_name": "Na tahu",
        "description": gettext("Table games played by turns, over days: with friends or bots, without an account."),
        "start_url": reverse("dashboard"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f3ec",
        "theme_color": "#f6f3ec",
        "icons": [
            {"src": static(f"icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, size, purpose in (
                ("icon-192", 192, "any"),
                ("icon-512", 512, "any"),
                ("icon-whole", 512, "maskable"),
            )
        ],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response["Cache-Control"] = "max-age=3600"
    return response
