"""Sockets: hints that arrive, to whom they belong, from our own pages, and not after the session has ended."""

from __future__ import annotations

import json
import re
import secrets
import time

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.journeys import PASSWORD, code, fill, log_in, sign_up
from tests.serving import Player, Redis, Server, turn_or_end
from tests.waiting import wait_for


@pytest.fixture(scope="module", params=["memory", "redis"])
def server(request, tmp_path_factory):
    """The site, with the channel layer in its process and with the one on Redis."""
    folder = tmp_path_factory.mktemp(request.param)
    redis = Redis(folder) if request.param == "redis" else None
    server = Server(folder / "var", **({"REDIS_URL": redis.url} if redis else {}))
    server.start()
    yield server
    server.stop()
    if redis:
        redis.stop()


def opened(server: Server, player: Player | None = None, url: str = "", origin: str | None = None) -> ClientConnection:
    """A socket as the player's page opens it, for the match at ``url``."""
    cookies = "; ".join(f"{name}={value}" for name, value in player.client.cookies.items()) if player else ""
    query = f"?match={url.split('/')[2]}" if url else ""
    return connect(
        f"ws://localhost:{server.port}/ws/{query}",
        origin=server.url if origin is None else origin,
        additional_headers={"Cookie": cookies} if cookies else {},
        open_timeout=10,
    )


def told(socket: ClientConnection, seconds: float = 10) -> dict:
    """The next frame that is more than a sign of life."""
    while True:
        if value := json.loads(socket.recv(timeout=seconds)):
            return value


def test_a_page_is_told_of_each_new_version(server):
    with Player(server) as player:
        url = player.begin()
        with opened(server, player, url) as socket:
            seen = told(socket)
            assert seen["match"] == url.split("/")[2]
            fields = wait_for(lambda: turn_or_end(player, url))
            if fields != "over":
                assert player.send(url, fields) == 302
                version = int(fields["version"]) + 1
                while seen["version"] < version:
                    seen = told(socket)


def test_a_spectator_is_told_and_a_stranger_learns_nothing_of_a_hidden_match(server):
    with Player(server) as player:
        url = player.begin()
        with opened(server, None, url) as socket:
            assert set(told(socket)) == {"match", "version", "status", "gathered"}
        slug = url.split("/")[2]
        server.manage("shell", "-v0", "-c", f"Match.objects.filter(slug='{slug}').update(audience='seated')")
        for missing in (url, "/match/aaaaaaaaaa/"):
            with pytest.raises(InvalidStatus) as refused:
                opened(server, None, missing)
            assert refused.value.response.status_code == 403
        with opened(server, player, url) as socket:
            assert told(socket)["match"] == slug


def refused_frame(socket: ClientConnection) -> dict:
    """The next frame about an error; news of the match in between do not count."""
    while "error" not in (value := told(socket)):
        pass
    return value


def close_code(socket: ClientConnection, seconds: float = 10) -> int:
    """Reads until the server closes the socket; the code it gives."""
    try:
        while True:
            told(socket, seconds)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "http://evil.example",
        "https://localhost:{port}",
        "http://localhost",
        "http://localhost:1",
        "http://localhost:99999",
        "http://localhost:{port}.evil.example",
        "http://localhost:{port}@evil.example",
        "http://evil.example:{port}",
        "http://sub.localhost:{port}",
        "http://127.0.0.1:{port}",
        "HTTP://LOCALHOST:{port}",
        "file://",
        "http://localhost:{port}/",
    ],
)
def test_o23_a_socket_is_opened_by_our_own_pages_only(server, origin):
    with pytest.raises(InvalidStatus) as refused:
        opened(server, origin=origin.format(port=server.port))
    assert refused.value.response.status_code == 403


def test_o37_frames_are_answered_and_too_many_close_the_socket(server):
    with Player(server) as player, opened(server, player, player.begin()) as socket:
        told(socket)
        frames = ["null", "[]", '{"type": "look"}', "{", '"\\ud800"', "1e400", b"\x00\xff", '{"a": ' * 200, "NaN", ""]
        for frame in frames:
            socket.send(frame)
            assert refused_frame(socket) == {"error": "read_only"}
        socket.send("one more")
        assert close_code(socket) == 1008


def test_o37_a_huge_frame_closes_the_socket_and_hurts_nobody_else(server):
    with Player(server) as player:
        url = player.begin()
        with opened(server, player, url) as mine, opened(server, None, url) as other:
            told(mine)
            told(other)
            mine.send("x" * 1_000_000)
            assert close_code(mine) == 1009
            other.send("{}")
            assert refused_frame(other) == {"error": "read_only"}


def test_o22_a_socket_ends_with_its_session(server):
    with Player(server) as player:
        url = player.begin()
        with opened(server, player, url) as socket:
            told(socket)
            hinted = "REDIS_URL" in server.environment
            server.manage("shell", "-v0", "-c", END_SESSIONS if hinted else DELETE_SESSIONS)
            assert close_code(socket, 60) == 4401


DELETE_SESSIONS = """
from django.contrib.sessions.models import Session
Session.objects.all().delete()
"""
"""Without a hint: the socket finds out by itself within 45 s."""

END_SESSIONS = """
from django.contrib.sessions.models import Session
from accounts.models import User
from games import live
Session.objects.all().delete()
for user in User.objects.filter(kind="guest"):
    live.recheck(user.pk)
"""
"""With the hint that every logout sends: through Redis it reaches the sockets of another process."""


def closed_in_time(*sockets: ClientConnection) -> None:
    """Each of the sockets is closed within five seconds, with the code of a session that ended."""
    end = time.monotonic() + 5
    for socket in sockets:
        assert close_code(socket, max(0.1, end - time.monotonic())) == 4401


@pytest.fixture
def people(server):
    """One person in two browsers, signed up in the first, each with a socket open."""
    name = f"p-{secrets.token_hex(4)}"
    with Player(server) as first, Player(server) as second:
        url = first.begin()
        sign_up(first, name)
        log_in(second, name)
        with opened(server, first, url) as one, opened(server, second, url) as two:
            told(one)
            told(two)
            yield first, second, one, two


def test_o22_a_logout_closes_the_sockets_of_its_browser_and_no_others(people):
    first, _second, one, two = people
    assert fill(first, "/account/logout/") == "/"
    closed_in_time(one)
    two.send("{}")
    assert refused_frame(two) == {"error": "read_only"}


def test_o22_a_new_password_closes_the_sockets_of_other_browsers(people):
    first, _second, _one, two = people
    new = "seven grey herons wait"
    fill(first, "/account/password/", oldpassword=PASSWORD, password1=new, password2=new)
    closed_in_time(two)


def test_o22_a_reset_closes_the_sockets_of_other_browsers(server, people):
    first, _second, one, two = people
    name = first.client.get("/account/").text.partition("<h1>Account of ")[2].partition("</h1>")[0]
    with Player(server) as third:
        fill(third, "/account/reset/", email=f"{name}@example.org")
        fill(third, "/account/reset/enter/", code=code(third))
        new = "nine small otters swim"
        assert fill(third, "/account/reset/password/", password1=new, password2=new) == "/turns/"
    closed_in_time(one, two)


def test_o22_a_new_address_closes_the_sockets_of_other_browsers(people):
    first, _second, one, two = people
    assert first.client.get("/account/email/").status_code == 302
    fill(first, "/account/again/?next=/account/email/", password=PASSWORD)
    fill(first, "/account/email/", email=f"n-{secrets.token_hex(4)}@example.org")
    fill(first, "/account/verify/", code=code(first))
    closed_in_time(two)
    one.send("{}")
    assert refused_frame(one) == {"error": "read_only"}


def test_o22_logging_out_everywhere_closes_all_sockets(people):
    first, _second, one, two = people
    assert fill(first, "/account/sessions/", everywhere="1") == "/"
    closed_in_time(one, two)


def test_o22_a_browser_logged_out_from_the_list_loses_its_sockets(people):
    first, _second, _one, two = people
    mine = [int(pk) for pk in re.findall(r'name="end" value="(\d+)"', first.client.get("/account/sessions/").text)]
    assert fill(first, "/account/sessions/", end=str(mine[1])) == "/account/sessions/"
    closed_in_time(two)


def test_o22_a_guest_who_logs_in_loses_the_sockets_of_the_guest(server, people):
    first, _second, _one, _two = people
    name = first.client.get("/account/").text.partition("<h1>Account of ")[2].partition("</h1>")[0]
    with Player(server) as third, opened(server, third, third.begin()) as socket:
        told(socket)
        log_in(third, name)
        closed_in_time(socket)
