"""What every page knows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import lists


def turns(request: HttpRequest) -> dict[str, Any]:
    """``my_turns``: how many matches wait for the visitor, counted when a template asks."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"my_turns": 0}
    return {"my_turns": SimpleLazyObject(lambda: lists.my_turns(user).order_by().count())}
