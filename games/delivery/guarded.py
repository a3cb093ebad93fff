"""Requests to addresses that users have given: they reach the public internet alone, and wait for nobody long."""

from __future__ import annotations

import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

SECONDS = 5.0
"""For everything together: finding the name, the connection, the answer."""

MOST = 16 * 1024
"""Bytes of an answer, headers included."""

KEPT = 1024
"""Bytes of its body that are given back."""

LONGEST = 1000
"""Characters of an address."""

ODD = re.compile(r"[^!-~]|\\")
"""What stands in no address: different programs read such ones differently."""

NAT64 = IPv6Network("64:ff9b::/96")


class Inside(Exception):
    """The address is none that may be asked: not https at its usual port, or it leads to where the public cannot go."""


class NoAnswer(Exception):
    """Nobody there, too slow, a broken answer, a certificate that is not right."""


@dataclass(frozen=True)
class Answer:
    """What came back; a redirection is an answer like others, and is not followed."""

    status: int
    headers: Mapping[str, str]  # names in small letters
    body: bytes

    @property
    def wait(self) -> timedelta:
        """For how long whoever answered wants to be left alone."""
        text = self.headers.get("retry-after", "")
        return timedelta(seconds=int(text)) if text.isascii() and text.isdigit() and len(text) < 7 else timedelta()


def check(url: str) -> SplitResult:
    """The parts of an address that may be asked, as far as can be seen without asking. Raises Inside."""
    if len(url) > LONGEST or ODD.search(url):
        raise Inside
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Inside from None
    schemes = ("https", "http") if settings.PUSH_ALLOW_LOOPBACK else ("https",)
    if parts.scheme not in schemes or "@" in parts.netloc or not parts.hostname or "%" in parts.netloc:
        raise Inside
    if port not in (None, 443) and not settings.PUSH_ALLOW_LOOPBACK:
        raise Inside
    return parts


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, also behind the forms in which IPv6 wraps IPv4."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        if found.sixtofour is not None or found.teredo is not None or found.is_site_local or found.scope_id:
            return False
        wrapped = found.ipv4_mapped or (IPv4Address(found.packed[-4:]) if found in NAT64 else None)
        found = wrapped or found
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def post(url: str, body: bytes, headers: Mapping[str, str], seconds: float | None = None) -> Answer:
    """Posts to an address and gives back the answer; all of it takes ``seconds`` (SECONDS) at most.

    The name is resolved once, every address that it has must be a public one,
    and the connection goes to the address that was looked at. No proxy of the
    environment is asked: it would resolve the name anew. Raises Inside or NoAnswer.
    """
    parts = check(url)
    end = time.monotonic() + (seconds or SECONDS)
    secure = parts.scheme == "https"
    host, port = cast(str, parts.hostname), parts.port or (443 if secure else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        wire = _connect(_addresses(host, port, end), end)
        try:
            wire.settimeout(_left(end))
            wire = _context().wrap_socket(wire, server_hostname=host) if secure else wire
            connection = (_Secure if secure else http.client.HTTPConnection)(host, port)
            connection.sock = cast(socket.socket, _Wire(wire, end))
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read(KEPT))
        finally:
            wire.close()
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise NoAnswer(type(fault).__name__) from fault


class _Secure(http.client.HTTPConnection):
    default_port = 443  # so that it is not told in the Host header


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _left(end: float) -> float:
    """The seconds that are left. Raises TimeoutError when there are none."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _addresses(host: str, port: int, end: float) -> list[Any]:
    """Where a name leads, all of it public. Raises Inside, OSError."""
    found = _resolve(host, port, _left(end))
    for *_kind, address in found:
        if not (is_public(address[0]) or (settings.PUSH_ALLOW_LOOPBACK and ip_address(address[0]).is_loopback)):
            raise Inside
    return found


def _resolve(host: str, port: int, seconds: float) -> list[Any]:
    """What the resolver says. It cannot be told to hurry: one that takes too long is left behind in its thread."""
    said: SimpleQueue[list[Any] | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            said.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as fault:  # of the resolver or of the name: it is told to who asked
            said.put(fault)

    Thread(target=ask, daemon=True).start()
    try:
        found = said.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if isinstance(found, Exception):
        raise OSError(str(found)) from found
    return found


def _connect(addresses: list[Any], end: float) -> socket.socket:
    """A connection to the first of the addresses that takes one. Raises OSError."""
    fault: OSError = OSError("no address")
    for family, kind, protocol, _name, address in addresses:
        wire = socket.socket(family, kind, protocol)
        try:
            wire.settimeout(_left(end))
            wire.connect(address)
        except OSError as failed:
            wire.close()
            fault = failed
        else:
            return wire
    raise fault


class _Wire:
    """As much of a socket as a connection of ``http.client`` uses, with one end in time for all it does."""

    def __init__(self, wire: socket.socket, end: float) -> None:
        self.wire, self.end = wire, end

    def sendall(self, data: bytes) -> None:
        """Sends everything, or raises TimeoutError."""
        self.wire.settimeout(_left(self.end))
        self.wire.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """What comes in."""
        return io.BufferedReader(_Incoming(self.wire, self.end))

    def close(self) -> None:
        """Left to who opened it: the connection closes as soon as the headers are read."""


class _Incoming(io.RawIOBase):
    """What is received: in time, and no more than MOST. A drip of single bytes is no way round either."""

    def __init__(self, wire: socket.socket, end: float) -> None:
        self.wire, self.end, self.room = wire, end, MOST

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The number of bytes received. Raises TimeoutError, and ValueError for too many."""
        self.wire.settimeout(_left(self.end))
        count = self.wire.recv_into(buffer)
        self.room -= count
        if self.room < 0:
            raise ValueError("too long")
        return count
