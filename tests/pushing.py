"""A push service on this machine, and the browser's side of a push: keys, and reading what came."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256, Hash
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from games.delivery.webpush import encode
from tests.serving import Player, Server

KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
"""A key of the site's, for tests."""


class Browser:
    """What a browser keeps for one subscription. It reads pushes step by step as RFC 8291 and 8188 say, by HMAC alone,
    so that it shares no mistake with the side that writes them."""

    def __init__(self, key: ec.EllipticCurvePrivateKey | None = None, secret: bytes | None = None) -> None:
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.secret = secret or os.urandom(16)
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        """As a subscription tells them."""
        return {"p256dh": encode(self.point), "auth": encode(self.secret)}

    def read(self, body: bytes) -> bytes:
        """What a push says. Raises InvalidTag for one that is meant for another, or was changed."""
        salt, (size, length), rest = body[:16], struct.unpack("!IB", body[16:21]), body[21:]
        sender, record = rest[:length], rest[length:]
        assert len(record) <= size
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), theirs)
        material = _hmac(_hmac(self.secret, shared), b"WebPush: info\x00" + self.point + sender + b"\x01")
        mixed = _hmac(salt, material)
        key = _hmac(mixed, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = _hmac(mixed, b"Content-Encoding: nonce\x00\x01")[:12]
        plain, mark, padding = AESGCM(key).decrypt(nonce, record, None).rpartition(b"\x02")
        assert mark
        assert not padding.strip(b"\x00")
        return plain

    def told(self, body: bytes) -> dict[str, str]:
        """What a push of the site says."""
        found: dict[str, str] = json.loads(self.read(body))
        return found


def _hmac(key: bytes, text: bytes) -> bytes:
    code = HMAC(key, SHA256())
    code.update(text)
    return code.finalize()


def digest(text: str) -> str:
    """SHA-256, in hexadecimal digits."""
    whole = Hash(SHA256())
    whole.update(text.encode())
    return whole.finalize().hex()


@dataclass
class Received:
    """A push as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


PATIENCE = 30
"""Seconds for which a slow peer is slow: far longer than anybody may wait for it."""


@dataclass
class PushService:
    """What answers: 201, or for some paths another status, with headers."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    answers: dict[str, int | tuple[int, dict[str, str]] | Callable[[Any], None]] = field(default_factory=dict)
    ended: Event = field(default_factory=Event)

    def silent(self, _handler: Any) -> None:
        """No answer, for PATIENCE or until the test ends."""
        self.ended.wait(PATIENCE)

    def endpoint(self, path: str = "/one") -> str:
        """An address of it."""
        return f"http://127.0.0.1:{self.port}{path}"

    def at(self, path: str) -> list[Received]:
        """What came for a path."""
        return [push for push in self.received if push.path == path]


@contextmanager
def push_service() -> Iterator[PushService]:
    """A push service on a free port of this machine."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): text for name, text in self.headers.items()}
            service.received.append(Received(self.path, headers, body))
            answer = service.answers.get(self.path, 201)
            if callable(answer):
                return answer(self)
            status, headers = (answer, {}) if isinstance(answer, int) else answer
            self.send_response(status)
            for name, text in headers.items():
                self.send_header(name, text)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    service.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def first_to_move(site: Server, player: Player, friend: Player) -> str:
    """A match of both in which the player is asked first; its address. Told of it, the player is away."""
    sql = """SELECT u.username FROM games_match m JOIN games_seat s ON s.match_id = m.id AND s.number = m.active_seat
        JOIN accounts_user u ON u.id = s.user_id WHERE m.slug = %s"""
    name = guest(site)
    for _time in range(50):
        url = player.invite(friend)
        if site.ask(sql, url.split("/")[2]) == [(name,)]:
            site.ask("UPDATE accounts_user SET seen_at = '2026-01-01 00:00:00' WHERE username = %s", name)
            return url
        player.call_off(url)  # a guest has few matches at once
    raise AssertionError("the friend always begins")


def guest(site: Server) -> str:
    """The name of the last guest."""
    return str(site.ask("SELECT username FROM accounts_user WHERE kind = 'guest' ORDER BY id DESC LIMIT 1")[0][0])
