"""The devices of a user that take pushes: what a script tells of its browser, and a list with two buttons."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from accounts import visitors
from accounts.models import User
from games import access
from games.access import Visitor
from games.delivery import guarded, pushes, webpush
from games.delivery.pushes import Outcome
from games.services import devices as service, limits
from games.services.errors import BadRequest

TRIED = "push_tried"
"""In the session from a test until the page has said what became of it."""

BROWSERS = ("Edg", "OPR", "SamsungBrowser", "Firefox", "FxiOS", "CriOS", "Chrome", "Safari")
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Macintosh", "Linux")
SHOWN = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "CrOS": "ChromeOS",
    "Macintosh": "Mac",
}
"""How browsers call themselves, the more special ones first, and what is shown where that reads badly."""

OUTCOMES: dict[str, Promise] = {
    Outcome.TAKEN: _("The push service has taken the push: it should be on the device in a moment."),
    Outcome.GONE: _("That device takes no pushes any more. Enable them on it once more."),
    Outcome.LATER: _("The push service did not take the push now. Please try again a little later."),
    Outcome.REFUSED: _("The push service has refused the push."),
}


def shown(request: HttpRequest) -> dict[str, Any]:
    """What ``parts/devices.html`` needs on the page of notices; ``push_key`` is empty where the site does not push."""
    found = [] if isinstance(request.user, AnonymousUser) else list(request.user.devices.order_by("pk"))
    tried = request.session.pop(TRIED, "") if request.method == "GET" else ""
    return {
        "push_key": webpush.public_key(),
        "devices": found,
        "tried": OUTCOMES.get(tried, ""),
        "tried_well": tried == Outcome.TAKEN,
    }


@require_GET
def key(request: HttpRequest) -> HttpResponse:
    """What the service worker needs to renew a subscription by itself. Raises Http404 as ``add`` does."""
    _user(request.user)
    return JsonResponse({"key": webpush.public_key(), "token": get_token(request)})


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    """Takes the subscription of this browser, and whose place it takes.

    Raises Http404 for who is nobody yet, BadRequest for what no browser makes, TooManyDevices, TooMany.
    """
    user = _user(request.user)
    limits.spend("device", visitors.counted(request))
    endpoint, replaces = request.POST.get("endpoint", ""), request.POST.get("replaces", "")
    p256dh, auth = request.POST.get("p256dh", ""), request.POST.get("auth", "")
    try:
        guarded.check(endpoint)
        webpush.subscription_keys(p256dh, auth)
    except (guarded.Inside, webpush.BadKey):
        raise BadRequest from None
    name = browser_name(request.headers.get("User-Agent", ""))
    device = service.add(user, endpoint=endpoint, p256dh=p256dh, auth=auth, name=name, replaces=replaces)
    request.session[visitors.DEVICE] = device.pk
    return JsonResponse({"device": device.pk}, status=201)


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Forgets a device."""
    service.remove(access.device_of(request.user, pk))
    return _page()


@require_POST
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Pushes to one device at once; the page then says what came of it."""
    user, device = _user(request.user), access.device_of(request.user, pk)
    limits.spend("push_test", visitors.counted(request))
    request.session[TRIED] = pushes.push([device], pushes.trial(user))[0]
    return _page()


def _page() -> HttpResponse:
    return redirect(reverse("notice_settings") + "#devices")


def _user(visitor: Visitor) -> User:
    if isinstance(visitor, AnonymousUser) or not settings.VAPID_PRIVATE_KEY:
        raise Http404
    return visitor


def browser_name(agent: str) -> str:
    """What a device is called in the list: "Firefox, Android"."""
    words = set(re.findall(r"[A-Za-z]+", agent[:500]))
    found = [next((name for name in names if name in words), "") for names in (BROWSERS, SYSTEMS)]
    return ", ".join(SHOWN.get(name, name) for name in found if name) or gettext("Another browser")
