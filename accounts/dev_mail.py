"""The page that shows kept mails, on the machine that the site runs on and nowhere else."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Mail

LATEST = 100
LOOPBACK = ("127.0.0.1", "::1")
NAMES = ("localhost", "127.0.0.1", "[::1]")
"""How a browser on this machine calls it; a proxy that adds nothing often passes on the name that the world uses."""

FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-IP", "Via")
"""What a proxy adds: then the peer is the proxy, and the visitor is anybody."""


def here(request: HttpRequest) -> bool:
    """Whether mails are kept, and the visitor sits at this machine."""
    kept = settings.EMBEDDED and settings.EMAIL_BACKEND == "accounts.mail.Kept"
    near = request.META.get("REMOTE_ADDR") in LOOPBACK and not any(name in request.headers for name in FORWARDED)
    return kept and near and split_domain_port(request.get_host())[0] in NAMES


@never_cache
@require_safe
def mails(request: HttpRequest) -> HttpResponse:
    """The latest mails. Raises Http404 for everybody who does not sit here."""
    if not here(request):
        raise Http404
    return render(request, "account/mails.html", {"mails": Mail.objects.order_by("-at", "-pk")[:LATEST]})
