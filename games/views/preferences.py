"""A visitor's preferences, and the zone that a browser tells by itself."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.preferences import PreferencesForm
from games.services import preferences
from games.views.visitors import user_or_guest

SAVED = "preferences_saved"
"""In the session from the saving until the page has said so."""


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """The form of the preferences; saving makes a guest of a visitor who is nobody yet."""
    user = None if isinstance(request.user, AnonymousUser) else request.user
    form = PreferencesForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        preferences.save(user_or_guest(request), **form.cleaned_data)
        request.session[SAVED] = True
        return redirect("settings")
    saved = request.method == "GET" and request.session.pop(SAVED, False)
    return render(request, "games/settings.html", {"form": form, "saved": saved}, status=422 if form.is_bound else 200)


@require_POST
def zone(request: HttpRequest) -> HttpResponse:
    """Takes the browser's zone for a user who has none. Raises Http404 for a visitor who is nobody yet."""
    if isinstance(request.user, AnonymousUser):
        raise Http404
    preferences.take_zone(request.user, request.POST.get("zone", ""))
    return HttpResponse(status=204)
