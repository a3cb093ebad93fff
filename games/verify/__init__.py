"""A match as a record, and the proof that its log is what rules and seed make of it. Pure, standard library only.

A record is one JSON value: ``format``, ``id``, ``game``, ``rules_version``, ``options``, ``commitment``, ``seed``,
``seats`` (``name``, ``joined``, ``entropy``), ``rows`` (``number``, ``kind``, ``seat``, ``text``, ``at`` in seconds
since the start, ``news``, ``digest``), ``outcome`` (``places``, ``reason``; null while it runs) and ``checksum``.
What is read from a file is to be taken by ``reading``, which says whether it has this shape.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from games import engine
from games.chance import Stream, commitment
from games.engine import Game, IllegalMove, News
from games.verify.reading import FORMAT as FORMAT

S = TypeVar("S")

LEAVING = ("resign", "timeout")
"""Kinds of rows by which a seat leaves."""

IN_TIME = ("play", "timeout")
"""Kinds of rows that need a clock that runs."""

BACK = ("takeover", "return")
"""Kinds of rows by which a person sits there again; where a bot takes over, the seat stays one that was left."""

RULES = ("start", "play")
"""Kinds of rows that go to the rules; all others leave the state as it is."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record is not what it should be: the row (0: the head of the record) and which part of it."""

    version: int
    what: str


def canonical(value: Any) -> bytes:
    """The one JSON text of a value: sorted keys, no blanks, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(seed: bytes, previous: str, row: Mapping[str, Any], observation: Mapping[str, Any]) -> str:
    """The link of one row in the chain (hex): over the row before, the row itself and the open state after it.

    ``previous`` of row 1 is the commitment. ``row`` needs number, kind, seat, text and news.
    """
    own = [row["number"], row["kind"], row["seat"], row["text"], row["news"], observation]
    return hmac.digest(seed, previous.encode() + canonical(own), "sha256").hex()


def checksum(record: Mapping[str, Any]) -> str:
    """SHA-256 (hex) over a whole record but this field itself.

    It tells a damaged file, names and times included. It proves nothing against who makes another one to fit.
    """
    return hashlib.sha256(canonical({name: value for name, value in record.items() if name != "checksum"})).hexdigest()


def left(rows: Iterable[Mapping[str, Any]]) -> dict[int, tuple[int, str, str]]:
    """The seats that were left, in the order of leaving: the row, how, and what came then: "bot", "vacant", "end".

    Raises ValueError for a seat that is left twice, or where somebody comes back who never left.
    """
    found: dict[int, tuple[int, str, str]] = {}
    for row in rows:
        if row["kind"] in LEAVING + BACK and (row["seat"] in found) == (row["kind"] in LEAVING):
            raise ValueError(f"row {row['number']}: {row['kind']}")
        if row["kind"] in LEAVING:
            found[row["seat"]] = row["number"], row["kind"], row["news"][-1]["then"]
        elif row["kind"] == "takeover" and row["news"][-1]["then"] == "bot":
            found[row["seat"]] = (*found[row["seat"]][:2], "bot")  # keeps its place in the order
        elif row["kind"] in BACK:
            del found[row["seat"]]
    return found


def leavers(rows: Iterable[Mapping[str, Any]]) -> list[int]:
    """The seats that left and where no person sits again, in the order of leaving."""
    return list(left(rows))


def paused_at(rows: Iterable[Mapping[str, Any]]) -> Any:
    """When (``at`` of the row) a match was paused that still is after these rows; None if its time runs."""
    since: Any = None
    for row in rows:
        if row["kind"] in ("pause", "resume"):
            since = row["at"] if row["kind"] == "pause" else None
    return since


def seat_order(seed: bytes, entropy: Sequence[bytes]) -> tuple[int, ...]:
    """Who sits where: the n-th value is the order of joining of seat n."""
    return Stream(seed, entropy, 0).shuffle(range(len(entropy)))


def check(record: Mapping[str, Any], game: Game[Any]) -> list[Difference]:
    """The differences between a record and what the rules make of its seed and texts; empty when it is true.

    A chain breaks at its first wrong link, so within the rows only the first difference is named.
    """
    found: list[Difference] = []
    seed = bytes.fromhex(record["seed"])
    entropy = [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
    if record["commitment"] != commitment(record["id"], seed):
        found.append(Difference(0, "seed"))
    joined = [seat["joined"] for seat in record["seats"]]
    by_joining = [entropy[joined.index(order)] for order in range(len(joined))] if _is_order(joined) else entropy
    if len(joined) not in game.seat_counts:
        return [*found, Difference(0, "seats")]
    if tuple(joined) != seat_order(seed, by_joining):
        found.append(Difference(0, "seats"))
    if (record["game"], record["rules_version"]) != (game.slug, game.version):
        found.append(Difference(0, "rules"))
    state: Any = None
    paused = over = over_by = False
    previous = record["commitment"]
    for number, row in enumerate(record["rows"], start=1):
        try:
            state, wrong = _row(game, record, state, number, row, Stream(seed, entropy, number))
            over_by = ends(row)
        except IllegalMove as refused:
            wrong = f"text ({refused.reason})"
        except (engine.BadOptions, ValueError, KeyError, TypeError, IndexError) as broken:
            wrong = f"replay ({type(broken).__name__})"
        wrong = wrong or ("end" if over else _in_pause(row["kind"], paused))
        over = over_by or (state is not None and game.outcome(state) is not None)
        paused = row["kind"] == "pause" or (paused and row["kind"] != "resume")
        if not wrong and row["digest"] != digest(seed, previous, row, game.observe(state, "open")):
            wrong = "digest"
        if wrong:
            return [*found, Difference(number, wrong)]
        previous = row["digest"]
    try:
        gone = leavers(record["rows"])
    except (ValueError, KeyError, TypeError, IndexError):
        return [*found, Difference(len(record["rows"]), "seats left")]
    if record["outcome"] != _result(game, record["rows"], state, len(entropy), gone):
        found.append(Difference(len(record["rows"]), "outcome"))
    return found


def check_file(record: Mapping[str, Any], game: Game[Any]) -> list[Difference]:
    """The same for a record from a file: names and times, which nothing else binds, are held to the checksum."""
    found = check(record, game)
    return found or [Difference(0, "checksum")] * (record["checksum"] != checksum(record))


def ends(row: Mapping[str, Any]) -> bool:
    """Whether a match ends with this row although the rules would go on."""
    last = row["news"][-1] if row["news"] else {}
    return row["kind"] == "cancel" or (row["kind"] in LEAVING and last.get("then") == "end")


def _result(
    game: Game[Any], rows: Sequence[Mapping[str, Any]], state: Any, seats: int, gone: Sequence[int]
) -> dict[str, Any] | None:
    """The outcome as a record has it; None for a match that is not over, or was called off."""
    by_rules = game.outcome(state) if state is not None else None
    last = rows[-1] if rows else None
    if by_rules is None and (last is None or last["kind"] not in LEAVING or not ends(last)):
        return None
    places = list(engine.places(by_rules, seats, gone))
    return {"places": places, "reason": by_rules.reason if by_rules else last["kind"] if last else ""}


def _is_order(numbers: Sequence[int]) -> bool:
    return sorted(numbers) == list(range(len(numbers)))


def _in_pause(kind: str, paused: bool) -> str:
    """What is wrong with a row of this kind while the match is paused, or while it is not ("" for nothing)."""
    return "pause" if (kind in (*IN_TIME, "pause") if paused else kind == "resume") else ""


def _row(
    game: Game[Any], record: Mapping[str, Any], state: Any, number: int, row: Mapping[str, Any], chance: Stream
) -> tuple[Any, str]:
    """The state after one row and what is wrong with the row ("" for nothing)."""
    if row["number"] != number or (row["kind"] == "start") != (number == 1):
        return state, "order"
    if row["kind"] not in RULES:
        return state, ""
    if row["kind"] == "play" and row["seat"] != game.active_seat(state):
        return state, "seat"
    state, news = advance(game, record["options"], len(record["seats"]), state, row["kind"], row["text"], chance)
    return state, "" if canonical(row["news"]) == canonical(news) else "news"


def advance(
    game: Game[S], options: Mapping[str, Any], seats: int, state: S | None, kind: str, text: str, chance: Stream
) -> tuple[S, tuple[News, ...]]:
    """The state and news after one start or play row: the one way rows become states."""
    if kind == "start" or state is None:
        return engine.start(game, engine.options_from(game, options), seats, chance)
    return engine.play(game, state, engine.split(text), chance)


def last_state(record: Mapping[str, Any], game: Game[Any]) -> Any:
    """The state after the last row of a record that is known to be true."""
    seed = bytes.fromhex(record["seed"])
    entropy = [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
    state: Any = None
    for row in record["rows"]:
        if row["kind"] in RULES:
            chance = Stream(seed, entropy, row["number"])
            state, _news = advance(game, record["options"], len(entropy), state, row["kind"], row["text"], chance)
    return state


def make(
    game: Game[Any],
    options: Mapping[str, Any],
    *,
    match_id: str,
    seed: bytes,
    entropy: Sequence[bytes],
    names: Sequence[str],
    choose: Callable[[Any, int], list[str]],
    rows: int = 10_000,
    seconds: int = 60,
) -> dict[str, Any]:
    """A record played by ``choose(state, seat) -> steps``, to its end or for so many rows, one every ``seconds``.

    ``entropy`` and ``names`` are in the order of joining.
    """
    order = seat_order(seed, entropy)
    mixed = [entropy[joined] for joined in order]
    record: dict[str, Any] = {
        "format": FORMAT,
        "id": match_id,
        "game": game.slug,
        "rules_version": game.version,
        "options": dict(options),
        "commitment": commitment(match_id, seed),
        "seed": seed.hex(),
        "seats": [{"name": names[joined], "joined": joined, "entropy": entropy[joined].hex()} for joined in order],
        "rows": [],
        "outcome": None,
    }
    state: Any = None
    previous = record["commitment"]
    while len(record["rows"]) < rows and (state is None or game.outcome(state) is None):
        number = len(record["rows"]) + 1
        seat = None if state is None else game.active_seat(state)
        text = "" if seat is None else engine.join(choose(state, seat))
        kind = "play" if state is not None else "start"
        state, news = advance(game, options, len(order), state, kind, text, Stream(seed, mixed, number))
        row: dict[str, Any] = {"number": number, "kind": kind, "seat": seat, "text": text}
        row |= {"at": (number - 1) * seconds, "news": json.loads(canonical(news))}
        previous = row["digest"] = digest(seed, previous, row, game.observe(state, "open"))
        record["rows"].append(row)
    if (outcome := game.outcome(state)) is not None:
        record["outcome"] = asdict(outcome) | {"places": list(outcome.places)}
    return record | {"checksum": checksum(record)}
