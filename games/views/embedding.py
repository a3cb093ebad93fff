"""Public matches elsewhere: the board in a frame of another site, and oEmbed, by which that site learns how."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode, urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games import access, states
from games.models import Match
from games.services import rows
from games.views import table_page
from games.views.table_page import Plan

WIDTH, HEIGHT = 640, 760
"""How large a frame is in pixels, if the other site has no less room."""

LEAST = 240
"""No frame is narrower or lower, whatever is asked for."""

KEPT = 3600
"""Seconds for which what oEmbed says may be kept."""

PAGES = ("match", "replay", "log")
"""Pages of a match, each of which may be given for it."""


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # it knows views without arguments only
@require_safe
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as everybody may see it, for the frame of any site. Raises Http404 for what not everybody may watch.

    Whoever looks is nobody: ``PlainInput`` has taken the cookies away, and nothing here sets one.
    """
    request.user = AnonymousUser()
    table = _watched(slug)
    try:
        context = table_page.context(request, table, Plan())
    except states.Unreplayable as fault:
        rows.quarantine(table.match, fault)
        raise Http404 from fault
    response = render(request, "games/embed.html", context | {"url": _absolute(table.match)})
    response["Cache-Control"] = "no-cache"
    return response


def _watched(slug: str) -> access.Table:
    """A match that has begun and that everybody may watch, as nobody sees it. Raises Http404 for any other."""
    table = access.match_for(AnonymousUser(), slug)
    if table.match.audience != Match.Audience.PUBLIC or table.match.status not in access.BY_LINK:
        raise Http404
    return table


def _absolute(match: Match) -> str:
    return f"{settings.SITE_URL}{match.get_absolute_url()}"


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """How to embed the match whose address is given, as oEmbed 1.0 has it: 404 for any other, 501 for other formats."""
    kind = request.GET.get("format", "json")
    if kind not in ("json", "xml"):
        return HttpResponse("Only json and xml.\n", status=501, content_type="text/plain; charset=utf-8")
    try:
        table = _watched(_slug(request))
    except Http404:
        return HttpResponse("No public match.\n", status=404, content_type="text/plain; charset=utf-8")
    found = _told(table, _room(request, "maxwidth", WIDTH), _room(request, "maxheight", HEIGHT))
    response = JsonResponse(found) if kind == "json" else _xml(found)
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _slug(request: HttpRequest) -> str:
    """The match of the page that is asked about. Raises Http404 for a page of another site or of another kind."""
    try:
        parts = urlsplit(request.GET.get("url", "")[:500])
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        raise Http404 from None
    if parts.netloc not in (urlsplit(settings.SITE_URL).netloc, request.get_host()):
        raise Http404
    if parts.scheme not in ("http", "https") or found.url_name not in PAGES:
        raise Http404
    return str(found.kwargs["slug"])


def _room(request: HttpRequest, name: str, usual: int) -> int:
    """As much as the other site has room for, at most what is usual; what is no number is ignored."""
    text = request.GET.get(name, "")
    return max(LEAST, min(int(text), usual)) if text.isascii() and text.isdecimal() and len(text) < 9 else usual


def _told(table: access.Table, width: int, height: int) -> dict[str, Any]:
    names = ", ".join(seat.user.name for seat in table.seats)
    title = gettext("%(game)s: %(names)s") % {"game": table.match.title.name, "names": names}
    frame = format_html(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" referrerpolicy="no-referrer"></iframe>',
        f"{settings.SITE_URL}{reverse('embed', args=[table.match.slug])}",
        width,
        height,
        title,
    )
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Na tahu",
        "provider_url": settings.SITE_URL,
        "title": title,
        "cache_age": KEPT,
        "width": width,
        "height": height,
        "html": str(frame),
    }


def _xml(found: dict[str, Any]) -> HttpResponse:
    root = Element("oembed")
    for name, value in found.items():
        SubElement(root, name).text = str(value)
    body = tostring(root, encoding="utf-8", xml_declaration=True)
    return HttpResponse(body, content_type="text/xml; charset=utf-8")


def discovery(match: Match) -> str:
    """The query by which a page of a match leads programs to oEmbed; "" where it cannot be embedded."""
    if match.audience != Match.Audience.PUBLIC or match.status not in access.BY_LINK:
        return ""
    return f"{settings.SITE_URL}{reverse('oembed')}?{urlencode({'url': _absolute(match)})}"
