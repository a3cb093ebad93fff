"""One sentence for the next page, in the session: that something was done, or why it was not."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import Promise

KEY = "note"


def leave(request: HttpRequest, sentence: str | Promise) -> None:
    """Leaves the sentence for the next page that shows notes; a later one takes its place."""
    request.session[KEY] = str(sentence)


def take(request: HttpRequest) -> str:
    """The sentence that was left, once; empty if there is none."""
    return str(request.session.pop(KEY, "")) if KEY in request.session else ""
