"""Forged ways in: forms from elsewhere, frames, other hosts, links that were meant for somebody else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Match
from games.services import lobby
from tests.accounts.people import account
from tests.attacks.addresses import addresses
from tests.client import Client, client_of
from tests.conftest import post_body, seated, steps_for

pytestmark = pytest.mark.django_db

OPEN_TO_PROGRAMS = ("/hooks/", "/unsubscribe/", "/api/v1/events")
"""Where no form of ours is posted: what comes there is signed, or written in its address."""

WRITES = re.compile(r"(INSERT|UPDATE|DELETE).*(games_|accounts_)", re.DOTALL)


@pytest.mark.usefixtures("unlimited")
def test_no_address_takes_what_another_site_makes_a_browser_post(alice, bob):
    match = seated(alice, bob)
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    client.get(match.get_absolute_url())  # has the cookie of forms, as every browser that was here
    body, kind = post_body(match, steps_for(match)), "application/json"
    for path in addresses(slug=match.slug, number=1):
        if path.startswith(OPEN_TO_PROGRAMS):
            continue
        methods = ("post", "put", "patch", "delete") if path.startswith("/api/") else ("post",)
        for method in methods:
            sent: dict[str, Any] = {"data": "{}", "content_type": kind} if "/api/v1/" in path else {"data": body}
            with CaptureQueriesContext(connection) as found:
                answer = getattr(client, method)(path, **sent, headers={"Origin": "https://evil.example"})
            assert answer.status_code in (403, 405, 415), (method, path, answer.status_code)
            written = [query["sql"] for query in found if WRITES.match(query["sql"])]
            assert not written, (method, path, written)
    assert match.moves.count() == 1


@pytest.mark.parametrize("header", ["HTTP_HOST", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_X_HOST"])
def test_a_host_that_is_not_ours_is_in_no_page_and_no_mail(alice, header):
    account("ada")
    told = {header: "host=evil.example" if header == "HTTP_FORWARDED" else "evil.example"}
    client = Client(raise_request_exception=False)
    match = lobby.create(alice, lobby.Proposal("red", 2, 0))
    for path in ("/", match.get_absolute_url(), "/account/reset/", "/api/openapi.json"):
        answer = client.get(path, **told)
        assert answer.status_code == (400 if header == "HTTP_HOST" else 200), path
        assert b"evil.example" not in answer.content, path
    for path in ("/account/reset/", "/account/login/code/"):
        client.post(path, {"email": "ada@example.org"}, **told)
    assert len(mail.outbox) == (0 if header == "HTTP_HOST" else 2)
    assert not any("evil.example" in str(sent.message()) for sent in mail.outbox)


def test_looking_changes_nothing_anywhere_and_only_what_is_made_for_it_stands_in_frames(alice, bob):
    """What a page of another site can make a browser fetch, by a picture, a link or a frame, does nothing."""
    match = seated(alice, bob, bots=1)
    client, framed = client_of(alice), []
    paths = [path for path in addresses(slug=match.slug) if path != "/api/v1/events"]
    for path in paths:  # what is noted at a first visit is noted now
        answer = client.get(path)
        policy = answer.get("Content-Security-Policy", "")
        if answer.get("X-Frame-Options") != "DENY" or "frame-ancestors 'none'" not in policy:
            framed.append(path)
        assert "unsafe" not in policy, path
    assert framed == [f"/embed/match/{match.slug}/"]
    before = Match.objects.filter(pk=match.pk).values().get()
    for path in paths:
        with CaptureQueriesContext(connection) as found:
            client.get(path, {"steps": "PASS", "version": match.version, "everywhere": "1", "kind": "cancel"})
        written = [query["sql"] for query in found if WRITES.match(query["sql"])]
        assert not written, (path, written)
    assert Match.objects.filter(pk=match.pk).values().get() == before


def test_a_link_of_one_match_opens_no_other(alice, bob, charlie):
    one, other = (lobby.create(alice, lobby.Proposal("red", 2, 0)) for _each in range(2))
    token = one.invitations.get().token
    for forged in (token[:-1], token + "x", token.swapcase(), token[::-1], f"{token}%00", token.encode().hex()):
        assert client_of(bob).post(f"{one.get_absolute_url()}join/{forged}/").status_code in (400, 404, 410), forged
    assert client_of(bob).post(f"{other.get_absolute_url()}join/{token}/").status_code in (404, 410)
    assert client_of(bob).post(f"{one.get_absolute_url()}join/{token}/").status_code == 302
    late = client_of(charlie).post(f"{one.get_absolute_url()}join/{token}/")
    assert late.status_code in (404, 409, 410)
    assert [one.seats.count(), other.seats.count()] == [2, 1]
