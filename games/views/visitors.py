"""Who plays: a user of this browser, made on the spot if need be, and what this browser adds to the draws."""

from __future__ import annotations

import re

from django.http import HttpRequest

from accounts import visitors
from accounts.models import User
from games.services import limits
from games.services.errors import BadRequest

BYTES = re.compile(r"[0-9a-f]{32}")


def user_or_guest(request: HttpRequest) -> User:
    """The user of this browser; a new guest, logged in, if there was none. Raises TooMany for a flood of guests."""
    if request.user.is_authenticated:
        return request.user
    limits.spend("guest", visitors.house(request))
    return visitors.new_guest(request)


def entropy_of(request: HttpRequest) -> bytes | None:
    """The bytes that the browser adds to the draws of the seat it takes; None if it drew none, as without script.

    Raises BadRequest for what no script of ours sends.
    """
    text = request.POST.get("entropy", "")
    if text and not BYTES.fullmatch(text):
        raise BadRequest
    return bytes.fromhex(text) if text else None
