"""The only use of the channel layer: telling who watches that a match moved on."""

from __future__ import annotations

import asyncio
import logging
import threading

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


def announce(match_id: int, version: int) -> None:
    """Says "match so-and-so is at this version" to its watchers. Never raises: pages also find out by asking."""
    try:
        layer = get_channel_layer()
        if layer is None:
            return
        message = {"type": "look", "match": match_id, "version": version}
        asyncio.run_coroutine_threadsafe(layer.group_send(f"match.{match_id}", message), _running_loop()).result(
            PATIENCE
        )
    except Exception:
        log.warning("announcing match %s failed", match_id, exc_info=True)
