"""Limits against floods: fixed windows counted in the cache, per user or per address."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

from games.services.errors import TooMany

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Left:
    """How things stand with a limit: ``number`` in ``seconds`` are allowed, ``left`` are left until ``opens``."""

    what: str
    number: int
    seconds: int
    left: int
    opens: int  # seconds until the window ends


def spend(what: str, who: object) -> Left | None:
    """Counts one ``what`` by ``who``; what is left, or None if that cannot be known.

    Raises TooMany beyond ``settings.LIMITS[what]`` = (number, seconds).
    """
    number, seconds = settings.LIMITS[what]
    window, elapsed = divmod(int(time.time()), seconds)
    key = f"limit:{what}:{who}:{window}"
    try:
        cache.add(key, 0, timeout=seconds)
        spent = cache.incr(key)
    except ValueError:  # the window ended between the two calls
        return None
    except Exception:  # whatever the cache's client raises when it is away: matches go on without limits
        log.warning("limit %r is not counted", what, exc_info=True)
        return None
    if spent > number:
        raise TooMany(wait=seconds - elapsed)
    return Left(what, number, seconds, number - spent, seconds - elapsed)
