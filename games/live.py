"""The only use of the channel layer: telling who watches that a match moved on."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterable
from typing import Any

from channels.layers import get_channel_layer

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds that an announcement may take; a move is never kept waiting longer."""

_loop: asyncio.AbstractEventLoop | None = None
_lock = threading.Lock()


def use_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Announcements of this process go through ``loop``: the server's own, where its sockets live."""
    global _loop
    _loop = loop


def _running_loop() -> asyncio.AbstractEventLoop:
    """The server's loop, or one in a thread of its own for processes without sockets."""
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="announcements", daemon=True).start()
        return _loop


def match_group(match_id: int) -> str:
    """The group of those who look at a match."""
    return f"match.{match_id}"


def user_group(user_id: int) -> str:
    """The group of a user's pages."""
    return f"user.{user_id}"


def announce(match_id: int, users: Iterable[int] = ()) -> None:
    """Says "look again" to who looks at a match and to the pages of ``users``, whose turns may have changed."""
    _send([match_group(match_id), *map(user_group, users)], "look")


def announce_all(matches: Iterable[int]) -> None:
    """Says "look again" to who looks at any of these matches."""
    _send([match_group(match) for match in matches], "look")


def tell(users: Iterable[int]) -> None:
    """Says "look again" to the pages of ``users`` alone: what they are told of has changed."""
    _send([user_group(user) for user in users], "look")


def recheck(user_id: int) -> None:
    """Makes the sockets of a user look whether their session still holds: it ended, or the password is new."""
    _send([user_group(user_id)], "recheck")


def _send(groups: list[str], kind: str) -> None:
    """Sends a hint. Never raises and never takes long: pages also find out by asking."""
    try:
        layer = get_channel_layer()
        if layer is not None:
            asyncio.run_coroutine_threadsafe(_send_all(layer, groups, kind), _running_loop()).result(PATIENCE)
    except Exception:  # whatever the layer raises: the move is made, and a lost hint only delays
        log.warning("announcing to %s failed", groups, exc_info=True)


async def _send_all(layer: Any, groups: list[str], kind: str) -> None:
    for group in groups:
        await layer.group_send(group, {"type": kind})
