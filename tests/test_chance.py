"""Committed randomness: published test vectors, an independent reading of the scheme, and fairness."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from games import chance
from games.chance import Stream, commitment, seeded

SEED = bytes(range(32))
ENTROPY = (b"b" * 16, b"a" * 16)


class Plain:
    """The scheme once more, as its description reads."""

    def __init__(self, seed: bytes, entropy: tuple[bytes, ...], row: int) -> None:
        self.numbers = self._numbers(seed, b"".join(sorted(entropy)), row)

    @staticmethod
    def _numbers(seed: bytes, mix: bytes, row: int) -> Iterator[int]:
        block = 0
        while True:
            message = b"na-tahu/stream/1" + b"\x00" + row.to_bytes(8, "big") + block.to_bytes(8, "big") + mix
            digest = hmac.new(seed, message, hashlib.sha256).digest()
            yield from (int.from_bytes(digest[start : start + 8], "big") for start in (0, 8, 16, 24))
            block += 1

    def roll(self, faces: int) -> int:
        largest = (2**64 // faces) * faces
        return next(number for number in self.numbers if number < largest) % faces

    def shuffle(self, items: str) -> tuple[str, ...]:
        order = list(items)
        for place in reversed(range(1, len(order))):
            other = self.roll(place + 1)
            order[place], order[other] = order[other], order[place]
        return tuple(order)


def test_published_vectors() -> None:
    """These values must never change: every finished match is checked with them."""
    assert commitment("abc123", SEED) == "ea72eb23a8ff09d933b8511840b96c1c2e92ee90d738d96709f6c1a4420b5b05"
    assert [Stream(SEED, ENTROPY, 1).roll(6) for _again in range(3)] == [2, 2, 2]
    dice = Stream(SEED, ENTROPY, 2)
    assert [dice.roll(6) for _throw in range(12)] == [5, 2, 3, 2, 1, 1, 2, 1, 3, 0, 3, 5]
    assert "".join(Stream(SEED, ENTROPY, 1).shuffle("abcdefghijklmnopqrstuvwxyz")) == "mxnveuwhpibjdqtalyksfzgrco"
    assert "".join(Stream(SEED, (), 0).shuffle("ABCD")) == "CBAD"


@pytest.mark.parametrize("row", [0, 1, 2, 500, 2**40])
def test_an_independent_reading_agrees(row: int) -> None:
    ours, plain = Stream(SEED, ENTROPY, row), Plain(SEED, ENTROPY, row)
    faces = [1, 2, 3, 6, 7, 49, 1000, 2**63 + 1, 2**64]
    assert [ours.roll(face) for face in faces * 5] == [plain.roll(face) for face in faces * 5]
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    assert ours.shuffle(letters) == plain.shuffle(letters)


def test_the_commitment_binds_seed_and_match() -> None:
    assert commitment("a", SEED) == hashlib.sha256(b"na-tahu/commitment/1\x00a\x00" + SEED).hexdigest()
    assert len({commitment("a", SEED), commitment("b", SEED), commitment("a", SEED[::-1])}) == 3


def test_every_seat_has_a_say_and_their_order_has_none() -> None:
    def first(entropy: tuple[bytes, ...], row: int = 1, seed: bytes = SEED) -> tuple[int, ...]:
        return Stream(seed, entropy, row).shuffle(range(20))

    assert first(ENTROPY) == first(ENTROPY[::-1])
    others = [first(ENTROPY[:1]), first((*ENTROPY, b"c")), first(ENTROPY, 2), first(ENTROPY, 1, SEED[::-1])]
    assert len({first(ENTROPY), *others}) == 5


def test_numbers_at_or_above_the_largest_multiple_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**64 - 1 is a multiple of 3, so only the highest number is thrown away; 2**64 is one of 2, so none is."""
    top = 2**64 - 1
    blocks = iter([top, top, top - 1, 0, top, 5, 7, 1])
    answers = iter([b"".join(number.to_bytes(8, "big") for number in [next(blocks) for _n in range(4)]) for _b in "12"])
    monkeypatch.setattr(chance.hmac, "digest", lambda key, message, name: next(answers))
    stream = Stream(SEED, (), 0)
    assert stream.roll(3) == (top - 1) % 3 == 2
    assert stream.roll(3) == 0
    assert stream.roll(2) == 1  # the highest number again, and now it counts
    assert [stream.roll(2**64), stream.roll(2**64)] == [5, 7]
    assert stream.roll(1) == 0


@pytest.mark.parametrize("faces", [0, -1])
def test_a_die_needs_a_face(faces: int) -> None:
    with pytest.raises(ValueError, match="face"):
        seeded(1).roll(faces)


def chi_square(counts: Counter[object], kinds: int) -> float:
    expected = counts.total() / kinds
    missing = (kinds - len(counts)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize(("faces", "limit"), [(2, 10.8), (3, 13.8), (6, 20.5), (7, 22.5), (49, 84.0)])
def test_rolls_are_even(faces: int, limit: float) -> None:
    """The limits are those that one fair die in a thousand exceeds; the seeds are fixed."""
    dice = seeded(faces)
    assert chi_square(Counter(dice.roll(faces) for _throw in range(20_000)), faces) < limit


def test_every_order_is_equally_likely() -> None:
    dice = seeded(4)
    counts = Counter(dice.shuffle("abcd") for _again in range(24_000))
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24) < 49.7


def test_every_card_is_equally_likely_in_every_place() -> None:
    dice = seeded(10)
    orders = [dice.shuffle(range(10)) for _again in range(5_000)]
    assert all(chi_square(Counter(order[place] for order in orders), 10) < 33.8 for place in range(10))


def test_a_shuffle_leaves_its_argument() -> None:
    items = [1, 2, 3]
    assert sorted(seeded(1).shuffle(items)) == items == [1, 2, 3]
    assert seeded(1).shuffle(()) == ()


def test_secrets_are_long_and_differ() -> None:
    assert len(chance.new_seed()) == chance.SEED_BYTES == 32
    assert len(chance.new_entropy()) == chance.ENTROPY_BYTES == 16
    assert chance.new_seed() != chance.new_seed()
    assert chance.fresh().shuffle(range(30)) != chance.fresh().shuffle(range(30))
