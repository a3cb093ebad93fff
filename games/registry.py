"""The titles of this site: those found on ``settings.GAME_PATHS``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

from games import titles
from games.titles import Title


@cache
def all_titles() -> dict[str, Title]:
    """Every title by its slug."""
    return titles.find(Path(path) for path in settings.GAME_PATHS)


def title(slug: str) -> Title:
    """One title. Raises KeyError for a slug no game has."""
    return all_titles()[slug]
