"""Time zones: which there are, and how a moment is told in one."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

UTC = "UTC"

NO_PLACES = frozenset({"Factory", "localtime"})
"""Entries of the machine's list that say nothing about a person's zone."""

Choices = list[tuple[str | Promise, list[tuple[str, str]]]]


@cache
def known() -> frozenset[str]:
    """The names of all zones; read from the machine's list once, which takes a moment."""
    return frozenset(available_timezones()) - NO_PLACES


def find(name: str) -> ZoneInfo | None:
    """The zone of this name; None for "" and for a name that this machine does not know, or not any more."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


@cache
def by_region() -> Choices:
    """The zones for a select: groups by region, in each the places by name, so that typing a town finds it."""
    groups = defaultdict(list)
    for name in known():
        region, _slash, place = name.partition("/")
        groups[region if place else ""].append((name, _label(place or name)))
    others = sorted(groups.pop("", []))
    regions: Choices = [(region, sorted(groups[region], key=lambda choice: choice[1])) for region in sorted(groups)]
    return [*regions, (_("Other"), others)]


def _label(place: str) -> str:
    """The town first: "Buenos Aires (Argentina)"."""
    around, _slash, town = place.replace("_", " ").rpartition("/")
    return f"{town} ({around})" if around else town


def abbreviation(moment: datetime) -> str:
    """How the zone of an aware moment is called there and then: "CET"; "UTC+05:45" where there is no name."""
    name = moment.tzname() or ""
    if name.isalpha():
        return name
    offset = moment.strftime("%z")
    return f"{UTC}{offset[:3]}:{offset[3:5]}"
