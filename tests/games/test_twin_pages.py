"""Twin worlds, by the pages: what a visitor gets does not depend on anything the visitor may not know.

The state loader answers with an imagined state that the visitor cannot tell
from the true one; then every byte of every page must be the same.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from games import states
from games.chance import seeded
from games.models import Match, Move
from tests.client import Client
from tests.conftest import play_out, seated

PAGES = ("", "log/", "version.json", "resign/")
LISTS = ("/", "/turns/", "/history/", "/rules/red/")
MASKS = (
    (re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"'), b"csrf"),
    (re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), b"key"),
)


def fetched(client: Client, url: str) -> tuple[int, bytes, dict[str, str]]:
    """What a page answers, without what differs with every request."""
    response = client.get(url)
    body = response.content
    for mask, stands in MASKS:
        body = mask.sub(stands, body)
    headers = {name: value for name, value in response.items() if name not in ("Set-Cookie", "Expires")}
    return response.status_code, body, headers


def plans(client: Client, url: str) -> list[str]:
    """The addresses of a few plans on offer: previews are doors too."""
    html = client.get(url).content.decode()
    found = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]*[?&]v=[^"]*)"', html)]
    return [link if link.startswith("/") else url + link for link in found][:8]


def exchanged(news: list[dict[str, Any]], viewer: int | None) -> list[dict[str, Any]]:
    """The news with every card exchanged that the viewer may not know: the log is a door of its own."""
    return [
        value | {"card": "V7" if value["card"] == "R1" else "R1"} if viewer not in value.get("to", [viewer]) else value
        for value in news
    ]


def _first_difference(url: str, one: tuple[int, bytes, object], other: tuple[int, bytes, object]) -> str:
    """Where two answers part, for who reads the failure."""
    for mine, theirs in zip(one[1].splitlines(), other[1].splitlines(), strict=False):
        if mine != theirs:
            return f"{url}: {mine!r} instead of {theirs!r}"
    return f"{url}: {one[0]} {one[2]} instead of {other[0]} {other[2]}"


@pytest.mark.parametrize("options", [{"game": "basic"}, {"game": "advanced", "icons": True}])
def test_no_byte_differs(clock, alice, bob, charlie, thorough, monkeypatch, options):
    chooser = random.Random(3)
    match = play_out(seated(alice, bob, bots=1, days=2, options=options), 5)
    versions = range(1, match.version)
    true_load = states.load
    viewers = [(alice, match.seats.get(user=alice).number), (bob, match.seats.get(user=bob).number), (charlie, None)]
    sample = sorted(chooser.sample(list(versions), min(len(versions), 60 if thorough else 20)), reverse=True)
    Match.objects.filter(pk=match.pk).update(status="playing", finished_at=None)
    match.seats.update(place=None, finished_at=None)
    compared = 0
    for version in sample:
        # The match as it was at that version.
        match.moves.filter(number__gt=version).delete()
        head = match.moves.get(number=version)
        active = match.rules.active_seat(true_load(match, list(match.seats.all()), version))
        Match.objects.filter(pk=match.pk).update(version=version, active_seat=active, digest=head.digest)
        for user, viewer in viewers:
            client = Client()
            client.force_login(user)
            urls = [match.get_absolute_url() + page for page in (*PAGES, f"at/{version}/", "at/1/")]
            urls += LISTS
            urls += plans(client, match.get_absolute_url())
            truth = [fetched(client, url) for url in urls]

            def twin(found, seats, wanted=None, viewer=viewer, version=version):
                true = true_load(found, seats, wanted)
                return found.rules.imagine(found.rules.observe(true, viewer), seeded(version))

            monkeypatch.setattr(states, "load", twin)
            true_moves = list(match.moves.all())
            other_news = [Move(pk=row.pk, news=exchanged(row.news, viewer)) for row in true_moves]
            Move.objects.bulk_update(other_news, ["news"])
            for url, true_page in zip(urls, truth, strict=True):
                imagined = fetched(client, url)
                assert imagined == true_page, _first_difference(url, imagined, true_page)
            monkeypatch.setattr(states, "load", true_load)
            Move.objects.bulk_update(true_moves, ["news"])
            compared += len(urls)
    assert compared >= len(sample) * 3 * 4


def test_the_mask_hides_only_what_is_random():
    body = b'<input name="csrfmiddlewaretoken" value="abc"> R7 12345678-1234-4234-8234-123456789abc'
    for mask, stands in MASKS:
        body = mask.sub(stands, body)
    assert body == b"<input csrf> R7 key"
