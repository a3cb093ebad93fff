"""Events: what a stream and a socket say, from where on, to whom, and when they end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import tokens
from accounts.models import Token, User
from config.asgi import application
from games import live, states
from games.chance import seeded
from games.consumers import changes, listening, sockets
from games.consumers.changes import Changes, cursor_of
from games.models import Match, Move
from games.now import now
from games.services import leaving, lobby
from tests.client import client_of
from tests.conftest import move, play_out, seated

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]

PATH = "/api/v1/events"


def token_of(user, *scopes: str) -> str:
    """A token's text."""
    return tokens.make(user, "test", scopes or ("read",), 30)[1]


def bearer(text: str) -> dict[str, str]:
    """The header of a program."""
    return {"authorization": f"Bearer {text}"}


def cookies(user) -> dict[str, str]:
    """The header of a browser."""
    jar = client_of(user).cookies
    return {"cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())}


def asked(headers: dict[str, str], query: str = "", method: str = "GET", kind: str = "http") -> dict[str, Any]:
    """A request as the server passes it on."""
    told = {"host": "localhost", **headers}
    return {
        "type": kind,
        "path": PATH if kind == "http" else "/ws/events",
        "method": method,
        "query_string": query.encode(),
        "headers": [(name.encode(), text.encode()) for name, text in told.items()],
    }


def apart(work: Callable[[], Any]) -> Any:
    """What a coroutine gives, run in a thread with a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


class Stream:
    """A stream that is being read."""

    def __init__(self, talk: ApplicationCommunicator) -> None:
        self.talk, self.start, self.text = talk, {}, ""

    async def part(self) -> dict[str, Any]:
        """The next message of the answer."""
        return await self.talk.receive_output(10)

    async def events(self) -> list[tuple[str, dict[str, Any], str]]:
        """What the next part says: kind, data and id of each event; a sign of life is none."""
        text = (await self.part())["body"].decode()
        assert text.endswith("\n\n")
        found = []
        for block in text[:-2].split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n") if line != ":")
            if "event" in fields:
                found.append((fields["event"], json.loads(fields["data"]), fields.get("id", "")))
        return found

    async def ends(self) -> bool:
        """Reads to the end of the answer, which comes; whether nothing follows."""
        while (await self.part()).get("more_body"):
            pass
        await self.talk.wait(10)
        return True


@asynccontextmanager
async def stream(headers: dict[str, str], query: str = ""):
    """An open stream."""
    live.use_loop(asyncio.get_running_loop())
    talk = ApplicationCommunicator(application, asked(headers, query))
    await talk.send_input({"type": "http.request", "body": b"", "more_body": False})
    found = Stream(talk)
    found.start = await found.part()
    if found.start["status"] == 200:
        assert (await found.part())["body"] == b"retry: 5000\n\n"
    try:
        yield found
    finally:
        if not talk.future.done():
            await talk.send_input({"type": "http.disconnect"})
        await talk.wait(10)


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


def facts(match: Match) -> dict[str, Any]:
    """What an event says of a match."""
    match.refresh_from_db()
    return {"match": match.slug, "version": match.version, "status": match.status}


@pytest.mark.parametrize("who", ["token", "session"])
def test_a_stream_tells_how_all_stands_and_then_what_is_new(alice, bob, who):
    match, other = seated(alice, bob), seated(alice, bob)
    seated(bob, alice)
    before = [facts(one) for one in Match.objects.order_by("pk")]
    headers = bearer(token_of(alice)) if who == "token" else cookies(alice)

    async def work() -> None:
        async with stream(headers) as found:
            kinds = dict(found.start["headers"])
            assert kinds[b"content-type"] == b"text/event-stream"
            assert kinds[b"cache-control"] == b"no-store"
            first = await found.events()
            assert [data for kind, data, _mark in first if kind == "match"] == before
            assert first[-1][0] == "counts"
            assert first[-1][2].isdigit()
            assert not any(mark for _kind, _data, mark in first[:-1])
            await asyncio.to_thread(move, match)
            (kind, data, _mark), counted = await found.events()
            assert (kind, data) == ("match", await asyncio.to_thread(facts, match))
            assert counted[0] == "counts"
            await asyncio.to_thread(move, other)
            assert (await found.events())[0][1]["match"] == other.slug

    apart(work)


def told(user, cursor: str = "") -> list[tuple[str, dict[str, Any]]]:
    """What one is told first."""
    return [(event.kind, event.data) for event in Changes(user).first(cursor)]


def matches(events) -> list[dict[str, Any]]:
    """Of events those about matches."""
    return [data for kind, data in events if kind == "match"]


def test_from_a_cursor_on_only_what_is_new_is_told(clock, alice, bob):
    still, moves, ends, opened = (seated(alice, bob) for _each in range(3)), None, None, None
    still, moves, ends = still
    opened = lobby.create(alice, lobby.Proposal("red", 2, 0))
    cancelled = lobby.create(alice, lobby.Proposal("red", 2, 0))
    clock.forward(minutes=1)
    cursor = Changes(alice).first()[-1].cursor
    assert cursor == cursor_of(clock.moment)
    assert matches(told(alice, cursor)) == [facts(opened), facts(cancelled)]  # of those that wait there are no rows
    clock.forward(minutes=1)
    move(moves)
    leaving.resign(ends.pk, ends.seats.get(user=bob).number, version=ends.version)
    lobby.cancel(cancelled.pk, alice)
    assert matches(told(alice, cursor)) == [facts(moves), facts(ends), facts(opened), facts(cancelled)]
    assert facts(still) not in matches(told(alice, cursor))
    assert matches(told(bob, cursor)) == [facts(moves), facts(ends)]
    # What may still have been on its way when the cursor was given is told once more.
    clock.forward(seconds=10)
    assert facts(moves) in matches(told(alice, cursor_of(clock.moment)))
    clock.forward(seconds=10)
    assert matches(told(alice, cursor_of(clock.moment))) == [facts(opened)]


def test_who_was_away_for_too_long_is_told_everything(clock, alice, bob):
    match = seated(alice, bob)
    cursor = cursor_of(clock.moment)
    clock.forward(days=8)
    found = told(alice, cursor)
    assert found[0] == ("reset", {})
    assert matches(found) == [facts(match)]


def test_what_is_new_is_told_once_and_nothing_twice(alice, bob):
    match, seen = seated(alice, bob), Changes(alice)
    seen.first()
    assert seen.more() == []
    move(match)
    assert [event.data for event in seen.more() if event.kind == "match"] == [facts(match)]
    assert seen.more() == []
    play_out(match)
    assert [event.data for event in seen.more() if event.kind == "match"] == [facts(match)]
    assert seen.more() == []


def test_who_gives_up_the_seat_of_a_hidden_match_hears_no_more_of_it(alice, bob):
    match = lobby.create(alice, lobby.Proposal("red", 3, 0, audience="seated"))
    lobby.join(match.pk, bob, match.invitations.get().token)
    seen = Changes(bob)
    seen.first()
    lobby.leave(match.pk, bob)
    assert seen.more()[0].data == {"match": match.slug, "version": 0, "status": "cancelled"}
    match.refresh_from_db()
    Match.objects.filter(pk=match.pk).update(version=7)
    assert seen.more() == []


def test_strangers_are_told_of_nothing(alice, bob, charlie):
    seen = Changes(charlie)
    match = seated(alice, bob)
    assert told(charlie) == [("counts", {"turns": 0, "asked": 0, "notices": 0})]
    seen.first()
    move(match)
    assert seen.more() == []


def test_it_costs_the_same_for_one_match_and_for_many(clock, alice, bob):
    costs = []
    for number in (1, 10):
        for _each in range(number):
            seated(alice, bob)
        seen, cursor = Changes(alice), cursor_of(clock.moment)
        with CaptureQueriesContext(connection) as queries:
            seen.first(cursor)
            seen.more()
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 10


def test_whoever_says_for_nobody_is_refused(alice):
    assert refused({}) == (401, "not_authenticated")
    assert refused(bearer("nt_" + "x" * 43)) == (401, "bad_token")
    assert refused({"authorization": "Basic abc"}) == (401, "bad_token")
    assert refused(bearer(token_of(alice, "play"))) == (403, "needs_scope")
    assert refused(bearer("nt_" + "x" * 43) | cookies(alice)) == (401, "bad_token")
    text = token_of(alice)
    Token.objects.update(expires_at=now() - timedelta(seconds=1))
    assert refused(bearer(text)) == (401, "bad_token")
    User.objects.update(is_active=False)
    assert refused(cookies(alice)) == (401, "not_authenticated")


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


def test_the_id_of_the_last_event_counts_more_than_the_address(clock, alice, bob):
    seated(alice, bob)
    old = cursor_of(clock.moment)
    clock.forward(minutes=1)

    async def work() -> list[str]:
        headers = bearer(text) | {"last-event-id": cursor_of(clock.moment)}
        async with stream(headers, f"since={old}") as found:
            return [kind for kind, _data, _mark in await found.events()]

    text = token_of(alice)
    assert apart(work) == ["counts"]


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


@pytest.fixture
def quick(monkeypatch):
    """Signs of life and looks at sessions come quickly."""
    monkeypatch.setattr(sockets, "BEAT", 0.05)
    monkeypatch.setattr(sockets, "RECHECK_EVERY", 1)
    monkeypatch.setattr(sockets, "HINT_AHEAD", 0.01)


@pytest.mark.parametrize("who", ["token", "session"])
@pytest.mark.parametrize("hinted", [True, False])
def test_a_stream_ends_with_what_it_was_opened_by(monkeypatch, quick, alice, who, hinted):
    headers = bearer(token_of(alice)) if who == "token" else cookies(alice)
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


@asynccontextmanager
async def socket(headers: dict[str, str], query: str = ""):
    """A socket of events and how it was answered."""
    live.use_loop(asyncio.get_running_loop())
    talk = ApplicationCommunicator(application, asked(headers, query, kind="websocket"))
    await talk.send_input({"type": "websocket.connect"})
    answer = await talk.receive_output(10)
    try:
        yield talk, answer["type"]
    finally:
        if not talk.future.done():
            await talk.send_input({"type": "websocket.disconnect", "code": 1000})
        await talk.wait(10)


def test_a_socket_says_what_a_stream_says(alice, bob):
    match = seated(alice, bob)
    text, jar = token_of(alice), cookies(alice)

    async def frames(headers: dict[str, str]) -> list[dict[str, Any]]:
        async with socket(headers) as (talk, answer):
            assert answer == "websocket.accept"
            told = [json.loads((await talk.receive_output(10))["text"]) for _each in range(2)]
            await asyncio.to_thread(move, match)
            return [*told, json.loads((await talk.receive_output(10))["text"])]

    for headers in (bearer(text), bearer(text) | {"origin": "https://elsewhere.example"}, jar | {"origin": OWN}):
        before = facts(match)
        told = apart(lambda headers=headers: frames(headers))
        assert told[0] == {"event": "match", "data": before}
        assert (told[1]["event"], told[1]["id"].isdigit()) == ("counts", True)
        assert told[2] == {"event": "match", "data": facts(match)}


OWN = "http://localhost"


def test_a_socket_is_refused_to_who_says_for_nobody_or_comes_from_elsewhere(alice):
    text, jar = token_of(alice), cookies(alice)
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
    jar = cookies(alice)
    query = f"match={match.slug}"

    async def answer(headers: dict[str, str]) -> str:
        scope = asked(headers, query, kind="websocket") | {"path": "/ws/"}
        talk = ApplicationCommunicator(application, scope)
        await talk.send_input({"type": "websocket.connect"})
        answer = (await talk.receive_output(10))["type"]
        if not talk.future.done():
            await talk.send_input({"type": "websocket.disconnect", "code": 1000})
        await talk.wait(10)
        return answer

    assert apart(lambda: answer(jar | {"origin": OWN})) == "websocket.accept"
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


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_twin_worlds_tell_the_same_events(alice, bob, charlie, monkeypatch, game):
    match = seated(alice, bob, bots=1, game=game)
    true_load = states.load
    for number in range(3):
        for user in (alice, bob, charlie):
            truth = told(user)
            seat = match.seats.filter(user=user).first()
            viewer = None if seat is None else seat.number

            def twin(found, seats, wanted=None, viewer=viewer):
                true = true_load(found, seats, wanted)
                return found.rules.imagine(found.rules.observe(true, viewer), seeded(1))

            monkeypatch.setattr(states, "load", twin)
            states.forget()
            rows = list(match.moves.all())
            match.moves.update(news=["zz_secret"], text="zz_secret")
            assert told(user) == truth
            monkeypatch.setattr(states, "load", true_load)
            Move.objects.bulk_update(rows, ["news", "text"])
            for _kind, data in truth:
                assert data.keys() in ({"match", "version", "status"}, {"turns", "asked", "notices"})
        if match.status == "playing":
            match = move(match, number)


def test_cursors_are_of_this_time(clock):
    assert changes.moment_of(cursor_of(clock.moment)) == clock.moment
