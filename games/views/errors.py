"""Pages for what goes wrong."""

from __future__ import annotations

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader
from django.urls import Resolver404, resolve, reverse

BESIDE = ("agree", "decline_proposal", "withdraw_proposal", "resume", "give", "nudge")
"""Addresses that only take forms, of the page of a match."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return render(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: there is no such page, or it is not for this visitor; which of both is not told."""
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 while the database is away; must not need what may be broken, so it has no context."""
    response = HttpResponse(loader.get_template("errors/500.html").render(), status=500)
    if isinstance(sys.exception(), (OperationalError, InterfaceError)):
        response.status_code = 503
        response["Retry-After"] = "5"
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form that is too old, was sent twice, or is not from here; leads back to where it can be seen again."""
    try:
        found = resolve(request.path)
    except Resolver404:
        back = "/"
    else:
        lists = {"play_now": reverse("dashboard"), "again": reverse("dashboard")}
        back = lists.get(found.url_name or "", request.path)
        if found.url_name in BESIDE:
            back = reverse("match", args=[found.kwargs["slug"]])
    return render(request, "errors/csrf.html", {"back": back}, status=403)
