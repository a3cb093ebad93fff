"""What every request passes: the reader's own zone and language, where they are set."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

Answer = Callable[[HttpRequest], HttpResponse]


class Preferences:
    """Answers in the zone and the language that the user has set; without one the browser's language stays.

    A zone or a language that was set once and is not known any more is passed over.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer; what was active before is active again afterwards, whatever the view did."""
        user = request.user
        if not user.is_authenticated:
            return self.get_response(request)
        with ExitStack() as active:
            if zone := user.zone_info:
                active.enter_context(timezone.override(zone))
            if not (user.language and user.language in dict(settings.LANGUAGES)):
                return self.get_response(request)
            active.enter_context(translation.override(user.language))
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", user.language)
            return response
