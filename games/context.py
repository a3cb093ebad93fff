"""What every page knows."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import lists
from games.now import now
from games.services import notices


def turns(request: HttpRequest) -> dict[str, Any]:
    """``my_turns``, how many matches wait for the visitor, ``my_notices``, which the bell counts, and ``now``.

    Each is asked for when a template needs it.
    """
    user = getattr(request, "user", None)
    known: dict[str, Any] = {"my_turns": 0, "my_notices": 0, "now": cache(now)}  # a template calls it where it stands
    if user is not None and user.is_authenticated:
        known["my_turns"] = SimpleLazyObject(lambda: lists.my_turns(user).order_by().count())
        known["my_notices"] = SimpleLazyObject(lambda: notices.unseen(user).count())
    return known
