"""Frozen values that change quickly."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest

from games.values import Value


@dataclass(frozen=True)
class Card(Value):
    """A value for these tests."""

    colour: str
    number: int = 1


def test_but_is_a_new_value_of_the_same_kind() -> None:
    card = Card("red", 2)
    changed = card.but(number=3)
    assert type(changed) is Card
    assert (changed, hash(changed)) == (Card("red", 3), hash(Card("red", 3)))
    assert card == Card("red", 2)


def test_what_but_gives_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Card("red").but(number=3).number = 4  # type: ignore[misc]


def test_but_knows_no_other_fields() -> None:
    with pytest.raises(TypeError, match="no field of Card: size"):
        Card("red").but(size=1)
