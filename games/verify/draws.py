"""Every draw of a match, one by one: what a browser works out again from the seed alone. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from games import verify
from games.chance import Stream
from games.engine import Game

T = TypeVar("T")


class Traced(Stream):
    """A stream that remembers what was drawn from it."""

    def __init__(self, seed: bytes, entropy: Iterable[bytes], row: int) -> None:
        super().__init__(seed, entropy, row)
        self.drawn: list[dict[str, Any]] = []

    def roll(self, faces: int) -> int:
        """As ``Stream`` does."""
        face = super().roll(faces)
        self.drawn.append({"roll": faces, "gives": face})
        return face

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """As ``Stream`` does; remembered is which place each item came from."""
        before = len(self.drawn)
        order = super().shuffle(range(len(items)))
        del self.drawn[before:]  # a shuffle is made of rolls
        self.drawn.append({"shuffle": len(items), "gives": list(order)})
        return tuple(items[place] for place in order)


def draws(record: Mapping[str, Any], game: Game[Any]) -> list[dict[str, Any]]:
    """What each row of a record that is known to be true drew from its stream, in order; rows without are left out.

    Row 0 is the shuffle of the seats.
    """
    seed = bytes.fromhex(record["seed"])
    seats = [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
    order = {"shuffle": len(seats), "gives": [seat["joined"] for seat in record["seats"]]}
    found: list[dict[str, Any]] = [{"row": 0, "draws": [order]}]
    state: Any = None
    for row in record["rows"]:
        if row["kind"] not in verify.RULES:
            continue
        chance = Traced(seed, seats, row["number"])
        state, _news = verify.advance(game, record["options"], len(seats), state, row["kind"], row["text"], chance)
        if chance.drawn:
            found.append({"row": row["number"], "draws": chance.drawn})
    return found
