"""Flooding: other people with notices, the site with rows, sockets and requests that make work."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings as site

from config.asgi import application
from games.consumers import pages
from games.models import Consent, Invitation, Match, Notice, Seat, Webhook
from games.services import invitations, lobby, rematch
from tests.api.calling import Program
from tests.attacks.addresses import addresses
from tests.client import Client, client_of
from tests.conftest import seated
from tests.games.doors import FIELDS
from tests.games.leaving import fresh, gives_up

pytestmark = pytest.mark.django_db(transaction=True)

FREE = (10**9, 24 * 3600)
"""No limit."""


@pytest.mark.parametrize("door", ["page", "api"])
def test_rematches_are_counted_as_the_invitations_they_are(settings, alice, bob, door):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, FREE) | {"invite": (3, 24 * 3600)}
    over, client, program = gives_up(seated(alice, bob), bob), client_of(alice), Program(alice)
    answers = []
    for _each in range(5):
        if door == "page":
            answers.append(client.post(f"{over.get_absolute_url()}again/").status_code)
        else:
            answers.append(program.post(f"/matches/{over.slug}/again").status_code)
        for asked in Invitation.objects.filter(to=bob, answer="", revoked_at=None):
            invitations.decline(asked)
        for waiting in Match.objects.filter(status="open"):
            lobby.cancel(waiting.pk, alice)
    assert answers == [201 if door == "api" else 302] * 3 + [429] * 2
    assert Notice.objects.filter(user=bob, kind="invited").count() == 3


def test_who_takes_up_a_rematch_has_invited_nobody(settings, alice, bob):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, FREE) | {"invite": (1, 24 * 3600)}
    for _each in range(3):
        over = gives_up(seated(alice, bob), bob)
        begun = rematch.again(over, bob)
        answer = client_of(alice).post(f"{over.get_absolute_url()}again/")
        assert (answer.status_code, answer["Location"]) == (302, begun.get_absolute_url())


@pytest.mark.parametrize("door", ["page", "api"])
def test_a_proposal_is_not_made_and_taken_back_without_end(alice, bob, door):
    match, client, program = seated(alice, bob), client_of(alice), Program(alice)
    url, body = match.get_absolute_url(), {"kind": "pause", "version": match.version}
    answers = []
    for _each in range(8):
        if door == "page":
            answers.append(client.post(f"{url}propose/pause/", {"version": match.version}).status_code)
            client.post(f"{url}withdraw/pause/")
        else:
            answers.append(program.post(f"/matches/{match.slug}/propose", body).status_code)
            program.post(f"/matches/{match.slug}/withdraw", {"kind": "pause"})
    most = site.LIMITS["propose"][0]
    assert answers == [302 if door == "page" else 200] * most + [429] * (8 - most)
    assert Notice.objects.filter(user=bob, facts__proposed="pause").count() == most
    assert not Consent.objects.exists()
    assert (
        client_of(bob).post(f"{url}propose/pause/", {"version": match.version}).status_code == 302
    )  # each for oneself


@pytest.mark.parametrize("door", ["page", "api"])
def test_seats_are_not_taken_and_given_up_without_end(settings, alice, bob, door):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, FREE) | {"sit": (3, 3600)}
    match, client, program = lobby.create(alice, lobby.Proposal("red", 3, 0, listed=True)), client_of(bob), Program(bob)
    url, answers = match.get_absolute_url(), []
    for _each in range(5):
        if door == "page":
            answers.append(client.post(f"{url}sit/").status_code)
            client.post(f"{url}leave/")
        else:
            answers.append(program.post(f"/matches/{match.slug}/join").status_code)
            program.post(f"/matches/{match.slug}/leave")
    assert answers == [302 if door == "page" else 200] * 3 + [429] * 2
    assert fresh(match).gathered == 6
    join = f"{url}join/{match.invitations.get(to=None).token}/"
    assert client.post(join).status_code == 429
    assert Seat.objects.filter(match=match).count() == 1


@pytest.mark.parametrize("door", ["page", "api"])
def test_the_lobby_is_not_filled_by_trying_again_and_again(settings, alice, door):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, FREE) | {"listed": (3, 24 * 3600)}
    match = lobby.create(alice, lobby.Proposal("red", 2, 0, listed=True))
    client, program, answers = client_of(alice), Program(alice), []
    for _each in range(5):
        lobby.cancel(match.pk, alice)
        if door == "page":
            answers.append(client.post(f"{match.get_absolute_url()}again/").status_code)
        else:
            answers.append(program.post(f"/matches/{match.slug}/again").status_code)
        match = Match.objects.latest("pk")
        if match.status != "open":
            break
    assert answers == [302 if door == "page" else 201] * 3 + [429]


def test_names_are_not_tried_without_end(settings, alice, bob):
    settings.LIMITS = dict.fromkeys(settings.LIMITS, FREE) | {"ask": (4, 3600)}
    match = lobby.create(alice, lobby.Proposal("red", 2, 0))
    client, program = client_of(alice), Program(alice)
    new = FIELDS | {"invite": "bob nobody-1"}
    doors = (
        lambda: client.post(f"{match.get_absolute_url()}invite/", {"names": "bob nobody-1"}),
        lambda: program.post(f"/matches/{match.slug}/invitations", {"names": ["bob", "nobody-1"]}),
        lambda: client.post("/new/red/", new),
        lambda: program.post("/matches", {"game": "red", "seats": 2, "invite": ["bob", "nobody-1"]}),
    )
    told = [door() for door in doors]
    assert [b"nobody-1" in answer.content for answer in told] == [True] * 4
    assert {answer.status_code for answer in told} <= {409, 422}
    assert [door().status_code for door in doors] == [429] * 4
    assert not Invitation.objects.exclude(to=None).exists()


async def _opened(headers: list[tuple[bytes, bytes]], number: int) -> list[str]:
    """What becomes of so many sockets at once; then all are closed."""
    scope = {"type": "websocket", "path": "/ws/", "query_string": b"", "headers": headers, "client": ("192.0.2.7", 1)}
    talks, answers = [ApplicationCommunicator(application, dict(scope)) for _each in range(number)], []
    for talk in talks:
        await talk.send_input({"type": "websocket.connect"})
        answers.append((await talk.receive_output(10))["type"].rpartition(".")[2])
    for talk in talks:
        await talk.send_input({"type": "websocket.disconnect", "code": 1000})
        await talk.wait(10)
    return answers


@pytest.mark.parametrize("who", ["alice", "nobody"])
def test_pages_hold_no_more_sockets_than_somebody_can_look_at(monkeypatch, alice, who):
    monkeypatch.setattr(pages, "MOST", 2)
    monkeypatch.setattr(pages, "MOST_OF_NOBODY", 2)
    jar = client_of(alice).cookies if who == "alice" else {}
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", cookies.encode())]
    with ThreadPoolExecutor(1) as thread:
        for _twice in range(2):  # those that were closed count no more
            answers = thread.submit(lambda: asyncio.run(_opened(headers, 4))).result()
            assert answers == ["accept", "accept", "close", "close"]
    assert not pages._open


def test_the_site_posts_nothing_to_itself(settings, alice):
    settings.SITE_URL = "https://play.example.org"
    for url in ("https://play.example.org/hooks/bounce/", "https://PLAY.example.org:443/api/v1/matches"):
        answer = client_of(alice).post("/settings/webhooks/", {"kind": "json", "url": url})
        assert (answer.status_code, b"public https addresses" in answer.content) == (422, True), url
    assert not Webhook.objects.exists()


HUGE = (2**63, 10**30)
"""Numbers that no database keeps."""


def test_numbers_beyond_all_bounds_and_queries_without_end_are_refused_as_such(unlimited, alice):
    client = client_of(alice)
    client.raise_request_exception = False
    for path in addresses(slug="aaaaaaaaaa", pk="0", number="0", version="0"):
        if "/0" not in path:
            continue
        for number in HUGE:
            asked = path.replace("/0", f"/{number}")
            for answer in (client.get(asked), client.post(asked)):
                assert answer.status_code in (302, 403, 404, 405), (asked, answer.status_code)
    long = "&".join(f"a{number}=1" for number in range(300))
    for path in ("/", "/lobby/", "/history/", "/rankings/", "/api/v1/lobby", "/oembed", "/api/v1/me/history"):
        for query in (long, "q=" + "x" * 20_000, "before=" + "9" * 5_000, "opponent=%25%5F" + "%C4%B0" * 2_000):
            assert client.get(f"{path}?{query}").status_code < 500, (path, query[:20])
    assert Client().get(f"/lobby/?{long}").status_code == 400


def test_records_are_not_replayed_without_end(settings, alice, bob):
    """Each is the whole log, read or drawn again; who is logged out and in again is the same house."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, FREE) | {"record": (2, 3600)}
    url = gives_up(seated(alice, bob), bob).get_absolute_url()
    doors = (f"{url}record.json", f"{url}verify/draws.json")
    for client in (client_of(alice), Client()):
        assert [client.get(door).status_code for door in doors] == [200] * 2
    assert [Client().get(door).status_code for door in doors] == [429] * 2
    assert client_of(bob).get(doors[0]).status_code == 200
