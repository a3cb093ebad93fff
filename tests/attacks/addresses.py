"""Every address of the site, filled in for one match and its people: what is added later is attacked by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLResolver, get_resolver

PART = re.compile(r"<(?:\w+:)?(\w+)>")

SAMPLES: dict[str, Any] = {
    "family": "red", "game": "red", "kind": "pause", "name": "alice", "number": 0, "other": "bob", "pk": 1,
    "token": "x" * 43, "version": 1,
}  # fmt: skip


def addresses(**known: Any) -> list[str]:
    """The addresses; ``known`` are parts of them by name, as ``slug``."""
    parts = SAMPLES | known
    return [PART.sub(lambda found: str(parts[found[1]]), route) for route in _routes(get_resolver(), "/")]


def _routes(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, route)
        else:
            yield route
