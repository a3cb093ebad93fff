"""Who plays: a user of this browser, made on the spot if need be."""

from __future__ import annotations

from django.http import HttpRequest

from accounts import visitors
from accounts.models import User
from games.services import limits


def user_or_guest(request: HttpRequest) -> User:
    """The user of this browser; a new guest, logged in, if there was none. Raises TooMany for a flood of guests."""
    if request.user.is_authenticated:
        return request.user
    limits.spend("guest", visitors.house(request))
    return visitors.new_guest(request)
