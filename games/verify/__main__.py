"""``python3 -m games.verify record.json``: replays a whole match and says what was checked. Standard library only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from games import titles, verify
from games.verify import reading
from games.verify.draws import draws
from games.verify.words import plain, reason

TRUE, FALSE = 0, 1
"""Exit statuses."""

NOT_CHECKED = (
    "Not proven: names and times, who sat at a seat, and that nobody had looked at the seed.",
    "Compare the fingerprint with the one that the page or the first mail showed before the match was over:",
)


def examine(text: bytes, found: dict[str, titles.Title]) -> tuple[int, list[str]]:
    """The exit status and the lines for a file, which the titles ``found`` decide about."""
    try:
        record = reading.read(text)
    except reading.Unreadable as wrong:
        return FALSE, [f"NOT TRUE: {wrong}"]
    try:
        game = found[record["game"]].rules(record["rules_version"])
    except KeyError:
        return FALSE, [f"NOT TRUE: There are no rules {record['rules_version']} of a game {record['game']!r} here."]
    if wrong_rows := verify.check_file(record, game):
        return FALSE, [f"NOT TRUE: {plain(reason(one))}" for one in wrong_rows]
    return TRUE, _checked(record, game)


def _checked(record: dict[str, Any], game: Any) -> list[str]:
    """What was checked of a record that is true."""
    rows = record["rows"]
    drawn = sum(len(row["draws"]) for row in draws(record, game)) - 1
    moves = sum(row["kind"] == "play" for row in rows)
    outcome = record["outcome"]
    end = f"places {outcome['places']} ({outcome['reason']})" if outcome else "no result"
    shuffles = "shuffle or roll was" if drawn == 1 else "shuffles and rolls were"
    played = "move was" if moves == 1 else "moves were"
    return [
        f"TRUE: match {record['id']} of {record['game']}, rules {record['rules_version']}.",
        "- The seed is the one whose fingerprint the record names.",
        "- Seed and seats' bytes give this order of the seats.",
        f"- {drawn} {shuffles} drawn again, each from the stream of its row.",
        f"- {moves} {played} played again: the rules accept each, and make of it what the record says.",
        f"- The chain of {len(rows)} digests holds: no row was changed, left out or put in by who has not the seed.",
        f"- The result follows from the last table: {end}.",
        *NOT_CHECKED,
        f"  {record['commitment']}",
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the file, or what comes in for ``-``, and says what became of it; the exit status."""
    parser = argparse.ArgumentParser(prog="python3 -m games.verify", description="Replays a match from its record.")
    parser.add_argument("record", help="the file, or - for what comes in")
    parser.add_argument("--games", action="append", default=[], metavar="FOLDER", help="a further folder of games")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.record == "-":
            text = sys.stdin.buffer.read(reading.MOST_BYTES + 1)
        else:
            with Path(chosen.record).open("rb") as file:
                text = file.read(reading.MOST_BYTES + 1)
    except OSError as wrong:
        print(f"NOT READ: {wrong.strerror}", file=sys.stderr)
        return FALSE
    status, lines = examine(text, titles.find([titles.HERE, *map(Path, chosen.games)]))
    print("\n".join(lines), file=sys.stdout if status == TRUE else sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
