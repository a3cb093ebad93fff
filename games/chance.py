"""Committed randomness: 32 secret bytes a match, one stream of draws a log row. Pure.

The scheme, for who wants to check a finished match by hand:

* commitment = SHA-256("na-tahu/commitment/1" NUL match-id NUL seed), shown from the start;
* mix = the seats' own bytes, sorted, joined;
* block c of the stream of row n = HMAC-SHA256(key=seed, "na-tahu/stream/1" NUL n c mix), n and c as 8 bytes, big
  end first;
* the blocks are read as 8-byte numbers, big end first; to draw below f a number at or above the largest multiple of f
  that fits is thrown away, the rest is taken modulo f;
* a shuffle is Fisher-Yates from the last place down: place i is exchanged with place draw(i + 1).

Stream 0 shuffles the seats; the stream of row 1 is the first of the game.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
ENTROPY_BYTES = 16
_RANGE = 2**64


class Chance(Protocol):
    """Where shuffles and rolls come from; scripted ones plug in."""

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order, each order equally likely."""
        ...

    def roll(self, faces: int) -> int:
        """A number from 0 to ``faces`` - 1, each equally likely."""
        ...


class Stream:
    """The draws of one log row: the same seed, bytes and row give the same draws for ever."""

    def __init__(self, seed: bytes, entropy: Iterable[bytes], row: int) -> None:
        self._seed = seed
        self._head = b"na-tahu/stream/1\0" + row.to_bytes(8, "big")
        self._mix = b"".join(sorted(entropy))
        self._count = 0
        self._block = b""

    def _number(self) -> int:
        if not self._block:
            message = self._head + self._count.to_bytes(8, "big") + self._mix
            self._block = hmac.digest(self._seed, message, "sha256")
            self._count += 1
        number = int.from_bytes(self._block[:8], "big")
        self._block = self._block[8:]
        return number

    def roll(self, faces: int) -> int:
        """A number from 0 to ``faces`` - 1. Raises ValueError for no faces."""
        if faces < 1:
            raise ValueError("a die needs a face")
        limit = _RANGE - _RANGE % faces
        while (number := self._number()) >= limit:
            pass
        return number % faces

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order (Fisher-Yates)."""
        order = list(items)
        for place in range(len(order) - 1, 0, -1):
            other = self.roll(place + 1)
            order[place], order[other] = order[other], order[place]
        return tuple(order)


def new_seed() -> bytes:
    """The secret of a new match."""
    return secrets.token_bytes(SEED_BYTES)


def new_entropy() -> bytes:
    """The bytes a seat adds on joining."""
    return secrets.token_bytes(ENTROPY_BYTES)


def fresh() -> Stream:
    """Chance that belongs to no match: for bots, previews and tests."""
    return Stream(new_seed(), (), 0)


def seeded(number: int) -> Stream:
    """Repeatable chance for tests and measurements, one per number."""
    return Stream(number.to_bytes(SEED_BYTES, "big"), (), 0)


def commitment(match_id: str, seed: bytes) -> str:
    """What is shown before the start and proves afterwards that the seed was not exchanged (hex)."""
    return hashlib.sha256(b"na-tahu/commitment/1\0" + match_id.encode() + b"\0" + seed).hexdigest()
