"""The webhooks of a user: a list that says how each fares, and a form for one more."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import notes
from games import access
from games.delivery import webhooks as delivery
from games.delivery.pushes import Outcome
from games.delivery.words import WHY
from games.models import Webhook
from games.services import limits, webhooks as service
from games.webhook_forms import WebhookForm

FRESH = "webhook"
"""In the session from adding a webhook until the page has shown its secret."""

OUTCOMES: dict[str, Promise] = {
    Outcome.TAKEN: _("The test was taken."),
    Outcome.GONE: _("The address says that it is gone for good. The webhook is switched off."),
    Outcome.LATER: _("The test was not taken."),
    Outcome.REFUSED: _("The test was refused."),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest) -> HttpResponse:
    """The page; a post adds a webhook. Raises Http404 for a post of who has no account, TooMany, TooManyWebhooks,
    KnownWebhook."""
    if request.method != "POST":
        return _page(request, WebhookForm())
    user = access.account_of(request.user)
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    limits.spend("webhook", user.pk)
    added = service.add(user, **form.cleaned_data)
    request.session[FRESH] = added.pk
    return redirect("webhooks")


def _page(request: HttpRequest, form: WebhookForm) -> HttpResponse:
    user = request.user
    found = [] if isinstance(user, AnonymousUser) else list(user.webhooks.order_by("pk"))
    fresh = request.session.pop(FRESH, None) if request.method == "GET" else None
    context: dict[str, Any] = {
        "form": form,
        "webhooks": [
            {"row": one, "trouble": trouble(one.error), "why": WHY.get(one.off_why, ""), "fresh": one.pk == fresh}
            for one in found
        ],
        "room": len(found) < service.MOST,
        "most": service.MOST,
        "json": Webhook.Kind.JSON,
        "note": notes.take(request),
    }
    return render(request, "games/webhooks.html", context, status=422 if form.is_bound else 200)


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Forgets a webhook."""
    service.remove(access.webhook_of(request.user, pk))
    return redirect("webhooks")


@require_POST
def switch(request: HttpRequest, pk: int, on: bool) -> HttpResponse:
    """Switches a webhook on or off."""
    (service.switch_on if on else service.switch_off)(access.webhook_of(request.user, pk))
    return redirect("webhooks")


@require_POST
def test(request: HttpRequest, pk: int) -> HttpResponse:
    """Posts to one webhook at once; the page then says what came of it."""
    user, webhook = access.account_of(request.user), access.webhook_of(request.user, pk)
    limits.spend("webhook_test", user.pk)
    (outcome,) = delivery.post([webhook], delivery.trial(user))
    notes.leave(request, OUTCOMES[outcome], good=outcome == Outcome.TAKEN)
    return redirect("webhooks")


def trouble(error: str) -> str:
    """What went wrong last at an address, in words; "" for nothing."""
    if error == "inside":
        return gettext("its address does not lead to the public internet")
    if error == "no_answer":
        return gettext("nobody answered within 3 seconds")
    if error.startswith("3"):
        return gettext("it answered %(status)s, and we follow no redirections") % {"status": error}
    return gettext("it answered %(status)s") % {"status": error} if error else ""
