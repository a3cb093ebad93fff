"""What mail programs and mail servers send by themselves: unsubscribing, and mails that came back."""

from __future__ import annotations

import hmac
import json
import logging
import time
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games import links
from games.models import Notice
from games.services import mailing

log = logging.getLogger(__name__)

SKEW = 300
"""Seconds that the clock of a mail server may differ from ours, and that a report may take."""

KINDS = ("hard", "soft", "complaint")
"""What became of a mail: the address does not exist, it was not taken this time, its owner calls it spam."""

LONGEST = 500
"""Characters of the longest Message-ID or address that is read."""


@csrf_exempt  # a provider of mail has no page of ours before it (RFC 8058); what is signed is the address itself
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The page with the button, and what the button does: mails of the kinds in the address are switched off.

    Raises Http404 for an address that no mail of ours had.
    """
    try:
        user, kinds = links.read_unsubscribe(token)
    except links.Void as void:
        raise Http404 from void
    if request.method == "POST":
        mailing.unsubscribe(user, kinds)
    context = {"kinds": [Notice.Kind(kind).label for kind in kinds], "done": request.method == "POST"}
    response = render(request, "games/unsubscribe.html", context)
    response["Referrer-Policy"] = "no-referrer"
    return response


@csrf_exempt  # signed by the mail server
@require_POST
def bounce(request: HttpRequest) -> HttpResponse:
    """Takes the report of a mail that came back. Raises Http404 where no secret is set.

    The header ``X-Signature`` is the HMAC-SHA256, in hexadecimal digits, of the header ``X-Timestamp`` (seconds
    since 1970), a full stop and the body.
    """
    if not settings.BOUNCE_SECRET:
        raise Http404
    if not _signed(request):
        return JsonResponse({"error": "not_signed"}, status=403)
    report = _report(request.body)
    if report is None:
        return JsonResponse({"error": "bad_request"}, status=400)
    kind = report.pop("kind")
    stopped = kind != "soft" and mailing.bounced(kind, **report)
    log.info("a mail came back: %s, %s", kind, "the address is stopped" if stopped else "nothing is stopped")
    return JsonResponse({"stopped": stopped})


def _signed(request: HttpRequest) -> bool:
    moment, signature = request.headers.get("X-Timestamp", ""), request.headers.get("X-Signature", "")
    if not (moment.isascii() and moment.isdecimal() and len(moment) < 12 and signature.isascii()):
        return False
    wanted = hmac.new(settings.BOUNCE_SECRET.encode(), moment.encode() + b"." + request.body, sha256).hexdigest()
    return hmac.compare_digest(wanted, signature) and abs(time.time() - int(moment)) <= SKEW


def _report(body: bytes) -> dict[str, str] | None:
    """The kind, and the Message-ID or the address; None for anything else."""
    try:
        told: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("kind") not in KINDS:
        return None
    names = [name for name in ("message_id", "address") if isinstance(told.get(name), str) and told[name]]
    if len(names) != 1 or len(told[names[0]]) > LONGEST or "\0" in told[names[0]]:
        return None
    return {"kind": told["kind"], names[0]: told[names[0]]}
