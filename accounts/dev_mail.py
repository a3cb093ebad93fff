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

ALONE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"
"""A mail may have styles of its own and nothing else; its links can be followed."""


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


@never_cache
@require_safe
def html(request: HttpRequest, pk: int) -> HttpResponse:
    """The HTML of one mail, as a page that may load and run nothing and is no part of this site.

    Raises Http404 for everybody who does not sit here, and for a mail without HTML.
    """
    mail = Mail.objects.filter(pk=pk).exclude(html="").first() if here(request) else None
    if mail is None:
        raise Http404
    response = HttpResponse(mail.html)
    response["Content-Security-Policy"] = ALONE
    response["Referrer-Policy"] = "no-referrer"
    return response
