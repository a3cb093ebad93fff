"""Who may listen to events, how many at once and how often, and when it ends."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.sessions.models import Session

from accounts import tokens
from accounts.models import Token, User
from config.asgi import application
from games import live
from games.consumers import listening, sockets
from games.models import Match
from games.now import now
from tests.client import client_of
from tests.conftest import move, seated
from tests.games.listeners import OWN, PATH, apart, asked, bearer, cookies, of_page, socket, stream, token_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


def refused(headers: dict[str, str], query: str = "", method: str = "GET") -> tuple[int, str]:
    """Status and code of a refusal, which is a problem document."""

    async def work() -> tuple[int, str]:
        talk = ApplicationCommunicator(application, asked(headers, query, method))
        await talk.send_input({"type": "http.request", "body": b"", "more_body": False})
        start, body = await talk.receive_output(10), await talk.receive_output(10)
        assert dict(start["headers"])[b"content-type"] == b"application/problem+json"
        await talk.wait(10)
        told = json.loads(body["body"])
        assert told["status"] == start["status"]
        assert told["detail"]
        return start["status"], told["code"]

    return apart(work)


def test_whoever_says_for_nobody_is_refused(alice):
    assert refused({}) == (401, "not_authenticated")
    assert refused(bearer("nt_" + "x" * 43)) == (401, "bad_token")
    assert refused({"authorization": "Basic abc"}) == (401, "bad_token")
    assert refused(bearer(token_of(alice, "play"))) == (403, "needs_scope")
    assert refused(bearer("nt_" + "x" * 43) | cookies(client_of(alice))) == (401, "bad_token")
    text = token_of(alice)
    Token.objects.update(expires_at=now() - timedelta(seconds=1))
    assert refused(bearer(text)) == (401, "bad_token")
    User.objects.update(is_active=False)
    assert refused(cookies(client_of(alice))) == (401, "not_authenticated")


@pytest.mark.parametrize(
    "query", ["since=x", "since=-1", "since=1.5", "since=99999999999999", "since=9999999999999", "since=1&since=2"]
)
def test_what_is_no_cursor_is_refused(alice, query):
    assert refused(bearer(token_of(alice)), query) == (400, "bad_request")


def test_who_connects_too_often_is_told_to_wait(settings, alice):
    settings.LIMITS = settings.LIMITS | {"api": (1, 24 * 3600)}
    headers = bearer(token_of(alice))
    assert refused(headers, "since=x") == (400, "bad_request")
    assert refused(headers, "since=x") == (429, "too_many")


def test_what_nobody_offers_is_refused(alice):
    headers = bearer(token_of(alice))
    assert refused(headers, "sinse=1") == (400, "bad_request")
    assert refused(headers, method="POST") == (405, "method_not_allowed")
    assert refused(headers | {"host": "evil.example"}) == (400, "bad_request")
    assert refused(headers | {"last-event-id": "'; --"}) == (400, "bad_request")


def test_a_body_without_end_is_not_waited_for(alice):
    text = token_of(alice)

    async def work() -> None:
        for method, status in (("GET", 200), ("POST", 405)):
            talk = ApplicationCommunicator(application, asked(bearer(text), method=method))
            await talk.send_input({"type": "http.request", "body": b"x" * 1000, "more_body": True})
            await talk.send_input({"type": "http.request", "body": b"x" * 1000, "more_body": True})
            assert (await talk.receive_output(10))["status"] == status
            if method == "GET":
                await talk.send_input({"type": "http.disconnect"})
            await talk.wait(10)

    apart(work)
    assert not any(listening._open.values())


def test_five_at_once_and_no_more(alice, bob):
    headers, theirs = bearer(token_of(alice)), bearer(token_of(bob))

    async def work() -> None:
        open_ones = [stream(headers) for _each in range(listening.MOST)]
        for one in open_ones:
            await one.__aenter__()
        async with stream(headers) as sixth:
            assert sixth.start["status"] == 429
            assert dict(sixth.start["headers"])[b"retry-after"] == b"60"
            await sixth.ends()
        async with stream(theirs) as other:
            assert other.start["status"] == 200
        await open_ones.pop().__aexit__(None, None, None)
        async with stream(headers) as again:
            assert again.start["status"] == 200
        for one in open_ones:
            await one.__aexit__(None, None, None)

    apart(work)
    assert not any(listening._open.values())


@pytest.mark.parametrize("who", ["token", "session"])
@pytest.mark.parametrize("hinted", [True, False])
def test_a_stream_ends_with_what_it_was_opened_by(monkeypatch, quick, alice, who, hinted):
    headers = bearer(token_of(alice)) if who == "token" else cookies(client_of(alice))
    if hinted:
        monkeypatch.setattr(sockets, "BEAT", 3600)

    def end() -> None:
        if who == "token" and hinted:
            tokens.end(alice, Token.objects.get().pk)
        else:
            Token.objects.all().delete()
            Session.objects.all().delete()
            if hinted:
                live.recheck(alice.pk)

    async def work() -> bool:
        async with stream(headers) as found:
            await found.events()
            await asyncio.to_thread(end)
            return await found.ends()

    assert apart(work)
    assert not any(listening._open.values())


def test_signs_of_life_go_on_and_a_lost_hint_is_made_good(quick, alice, bob):
    match = seated(alice, bob)

    async def work() -> None:
        async with stream(bearer(text)) as found:
            await found.events()
            assert await found.events() == []
            await asyncio.to_thread(Match.objects.filter(pk=match.pk).update, version=77)
            while not (events := await found.events()):
                pass
            assert events[0][1]["version"] == 77

    text = token_of(alice)
    apart(work)


def test_who_does_not_read_is_cut_off(monkeypatch, alice, bob):
    monkeypatch.setattr(sockets, "STALLED", 0.05)
    match = seated(alice, bob)

    async def work() -> None:
        live.use_loop(asyncio.get_running_loop())
        reading, sent = asyncio.Event(), []
        reading.set()
        requests = asyncio.Queue[dict[str, Any]]()
        requests.put_nowait({"type": "http.request", "body": b""})

        async def send(message: dict[str, Any]) -> None:
            await reading.wait()
            sent.append(message)

        serving = asyncio.ensure_future(application(asked(bearer(text)), requests.get, send))
        while len(sent) < 3:
            await asyncio.sleep(0)
        reading.clear()
        await asyncio.to_thread(live.announce, match.pk, [alice.pk])
        await asyncio.to_thread(move, match)
        await asyncio.wait_for(serving, 10)

    text = token_of(alice)
    apart(work)
    assert not any(listening._open.values())


def test_a_socket_is_refused_to_who_says_for_nobody_or_comes_from_elsewhere(alice):
    text, jar = token_of(alice), cookies(client_of(alice))
    wrong = [
        {},
        {"origin": OWN},
        jar,
        jar | {"origin": "https://elsewhere.example"},
        jar | bearer("nt_" + "x" * 43) | {"origin": OWN},
        jar | {"authorization": "Basic abc", "origin": "https://elsewhere.example"},
        bearer(token_of(alice, "play")),
    ]

    async def work() -> list[str]:
        answers = []
        for headers in wrong:
            async with socket(headers) as (_talk, answer):
                answers.append(answer)
        async with socket(bearer(text), "since=x") as (_talk, answer):
            return [*answers, answer]

    assert apart(work) == ["websocket.close"] * 8
    assert not any(listening._open.values())


def test_with_a_token_the_cookies_count_for_nothing(alice, bob):
    match = seated(alice, bob, audience="seated")
    jar = cookies(client_of(alice))
    query = f"match={match.slug}"

    async def answer(headers: dict[str, str]) -> str:
        async with socket(headers, query, "/ws/") as (_talk, answer):
            return answer

    assert apart(lambda: answer(of_page(client_of(alice)))) == "websocket.accept"
    for origin in (OWN, "https://elsewhere.example"):
        assert apart(lambda origin=origin: answer(jar | bearer("x") | {"origin": origin})) == "websocket.close"


def test_a_socket_ends_with_its_token_and_takes_nothing(quick, alice):
    text = token_of(alice)

    async def work() -> int:
        async with socket(bearer(text)) as (talk, _answer):
            await talk.receive_output(10)
            await talk.send_input({"type": "websocket.receive", "text": "{}"})
            while (frame := json.loads((await talk.receive_output(10))["text"])) == {}:
                pass
            assert frame == {"error": "read_only"}
            await asyncio.to_thread(tokens.end, alice, (await asyncio.to_thread(Token.objects.get)).pk)
            while (message := await talk.receive_output(10))["type"] != "websocket.close":
                pass
            return message["code"]

    assert apart(work) == sockets.ENDED


def test_under_synchronous_workers_the_address_says_that_it_cannot(alice):
    answer = client_of(alice).get(PATH)
    assert (answer.status_code, answer.json()["code"]) == (421, "no_stream")
    assert client_of(alice).get(f"{PATH}?sinse=1").status_code == 400
