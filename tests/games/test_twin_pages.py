"""Twin worlds, by the pages: what a visitor gets does not depend on anything the visitor may not know.

The state loader answers with an imagined state that the visitor cannot tell
from the true one; then every byte of every page must be the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

import pytest
from django.http import HttpResponse

from games import states
from games.models import Match, Move, Notice
from games.services import leaving, lobby, notices, substitutes
from tests.api import twins as api
from tests.client import Client
from tests.conftest import play_out, seated
from tests.twins import twin_world

pytestmark = pytest.mark.any_database

PAGES = ("", "log/", "version.json", "record.json", "resign/")
LISTS = ("/", "/turns/", "/history/", "/lobby/", "/watch/", "/notices/", "/notices/deliveries/")
TABLES = (
    ("red", {"game": "basic"}),
    ("red", {"game": "advanced", "icons": True}),
    ("barvosauri", {}),
    ("power_cards", {}),
)
SECRET = "zz_secret"
"""Stands for what somebody may not know."""

MASKS = (
    (re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"'), b"csrf"),
    (re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), b"key"),
)


def fetched(client: Client, url: str) -> tuple[int, bytes, dict[str, str]]:
    """What a page answers, without what differs with every request."""
    return without_chance(client.get(url))


def refused(client: Client, url: str, body: dict[str, str]) -> tuple[int, bytes, dict[str, str]]:
    """What a post answers that must be refused, without what differs with every request."""
    response = client.post(url, body)
    assert response.status_code in (404, 409, 422)
    return without_chance(response)


def without_chance(response: HttpResponse) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of an answer, without what differs with every request."""
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


def bad_posts(client: Client, match: Match) -> list[dict[str, str]]:
    """Posts that are refused: nonsense, an old version, and steps on offer with more behind them."""
    offered = re.findall(r"[?&]plan=([^&\"#]*)", " ".join(plans(client, match.get_absolute_url())))
    texts = ["zz", *(f"{unquote(text)}; zz" for text in offered[:4])]
    posts = [{"steps": text, "version": str(match.version), "key": str(uuid4())} for text in texts]
    return [*posts, {"steps": "zz", "version": "1", "key": str(uuid4())}]


def exchanged(news: list[dict[str, Any]], viewer: int | None) -> list[dict[str, Any]]:
    """The news with everything exchanged that the viewer may not know: the log is a door of its own."""
    return [
        {name: part if name in ("to", "public") else SECRET for name, part in value.items()}
        if viewer not in value.get("to", [viewer])
        else value
        for value in news
    ]


def _first_difference(url: str, one: tuple[int, bytes, object], other: tuple[int, bytes, object]) -> str:
    """Where two answers part, for who reads the failure."""
    for mine, theirs in zip(one[1].splitlines(), other[1].splitlines(), strict=False):
        if mine != theirs:
            return f"{url}: {mine!r} instead of {theirs!r}"
    return f"{url}: {one[0]} {one[2]} instead of {other[0]} {other[2]}"


def compare(match: Match, user: Any, viewer: int | None, pages: Sequence[str]) -> int:
    """Compares what a user's pages answer with what they answer in a twin world; the number of answers.

    ``viewer`` is the seat whose secrets the user may know.
    """
    client = Client()
    client.force_login(user)
    # As if each row were one that all are told of; then looked at once, so that none is new to one world only.
    rows = range(max(1, match.version - 4), match.version + 1)
    notices.store([notices.tell(user.pk, Notice.Kind.TABLE, f"table:{row}", match, version=row) for row in rows])
    client.get("/notices/")
    urls = [*(match.get_absolute_url() + page for page in pages), f"/rules/{match.game}/", *LISTS]
    urls += plans(client, match.get_absolute_url())
    doors: list[partial[Any]] = [partial(fetched, client, url) for url in urls]
    doors += [partial(refused, client, match.get_absolute_url(), body) for body in bad_posts(client, match)]
    doors += api.doors(client, match)
    truth = [door() for door in doors]

    true_moves = list(match.moves.all())
    other_news = [Move(pk=row.pk, news=exchanged(row.news, viewer)) for row in true_moves]
    with twin_world(viewer, match.version):
        Move.objects.bulk_update(other_news, ["news"])
        for door, true_page in zip(doors, truth, strict=True):
            imagined = door()
            assert imagined == true_page, _first_difference(str(door.args[1:]), imagined, true_page)
    Move.objects.bulk_update(true_moves, ["news"])
    return len(doors)


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize(("game", "options"), TABLES)
def test_seats_that_change_hands_give_nothing_away(clock, alice, bob, charlie, game, options):
    match = seated(alice, bob, game=game, options=options, leave_policy="substitute")
    match = play_out(match, 5, rows=4)
    number = match.seats.get(user=alice).number
    pages = (*PAGES, f"at/{match.version}/", "at/2/", f"take/{number}/")
    leaving.resign(match.pk, number, version=match.version)
    match.refresh_from_db()
    for user in (alice, charlie):  # who left knows no more than who never sat there
        assert compare(match, user, None, pages)
    assert compare(match, bob, 1 - number, pages)
    substitutes.take_over(match.pk, number, charlie)
    match.refresh_from_db()
    for user, viewer in ((alice, None), (bob, 1 - number), (charlie, number)):
        assert compare(match, user, viewer, pages)


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize(("game", "options"), TABLES)
def test_o14_o15_o19_no_byte_differs(clock, alice, bob, charlie, thorough, game, options):
    chooser = random.Random(3)
    match = play_out(seated(alice, bob, bots=1, game=game, days=2, options=options), 5, rows=200)
    # Invitations on the lists of each, and a match in the lobby.
    lobby.create(charlie, lobby.Proposal("red", 4, 0, listed=True), [alice, bob])
    lobby.create(alice, lobby.Proposal(game, 3, 0, options=options), [charlie])
    versions = range(1, match.version)
    viewers = [(alice, match.seats.get(user=alice).number), (bob, match.seats.get(user=bob).number), (charlie, None)]
    sample = sorted(chooser.sample(list(versions), min(len(versions), 60 if thorough else 6)), reverse=True)
    Match.objects.filter(pk=match.pk).update(status="playing", finished_at=None)
    match.seats.update(place=None, finished_at=None)
    compared = 0
    for version in sample:
        # The match as it was at that version.
        match.moves.filter(number__gt=version).delete()
        head = match.moves.get(number=version)
        active = match.rules.active_seat(states.load(match, list(match.seats.all()), version))
        Match.objects.filter(pk=match.pk).update(version=version, active_seat=active, digest=head.digest)
        match.refresh_from_db()
        for user, viewer in viewers:
            pages = (*PAGES, f"at/{version}/", "at/1/", f"at/{(version + 1) // 2}/")
            compared += compare(match, user, viewer, pages)
    assert compared >= len(sample) * 3 * 4


def test_the_mask_hides_only_what_is_random():
    body = b'<input name="csrfmiddlewaretoken" value="abc"> R7 12345678-1234-4234-8234-123456789abc'
    for mask, stands in MASKS:
        body = mask.sub(stands, body)
    assert body == b"<input csrf> R7 key"
