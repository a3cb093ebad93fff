"""Matches played to their end by HTTP alone: two programs that know nothing but what the API answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.chance import seeded
from tests.api.calling import Program


def begun(one: Program, other: Program, game: str, **asked: Any) -> str:
    """The name of a running match of two programs: made by one, joined by the other."""
    made = one.post("/matches", {"game": game, "seats": 2, **asked})
    assert made.status_code == 201, made.content
    slug: str = made.json()["id"]
    token = one.get(f"/matches/{slug}/invitations").json()["link"]["token"]
    joined = other.post(f"/matches/{slug}/join", {"token": token})
    assert joined.json()["status"] == "playing", joined.content
    return slug


def turn(program: Program, seen: dict[str, Any], chance: Any) -> list[str]:
    """A whole turn, found by previews: a step at random of those that are legal, until the move is complete.

    What gives up anything is taken only where there is nothing else.
    """
    steps: list[str] = []
    legal: Sequence[str] = seen["legal"]
    path = f"/matches/{seen['match']}/preview"
    while True:
        choice = [step for step in legal if step != "PASS"] or list(legal)
        steps.append(choice[chance.roll(len(choice))])
        shown = program.post(path, {"version": seen["version"], "steps": steps})
        assert shown.status_code == 200, shown.content
        if shown.json()["complete"]:
            return steps
        legal = shown.json()["legal"]
        assert legal


def played(one: Program, other: Program, slug: str, number: int = 0) -> dict[str, Any]:
    """Plays a match to its end; the match as the API tells it then."""
    chance = seeded(number)
    programs = {program.get(f"/matches/{slug}").json()["my_seat"]: program for program in (one, other)}
    known, told = one.get(f"/matches/{slug}").json(), 0
    while known["status"] == "playing":
        program = programs[known["active_seat"]]
        seen = program.get(f"/matches/{slug}/observation").json()
        assert seen["my_turn"]
        assert seen["viewer"] == str(known["active_seat"])
        made = program.move(slug, seen["version"], turn(program, seen, chance))
        assert made.status_code == 201, made.content
        known = made.json()["match"]
        rows = one.get(f"/matches/{slug}/log?since={told}").json()["rows"]
        assert [row["number"] for row in rows] == list(range(told + 1, known["version"] + 1))
        told = known["version"]
    return known
