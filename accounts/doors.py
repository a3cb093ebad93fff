"""What stands before every view of allauth: guests are nobody there, limits must work, answers have their status."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from accounts import mail, visitors

View = Callable[..., Any]

METHODS = ("GET", "HEAD", "POST")

LATER = "600"
"""Seconds after which something that is out of order may be tried again."""

OFTEN = "3600"
"""Seconds after which every limit is open again."""

NO_LIMITS = _("Accounts are out of order for a moment. Matches go on; please try again in some minutes.")
NO_MAIL = _("We could not send you the mail. Please try again in some minutes.")
NOTHING_TO_ASK = _("This asks for a password or a code by mail again, and your account has neither.")


def door(*, hide: bool = True, fresh: bool = False, counts: bool = False) -> Callable[[View], View]:
    """A decorator for views of accounts.

    With ``hide`` a guest is nobody for the view; ``request.guest`` tells who it
    was. With ``fresh`` a person must have given the password or a code a
    moment ago. With ``counts`` limits must work for reading, too. When the
    cache is away, nobody can be counted: then nothing is done.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            method = request.method
            if method not in METHODS:
                return HttpResponseNotAllowed(METHODS)
            if (counts or method == "POST") and not _limits_work():
                return out_of_order(request, NO_LIMITS)
            if method == "HEAD":
                request.method = "GET"  # allauth takes every other for a form that was sent
            guest, was_person = visitors.guest_of(request), request.user.is_authenticated
            request.guest = guest  # type: ignore[attr-defined]
            if guest is not None and hide:
                request.user = AnonymousUser()
            try:
                if fresh and request.user.is_authenticated:
                    _ask_again(request)
                response: HttpResponse = view(request, *args, **kwargs)
            except ReauthenticationRequired:
                response = _to_reauthenticate(request)
            except mail.NotSent:
                response = out_of_order(request, NO_MAIL)
            finally:
                request.method = method
                if guest is not None and not request.user.is_authenticated:
                    request.user = guest
            if response.status_code == 200 and method == "POST":
                response.status_code = _status(response)
            add_never_cache_headers(response)
            if was_person and not request.user.is_authenticated:
                response["Clear-Site-Data"] = '"cache"'  # whoever sits there next turns no page back
            return response

        return guarded

    return decorate


def out_of_order(request: HttpRequest, sentence: Any) -> HttpResponse:
    """503, with the reason."""
    response = render(request, "account/message.html", {"sentence": sentence}, status=503)
    response["Retry-After"] = LATER
    return response


def too_many(request: HttpRequest) -> HttpResponse:
    """429, for limits that allauth counts."""
    response = render(request, "account/message.html", {"sentence": get_adapter().error_messages["rate_limited"]})
    response.status_code = 429
    response["Retry-After"] = OFTEN
    return response


def _limits_work() -> bool:
    try:
        cache.get("limits")
    except Exception:  # whatever the cache's client raises when it is away
        return False
    return True


def _ask_again(request: HttpRequest) -> None:
    if is_reauthentication_required(request, app="allauth.account"):
        raise ReauthenticationRequired


def _to_reauthenticate(request: HttpRequest) -> HttpResponse:
    """Asks for the password or a code, and leads back here. What was posted is not kept: it may be a password."""
    methods = get_adapter().get_reauthentication_methods(request.user)
    if not methods:  # to log in again would lead back here, for ever
        return render(request, "account/message.html", {"sentence": NOTHING_TO_ASK}, status=403)
    return redirect(f"{methods[0]['url']}?{urlencode({'next': request.path})}")


def _status(response: HttpResponse) -> int:
    """422 for a form that comes back with its faults, 429 if the fault is that it came too often."""
    form = (getattr(response, "context_data", None) or {}).get("form")
    if form is None or not form.errors:
        return 200
    codes = {error.code for errors in form.errors.as_data().values() for error in errors}
    return 429 if codes & {"too_many_login_attempts", "rate_limited"} else 422
