"""Records from anywhere: read without trust, and said to be of the right shape before anything looks into them. Pure.

What is refused here never reaches the rules: text that is too long or nested too deep, a key that stands there twice,
numbers that are none, fields that are missing, unknown or of another kind.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from games.engine import MAX_STEP_LENGTH, MAX_STEPS
from games.verify.words import plain
from games.wording import Sentence, mark as _

MOST_BYTES = 1024 * 1024
"""The longest record that is read; several times the longest that is known."""

MOST_ROWS = 5_000
"""Rows of the longest record that is read."""

MOST_SEATS = 8

LONGEST_NAME = 60

FAR = 10**10
"""Seconds that no match takes."""

EXACT = 2**53
"""From here on not every program reads a number as it stands."""

DEEPEST = 20
"""How deep values may be nested."""

FORMAT = "na-tahu/1"

Check = Callable[[Any], bool]


class Unreadable(ValueError):
    """No record that can be checked; ``why`` says so."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(plain(why))
        self.why = why


def read(text: bytes) -> dict[str, Any]:
    """The record in a file. Raises Unreadable for anything that is not a whole record."""
    if len(text) > MOST_BYTES:
        raise Unreadable(Sentence(_("The file is longer than {size} KB."), size=MOST_BYTES // 1024))
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Unreadable(Sentence(_("The file is not text in UTF-8."))) from None
    except RecursionError:
        raise Unreadable(Sentence(_("The file is nested too deep."))) from None
    except Unreadable:
        raise
    except ValueError:  # also for a number of thousands of digits
        raise Unreadable(Sentence(_("The file is not JSON."))) from None
    if (wrong := misshapen(value)) is not None:
        raise Unreadable(wrong)
    record: dict[str, Any] = value
    return record


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object each of whose keys stands there once: of two values another reader might take the other."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable(Sentence(_("A key stands twice in one object.")))
    return found


def _no_number(name: str) -> None:
    raise Unreadable(Sentence(_("{name} is no number."), name=name))


def misshapen(value: Any) -> Sentence | None:
    """What is wrong with the shape of a whole record; None if nothing is."""
    if not isinstance(value, dict):
        return Sentence(_("A record is a JSON object."))
    if not _plain(value):
        return Sentence(_("Something in the record is nested too deep, or is a number or text that cannot be kept."))
    if value.get("format") != FORMAT:
        return Sentence(_("The format is not the one that is known here: {format}."), format=FORMAT)
    if "seed" not in value:
        return Sentence(_("The record has no seed: its match was not over, so that nothing can be checked."))
    return (
        _wrong(value, HEAD, Sentence(_("the record")))
        or _first(value["seats"], SEAT, _("seat {number}"))
        or _first(value["rows"], ROW, _("row {number}"))
        or (None if value["outcome"] is None else _wrong(value["outcome"], OUTCOME, Sentence(_("the outcome"))))
        or next((said for row in value["rows"] if (said := _of_the_site(row, len(value["seats"])))), None)
    )


def _plain(value: Any, depth: int = 0) -> bool:
    """Whether a value can be kept anywhere: not nested too deep, no half of a character, no NUL, no giant number."""
    if depth > DEEPEST:
        return False
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, (int, float)):
        return math.isfinite(value) and abs(value) < EXACT
    if isinstance(value, dict):
        return all(_plain(one, depth + 1) for pair in value.items() for one in pair)
    if isinstance(value, list):
        return all(_plain(one, depth + 1) for one in value)
    return True


def _wrong(value: Any, fields: Mapping[str, Check], where: Sentence) -> Sentence | None:
    """What is wrong with an object that has all of these fields and no others; None for nothing."""
    if not isinstance(value, dict):
        return Sentence(_("In {where}: it is no object."), where=where)
    for name, good in fields.items():
        if name not in value:
            return Sentence(_("In {where}: {name} is missing."), where=where, name=name)
        if not good(value[name]):
            return Sentence(_("In {where}: {name} is not what it can be."), where=where, name=name)
    for name in value:
        if name not in fields and not (fields is HEAD and name == "demo" and _is_object(value[name])):
            return Sentence(_("In {where}: {name} is not known."), where=where, name=_shown(name))
    return None


def _shown(name: str) -> str:
    """A name of somebody's own choice as a terminal may be given it: what would steer it is a question mark."""
    return "".join(sign if sign.isprintable() else "?" for sign in name[:40])


def _first(values: list[Any], fields: Mapping[str, Check], text: str) -> Sentence | None:
    """What is wrong with the first of these objects that is not right."""
    found = (_wrong(value, fields, Sentence(text, number=number)) for number, value in enumerate(values, start=1))
    return next((wrong for wrong in found if wrong), None)


def _int(low: int, high: int) -> Check:
    return lambda value: type(value) is int and low <= value <= high


def _text(pattern: str, longest: int = 100) -> Check:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and len(value) <= longest and compiled.fullmatch(value) is not None


def _visible(longest: int) -> Check:
    """One line of what is seen as it stands: nothing that steers a terminal or turns the direction of reading."""
    return lambda value: isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()


def _one_of(*values: Any) -> Check:
    return lambda value: any(value is one or (value == one and type(value) is type(one)) for one in values)


def _list(longest: int, shortest: int = 0) -> Check:
    return lambda value: isinstance(value, list) and shortest <= len(value) <= longest


def _maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and -FAR < value < FAR


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _options(value: Any) -> bool:
    """Options are few, and each is one plain value."""
    return isinstance(value, dict) and len(value) <= 40 and all(type(one) in (bool, int, str) for one in value.values())


HEX = _text(r"[0-9a-f]{64}")
NUMBER = _int(0, MOST_SEATS - 1)
KINDS = ("start", "play", "resign", "timeout", "clock", "cancel", "pause", "resume", "takeover", "return")
"""Every kind of row there is."""

# Demo matches also say how long ago they were played ("demo").
HEAD: dict[str, Check] = {
    "format": _one_of(FORMAT),
    "id": _text(r"[A-Za-z0-9_-]+", 40),
    "game": _text(r"[a-z0-9_]+", 40),
    "rules_version": _int(1, 10_000),
    "options": _options,
    "commitment": HEX,
    "seed": HEX,
    "seats": _list(MOST_SEATS, 1),
    "rows": _list(MOST_ROWS, 1),
    "outcome": _maybe(_is_object),
    "checksum": HEX,
}
SEAT: dict[str, Check] = {
    "name": _visible(LONGEST_NAME),
    "joined": NUMBER,
    "entropy": _text(r"[0-9a-f]{32}"),
}
ROW: dict[str, Check] = {
    "number": _int(1, MOST_ROWS),
    "kind": _one_of(*KINDS),
    "seat": _maybe(NUMBER),
    "text": lambda value: isinstance(value, str) and len(value) <= MAX_STEPS * (MAX_STEP_LENGTH + 2),
    "at": _seconds,
    "news": lambda value: isinstance(value, list) and len(value) <= 500 and all(map(_is_object, value)),
    "digest": HEX,
}
OUTCOME: dict[str, Check] = {
    "places": lambda value: _list(MOST_SEATS)(value) and all(map(_int(1, MOST_SEATS), value)),
    "reason": _visible(40),
}

CLOCK: dict[str, Check] = {
    "what": _one_of("clock"),
    "why": _one_of("downtime", "holiday", "pause", "back", "grant"),
    "seat": NUMBER,
    "seconds": _int(-FAR, FAR),
}
AFTER_PAUSE = CLOCK | {"why": _one_of("pause")}


def _agreed(value: Any) -> bool:
    return _list(MOST_SEATS, 1)(value) and all(map(NUMBER, value))


def _left(how: str) -> dict[str, Check]:
    return {"what": _one_of("left"), "seat": NUMBER, "how": _one_of(how), "then": _one_of("bot", "vacant", "end")}


NEWS: dict[str, dict[str, Check]] = {
    "resign": _left("resign"),
    "timeout": _left("timeout"),
    "clock": CLOCK,
    "pause": {"what": _one_of("paused"), "agreed": _agreed},
    "resume": {"what": _one_of("resumed"), "seat": _maybe(NUMBER)},
    "cancel": {"what": _one_of("cancelled"), "seat": NUMBER},
    "takeover": {"what": _one_of("took_over"), "seat": NUMBER, "then": _one_of("person", "bot")},
    "return": {"what": _one_of("came_back"), "seat": NUMBER},
}
"""The news of the rows that do not go to the rules, which the rules therefore cannot check."""

MOMENT = _text(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}[+]00:00", 32)

OF_A_SEAT = ("resign", "timeout", "takeover", "return")
"""Of these the news tell of the seat of the row itself."""


def _of_the_site(row: Mapping[str, Any], seats: int) -> Sentence | None:
    """What is wrong with a row that is none of the game's; None for nothing, or for a row of the game."""
    kind, news, where = row["kind"], row["news"], Sentence(_("row {number}"), number=row["number"])
    strange = Sentence(_("In {where}: a row of this kind is never so."), where=where)
    nobody = Sentence(_("In {where}: there is no such seat."), where=where)
    if row["seat"] is not None and row["seat"] >= seats:
        return nobody
    if kind not in NEWS:
        return None
    if row["text"] or not news:
        return strange
    # The row that ends a pause may give time as well; who agreed to call a match off is told if others had to; of
    # who ran out of time it is told when that was.
    optional: dict[str, Check] = {name: _agreed for name in ("agreed",) if kind == "cancel" and name in news[0]}
    optional |= {"by": NUMBER} if kind == "clock" and news[0].get("why") == "grant" else {}
    optional |= {"due": MOMENT} if kind == "timeout" and "due" in news[0] else {}
    shapes = [NEWS[kind] | optional] + [AFTER_PAUSE] * (kind == "resume" and len(news) == 2)
    if len(shapes) != len(news):
        return strange
    for value, shape in zip(news, shapes, strict=True):
        if wrong := _wrong(value, shape, where):
            return wrong
        if kind in OF_A_SEAT and value["seat"] != row["seat"]:
            return strange
        told = [value.get("seat"), value.get("by"), *value.get("agreed", ())]
        if any(one is not None and one >= seats for one in told):
            return nobody
    return None
