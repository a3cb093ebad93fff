"""Times in the reader's zone, in both halves of the year, without JavaScript."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.utils import timezone

from accounts import zones

WINTER = datetime(2026, 12, 2, 23, 30, tzinfo=UTC)
SUMMER = datetime(2026, 7, 2, 23, 30, tzinfo=UTC)


def shown(source: str, zone: str, **context: object) -> str:
    """A tag as the page has it for a reader in that zone."""
    with timezone.override(zones.find(zone)):
        return Template("{% load games_tags %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("zone", "moment", "said"),
    [
        ("Europe/Prague", WINTER, "Thu 3 Dec 00:30 CET"),
        ("Europe/Prague", SUMMER, "Fri 3 Jul 01:30 CEST"),
        ("America/New_York", WINTER, "Wed 2 Dec 18:30 EST"),
        ("America/New_York", SUMMER, "Thu 2 Jul 19:30 EDT"),
        ("Asia/Kathmandu", WINTER, "Thu 3 Dec 05:15 UTC+05:45"),
        ("Asia/Kathmandu", SUMMER, "Fri 3 Jul 05:15 UTC+05:45"),
        ("America/St_Johns", WINTER, "Wed 2 Dec 20:00 NST"),
        ("Pacific/Marquesas", WINTER, "Wed 2 Dec 14:00 UTC-09:30"),
        ("UTC", SUMMER, "Thu 2 Jul 23:30 UTC"),
    ],
)
def test_a_deadline_is_told_in_the_zone_with_its_abbreviation(zone, moment, said):
    page = shown("{% due moment %}", zone, moment=moment)
    assert f">{said}<" in page
    assert f'datetime="{moment:%FT%TZ}"' in page


def test_an_hour_that_comes_twice_is_told_apart():
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    told = [shown("{% due moment %}", "Europe/Prague", moment=first + timedelta(hours=hour)) for hour in (0, 1)]
    assert "Sun 25 Oct 02:30 CEST" in told[0]
    assert "Sun 25 Oct 02:30 CET" in told[1]


@pytest.mark.parametrize(
    ("zone", "said"),
    [("Europe/Prague", "00:30"), ("UTC", "Wed 23:30"), ("Asia/Kathmandu", "05:15"), ("America/New_York", "18:30")],
)
def test_today_is_the_day_of_the_reader(zone, said):
    page = shown("{% when moment now %}", zone, moment=WINTER, now=WINTER + timedelta(hours=1))
    assert f">{said}<" in page


def test_the_title_of_a_past_time_is_whole():
    page = shown("{% when moment now %}", "Asia/Kathmandu", moment=WINTER, now=WINTER)
    assert 'title="2026-12-03 05:15 UTC+05:45"' in page


@pytest.mark.parametrize("name", ["", "Europe/Atlantis", "../etc/passwd", "/etc/passwd", "Europe", "x" * 40, "a\0b"])
def test_what_is_no_zone_is_none(name):
    assert zones.find(name) is None
    assert name not in zones.known()


def test_every_zone_is_offered_once_and_found_by_its_town():
    offered = [choice for _region, places in zones.by_region() for choice in places]
    assert sorted(name for name, _label in offered) == sorted(zones.known())
    assert ("Europe/Prague", "Prague") in offered
    assert ("America/Argentina/Buenos_Aires", "Buenos Aires (Argentina)") in offered
    assert all(zones.find(name) for name in zones.known())
