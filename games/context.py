"""What every page knows."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import lists
from games.now import now


def turns(request: HttpRequest) -> dict[str, Any]:
    """``my_turns``, how many matches wait for the visitor, and ``now``; each asked for when a template needs it."""
    user = getattr(request, "user", None)
    known: dict[str, Any] = {"my_turns": 0, "now": cache(now)}  # a template calls it where it stands
    if user is not None and user.is_authenticated:
        known["my_turns"] = SimpleLazyObject(lambda: lists.my_turns(user).order_by().count())
    return known
