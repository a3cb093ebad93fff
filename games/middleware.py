"""What every request passes: input that no form of ours makes is refused, and refusals become pages."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from accounts import notes
from games import links
from games.services import people
from games.services.errors import Refused, TooMany

Answer = Callable[[HttpRequest], HttpResponse]

WRONG_METHOD = _("This address only takes forms. Go back to the page before and use its button.")

LOG_IN = _("The link of a mail lets you look and move. For everything else please log in.")

FORM = "application/x-www-form-urlencoded"

BY_ITSELF = ("/sw.js", "/manifest.webmanifest", "/favicon.ico")
"""What a browser fetches without anybody at it: its service worker it looks after also when a push arrives."""

FOR_NOBODY = ("/embed/", "/oembed")
"""What is made for other sites: whoever is logged in here is nobody there, so that no cookie is ever read."""

OTHER_BODIES = {
    "unsubscribe": (FORM, "multipart/form-data"),
    "hooks": ("application/json",),
    "api": ("application/json",),
    "import": ("multipart/form-data",),
}
"""What is posted elsewhere, by the first part of the address: providers of mail choose the form, a record is a file."""


class PlainInput:
    """Refuses what no page of ours sends: NUL bytes, text that is not UTF-8, other than plain forms, big bodies."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, or 400, 413 or 415 before any view has run."""
        if request.path.startswith(FOR_NOBODY):
            request.COOKIES = {}
        wrong = self._wrong(request)
        if wrong:
            return render(request, f"errors/{wrong}.html", status=wrong)
        return self.get_response(request)

    def _wrong(self, request: HttpRequest) -> int | None:
        query = request.META.get("QUERY_STRING", "")
        if "\0" in request.path or "%00" in query or "\ufffd" in request.path:
            return 400
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return None
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            return 400
        if length > settings.LONGER_BODIES.get(request.path, settings.DATA_UPLOAD_MAX_MEMORY_SIZE):
            return 413
        if length and request.content_type not in OTHER_BODIES.get(request.path.split("/")[1], (FORM,)):
            return 415
        try:
            values = [text for name, texts in request.POST.lists() for text in (name, *texts)]
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            return 413
        except (UnicodeError, BadRequest, MultiPartParserError):
            return 400
        return 400 if any("\0" in value or "\ufffd" in value for value in values) else None


class Refusals:
    """Turns what a service refuses into a page with its sentence and status, and notes who was here."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer of the view."""
        # An open page that asks for numbers by itself is nobody's visit, nor is a calendar that looks for what is new,
        # nor a program that reads.
        path = request.path
        asks = path.endswith((".json", ".atom")) or path.startswith("/feeds/") or path in BY_ITSELF
        asks = asks or (path.startswith("/api/v1/") and request.method in ("GET", "HEAD"))
        if request.user.is_authenticated and not asks and people.was_here(request.user):
            request.session.modified = True  # and the cookie lives on from now: who comes is never logged out by age
        response = self.get_response(request)
        if response.status_code == 405 and not response.content:
            allowed = response["Allow"]
            response = render(request, "games/message.html", {"sentence": WRONG_METHOD}, status=405)
            response["Allow"] = allowed
        if request.user.is_authenticated and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-cache"
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page for a refusal, the way to log in for what the link of a mail does not allow; else None."""
        if isinstance(error, Http404):
            return self._to_log_in(request)
        if not isinstance(error, Refused):
            return None
        if request.path.endswith(".json"):
            response: HttpResponse = JsonResponse({"error": error.code, "sentence": str(error.sentence)})
        else:
            response = render(request, "games/message.html", {"sentence": error.sentence})
        response.status_code = error.status
        if isinstance(error, TooMany):
            response["Retry-After"] = str(error.wait)
        return response

    def _to_log_in(self, request: HttpRequest) -> HttpResponse | None:
        """Leads who came in by the link of a mail, and is no person here, to where they can log in."""
        slug = request.resolver_match.kwargs.get("slug", "") if request.resolver_match else ""
        person = request.user.is_authenticated and not request.user.is_guest
        if person or request.path.endswith(".json") or slug not in request.session.get(links.KEY, {}):
            return None
        notes.leave(request, LOG_IN, good=False)
        back = reverse("match", args=[slug])
        return redirect(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': back})}")
