"""One sentence for the next page, in the session: that something was done, or why it was not."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import Promise

KEY = "note"


@dataclass(frozen=True)
class Note:
    """A sentence, and whether it tells that something was done (``good``) or why it was not."""

    sentence: str
    good: bool


def leave(request: HttpRequest, sentence: str | Promise, *, good: bool = True) -> None:
    """Leaves the sentence for the next page that shows notes; a later one takes its place."""
    request.session[KEY] = [str(sentence), good]


def waits(request: HttpRequest) -> bool:
    """Whether a sentence waits for the next page."""
    return KEY in request.session


def take(request: HttpRequest) -> Note | None:
    """What was left, once; None if there is nothing."""
    left = request.session.pop(KEY) if waits(request) else None
    # A list since there are two kinds; sessions keep plain texts from before for a while.
    return Note(*left) if isinstance(left, list) else Note(left, good=True) if left else None
