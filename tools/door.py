"""The server's door: one server a folder of data, and an address to listen at. Standard library only."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
from pathlib import Path
from typing import IO

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that only this machine can reach."""


class Closed(Exception):
    """Cannot serve here; the text is one line for the user."""


def lock(var: Path) -> IO[str]:
    """Takes the lock of the data folder and returns the file that holds it: keep it open as long as you serve.

    Raises Closed, naming the process, if another one holds it: two would each
    have their own sockets and schedule on the same data.
    """
    var.mkdir(parents=True, exist_ok=True)
    file = (var / "serve.lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise Closed(
            f"Na tahu already runs on this data, as process {holder}: stop it first (kill {holder})."
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets bound to every address ``host`` stands for. Raises Closed for a port or host that cannot be had."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise Closed(f"There is no host {host!r}: try --host localhost.") from None
    bound: list[socket.socket] = []
    problem: OSError | None = None
    for family, kind, protocol, _name, address in dict.fromkeys(places):
        try:
            bound.append(_bind(family, kind, protocol, address))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                for one in bound:
                    one.close()
                raise Closed(_reason(error, port)) from None
            problem = error  # e.g. a machine without IPv6 whose localhost still has such an address
    if not bound:
        raise Closed(f"Cannot listen at {host}: {problem.strerror if problem else 'no address'}.")
    return bound


def _bind(family: int, kind: int, protocol: int, address: object) -> socket.socket:
    one = socket.socket(family, kind, protocol)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # not kept out by the last server's old connections
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(address)  # type: ignore[arg-type]
        one.listen(128)  # two sockets may share an address until one listens
    except OSError:
        one.close()
        raise
    return one


def _reason(error: OSError, port: int) -> str:
    if error.errno == errno.EACCES:
        return f"Port {port} is not for ordinary users: try ./play --port 8000."
    return f"Port {port} is taken: try ./play --port {port + 1 if port < 65535 else 8000}."


def addresses(host: str) -> list[str]:
    """The names and addresses under which a server at ``host`` is reached from elsewhere, without duplicates."""
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104 (only compared)
        return [host]
    found = [_outward(socket.AF_INET, "192.0.2.1")]  # an address for documentation: nothing is sent, only routed
    if host == "::":
        found.append(_outward(socket.AF_INET6, "2001:db8::1"))
    name = socket.gethostname()
    return [place for place in dict.fromkeys([*found, name]) if place]


def _outward(family: int, towards: str) -> str:
    """The address of this machine on the way to ``towards``; empty if there is no way."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((towards, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
