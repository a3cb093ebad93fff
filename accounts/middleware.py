"""What every request passes: the reader's own zone and language, and when each session was last used."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts import visitors
from accounts.models import User

Answer = Callable[[HttpRequest], HttpResponse]

SEEN, SEEN_EVERY = "seen", 3600
"""Where a session keeps the time, and how exactly in seconds: a write with every page would cost more than it tells."""


@contextmanager
def preferred(user: User) -> Iterator[str]:
    """Zone and language are the user's as long as it lasts; gives the language, "" for none that is known here."""
    with ExitStack() as active:
        if zone := user.zone_info:
            active.enter_context(timezone.override(zone))
        language = user.language if user.language in dict(settings.LANGUAGES) else ""
        if language:
            active.enter_context(translation.override(language))
        yield language


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
        with preferred(user) as language:
            response = self.get_response(request)
            if language:
                response.headers.setdefault("Content-Language", language)
            return response


class LastSeen:
    """Notes in the list of sessions when each was used, which also makes the session last from now on."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer of the view. After a fault nothing is noted: a session is not stored then."""
        response = self.get_response(request)
        user = request.user
        if response.status_code < 500 and user.is_authenticated and not user.is_guest:
            self._note(request)
        return response

    def _note(self, request: HttpRequest) -> None:
        if time.time() - request.session.get(SEEN, 0) > SEEN_EVERY:
            request.session[SEEN] = int(time.time())
            UserSession.objects.filter(session_key=request.session.session_key).update(
                last_seen_at=timezone.now(), ip=visitors.address(request)
            )
