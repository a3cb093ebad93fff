"""A table for a game that has none of its own: any observation, readably, and the legal steps as buttons. Pure.

A title's ``words`` may help: ``LABELS`` (key of the observation to its name;
keys without one are then left out) and ``PIECES`` (key to the kind of the
pieces that stand there).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.wording import Pieces, Seat, Sentence, Words, mark as _

TEMPLATE = "games/plain_table.html"


@dataclass(frozen=True, slots=True)
class Node:
    """A fact of the observation: its name, its value, and what is inside it."""

    label: Sentence
    value: Sentence | None
    inside: tuple[Node, ...]


def table(
    words: Words, observation: Mapping[str, Any], legal: Sequence[str], *, asking: bool, over: bool
) -> dict[str, Any]:
    """What the plain table's template is given: ``facts`` of the whole table, ``seats`` with theirs, ``steps``."""
    names: Mapping[str, str] = getattr(words, "LABELS", {})
    kinds: Mapping[str, str] = getattr(words, "PIECES", {})
    seats = observation.get("seats", ())
    apart = ("viewer", "options", "seats", "active")
    return {
        "facts": [
            node for key in observation if key not in apart for node in _node(key, observation[key], names, kinds)
        ],
        "seats": [
            {"number": number, "facts": [node for key in seat for node in _node(key, seat[key], names, kinds)]}
            for number, seat in enumerate(seats)
        ],
        "active": None if over else observation.get("active"),
        "steps": [{"step": step, "label": words.step(step, observation)} for step in legal] if asking else [],
        "tone": "",
        "consequence": None,
    }


def _node(key: str, value: Any, names: Mapping[str, str], kinds: Mapping[str, str]) -> list[Node]:
    """The fact as a node; none for a fact that has no name where others have one, or that says nothing."""
    if (names and key not in names) or value in (None, "", [], {}):
        return []
    label = Sentence(names.get(key, key.replace("_", " ")))
    if isinstance(value, dict):
        return [Node(label, None, tuple(node for name in value for node in _node(name, value[name], names, kinds)))]
    if isinstance(value, list) and all(isinstance(one, list) for one in value):
        groups = [Sentence("({group})", group=_said(key, one, kinds)) for one in value if one]
        return [Node(label, Sentence("{groups}", groups=groups), ())]
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        inside = [node for number, one in enumerate(value) for node in _numbered(number, key, one, names, kinds)]
        return [Node(label, None, tuple(inside))]
    return [Node(label, _said(key, value, kinds), ())]


def _numbered(number: int, key: str, value: Any, names: Mapping[str, str], kinds: Mapping[str, str]) -> list[Node]:
    """One of several values that are not simple, under its number."""
    label = Sentence("{number}", number=number + 1)
    if isinstance(value, dict):
        return [Node(label, None, tuple(node for name in value for node in _node(name, value[name], names, kinds)))]
    return [Node(label, _said(key, value, kinds), ())]


def _said(key: str, value: Any, kinds: Mapping[str, str]) -> Sentence:
    """A simple value, or a list of such, as a sentence: pieces where the title says so."""
    values = value if isinstance(value, list) else [value]
    if key in kinds and not isinstance(value, (bool, int)):
        pieces = tuple(str(one) for one in values if one not in (None, ""))
        return Sentence("{pieces}", pieces=Pieces(kinds[key], pieces))
    if isinstance(value, bool):
        return Sentence(_("yes") if value else _("no"))
    if key in ("caller", "offered", "first") and isinstance(value, int):
        return Sentence("{seat}", seat=Seat(value))
    return Sentence("{value}", value=", ".join("–" if one in (None, "") else str(one) for one in values))  # noqa: RUF001
