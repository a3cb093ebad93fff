"""Faults of lists reported on comparable sites, each by the number it has in our collection: what ours does instead."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from games import histories, lists
from games.models import Match, Seat
from tests.client import Client, client_of
from tests.conftest import move, play_out, post_body, seated, steps_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

MANY = 1000
T = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture
def many(alice, bob, charlie):
    """1,000 finished matches of alice with 5 distinct moments, in no order of their ids."""
    moments = [T + timedelta(days=number * 7 % 5) for number in range(MANY)]
    made = Match.objects.bulk_create(
        Match(
            slug=f"m{number}x", game="red", rules_version=1, seat_count=2, leave_policy="bot", seed=b"", commitment="",
            status="finished", created_at=T, finished_at=moment,
        )
        for number, moment in enumerate(moments)
    )  # fmt: skip
    Seat.objects.bulk_create(
        Seat(match=match, number=n, joined=n, user=user, entropy=b"", place=n + 1, finished_at=match.finished_at)
        for match in made
        for n, user in enumerate([alice, (bob, charlie)[match.pk % 2]])
    )
    return {match.slug for match in made}


class Playing:
    """Two who go on playing, while others page through lists: a move with each call, and new matches end."""

    def __init__(self, *users):
        self.users, self.ended, self.number = users, 0, 0
        self.clients = {user.pk: client_of(user) for user in users}
        self.match = seated(*users)

    def move(self):
        """One move, sent as a form."""
        self.number += 1
        if self.match.status != "playing":
            self.ended += 1
            self.match = seated(*self.users)
        mover = self.match.seats.get(number=self.match.active_seat).user_id
        body = post_body(self.match, steps_for(self.match, self.number), uuid4())
        assert self.clients[mover].post(self.match.get_absolute_url(), body).status_code == 302
        self.match.refresh_from_db()


@pytest.mark.parametrize(
    ("url", "size"),
    [
        *(("/history/", size) for size in (7, 20, 50)),
        ("/player/alice/history/", 50),
        ("/history/?opponent=charlie", 50),
    ],
)
def test_o35_pages_of_a_list_with_ties_show_each_match_once(alice, bob, many, monkeypatch, size, url):
    monkeypatch.setattr(lists, "PAGE", size)
    client = client_of(alice) if url.startswith("/history/") else Client()
    others, found, address = Playing(alice, bob), [], url
    while address:
        text = client.get(address).content.decode()
        page = re.findall(r'class="main-link" href="/match/(\w+)/"', text)
        assert page
        assert len(page) <= size
        found += page
        more = re.search(r'href="([^"]+)" rel="next"', text)
        address = more[1].replace("&amp;", "&") if more else ""
        others.move()
    assert len(found) == len(set(found))
    with_charlie = set(Match.objects.filter(seats__user__username="charlie").values_list("slug", flat=True))
    wanted = with_charlie if "opponent" in url else many
    assert set(found) - {others.match.slug} >= wanted
    assert len(wanted) <= len(found) <= len(wanted) + others.ended + 1
    order = [(match.finished_at, match.pk) for match in Match.objects.filter(slug__in=found)]
    by_slug = {match.slug: (match.finished_at, match.pk) for match in Match.objects.filter(slug__in=found)}
    assert [by_slug[slug] for slug in found] == sorted(order, reverse=True)


def test_o35_a_file_has_each_match_once_while_others_end(alice, bob, many, monkeypatch):
    monkeypatch.setattr(histories, "CHUNK", 7)
    found = []
    for number, entry in enumerate(histories.all_entries(alice, histories.Wanted())):
        found.append(entry.match.slug)
        if number % 200 == 0:
            play_out(seated(alice, bob), number)
            move(seated(alice, bob))
    assert len(found) == len(set(found))
    assert set(found) >= many
