"""How near a hand is to each royal win, and where the cards of each colour are. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.state import COPIES, royal
from games.wording import Pieces, Seat, Sentence, mark as _


def progress(observation: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """A seat's collection: a place for each colour, both ways to a royal win in words, and whether one card is lacking.

    ``near`` is None, ``colours`` or ``four of a colour``; four of a colour are
    out of reach as long as another seat holds one of them.
    """
    seats, goal = observation["seats"], observation["options"]["goal_colors"]
    held = seats[seat]["held"]
    return {
        "slots": [{"colour": colour, "count": held.count(colour)} for colour in COLOURS],
        "cards": len(held),
        "words": counted(held, goal),
        "royal": royal(tuple(held), goal),
        "near": _near(observation, seat),
    }


def counted(held: Sequence[str], goal: int) -> Sentence:
    """A hand in numbers: how many colours of those needed, and how many of the colour that it has most of."""
    if not held:
        return Sentence(_("no cards yet"))
    done, most = len(set(held)), max(held.count(colour) for colour in held)
    if most == 1:
        return Sentence(_("{done} of {goal} colours"), done=done, goal=goal)
    best = Pieces("colour", tuple(colour for colour in COLOURS if held.count(colour) == most))
    text = _("{done} of {goal} colours, {most} of {copies} in {best}")
    return Sentence(text, done=done, goal=goal, most=most, copies=COPIES, best=best)


def _near(observation: Mapping[str, Any], seat: int) -> str | None:
    seats, goal = observation["seats"], observation["options"]["goal_colors"]
    held = seats[seat]["held"]
    if royal(tuple(held), goal):
        return None
    if len(set(held)) == goal - 1:
        return "colours"
    elsewhere = {card for number, other in enumerate(seats) if number != seat for card in other["held"]}
    three = [colour for colour in COLOURS if held.count(colour) == COPIES - 1 and colour not in elsewhere]
    return "four of a colour" if three else None


def whereabouts(observation: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each colour: how many of its cards each seat has, how many are on show, and how many nobody sees."""
    seats, display = observation["seats"], observation["display"]
    rows = []
    for colour in COLOURS:
        held = [seat["held"].count(colour) for seat in seats]
        shown, bottom = display.count(colour), observation["known_bottom"].count(colour)
        where = [Sentence(_("{seat} {count}"), seat=Seat(number), count=count) for number, count in enumerate(held)]
        places = [sentence for sentence, count in zip(where, held, strict=True) if count]
        places += [Sentence(_("on show {count}"), count=shown)] * (shown > 0)
        packed = COPIES - sum(held) - shown
        places += [Sentence(_("in the pack {count}"), count=packed)] * (packed > 0)
        rows.append({"colour": colour, "places": Sentence("{places}", places=places), "bottom": bottom})
    return rows
