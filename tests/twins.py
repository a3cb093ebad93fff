"""Twin worlds: the site if all that is hidden from a viewer were something else, which they cannot tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from games import states
from games.chance import seeded


@contextmanager
def twin_world(viewer: int | None, number: int = 1) -> Iterator[None]:
    """Within, each state that is loaded is one that the viewer imagines behind what they see; ``number`` says which."""
    true_load = states.load

    def twin(found: Any, seats: list[Any], wanted: int | None = None) -> Any:
        true = true_load(found, seats, wanted)
        return found.rules.imagine(found.rules.observe(true, viewer), seeded(number))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "load", twin)
        yield
