"""What the template of Barvosauři's table needs, from one viewer's observation and the legal steps. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from games.titles.barvosauri import outlook, pieces, words
from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.progress import progress, whereabouts
from games.titles.barvosauri.state import ROYAL, Options
from games.wording import Sentence, mark as _

Facts = Mapping[str, Any]

QUIET_ROUNDS = 5
"""So many rounds without a card taken, and the table begins to count them."""


def table(
    game: Any,
    observation: Facts,
    legal: Sequence[str],
    *,
    me: int | None,
    picked: str,
    my_turn: bool,
    asking: bool,
    over: bool,
) -> dict[str, Any]:
    """The table as seat ``me`` sees it (None: nobody's seat), with its plan already carried out in ``observation``.

    ``picked`` is what the player has chosen first: an own figure or a free
    space by its name, or a card on show by its number; then the links on the
    table say where it may go. ``my_turn`` says that a turn of ``me`` is being
    planned, ``asking`` that it is not complete, ``over`` that the match is.
    """
    legal = legal if asking else ()
    seats = observation["seats"]
    mover = None if over else me if my_turn else observation["active"]
    shown = [_seat(observation, number, mover) for number in range(len(seats))]
    around = [(0 if me is None else me + 1) + step for step in range(len(seats))]
    picked = picked if any(picked in _parts(step) for step in legal) else ""
    tone, consequence = "", None
    if my_turn and me is not None:
        tone, consequence = outlook.consequence(observation, legal, me, picked, asking)
    deck = observation["deck"]
    return {
        "phase": observation["phase"] if asking else "",
        "over": over,
        "mover": mover,
        "rolled": observation["rolled"],
        "full": _full(game, observation),
        "rows": _board(game, observation, legal, me, picked),
        "show": [_slot(observation, legal, slot, picked) for slot in range(len(observation["display"]))],
        "pack": {"count": len(deck) if isinstance(deck, list) else deck, "bottom": observation["known_bottom"]},
        "opponents": [shown[number % len(seats)] for number in around if number % len(seats) != me],
        "own": None if me is None else shown[me],
        "choices": [] if me is None else list(_choices(observation, legal, me, picked)),
        "steps": [{"step": step, "label": words.step(step, observation)} for step in legal if " " not in step],
        "picked": picked,
        "replacing": any(step.startswith("refresh") for step in legal),
        "goal": observation["options"]["goal_colors"],
        "quiet": _quiet(observation),
        "whereabouts": whereabouts(observation),
        "tone": tone,
        "consequence": consequence,
        "then": [],
    }


def _parts(step: str) -> list[str]:
    """What a step names and may be picked first: figure and space of a move, the first card of a replacement."""
    word, _blank, rest = step.partition(" ")
    return rest.split(">") if word == "move" else rest.split(" ")[:1]


def _seat(observation: Facts, number: int, mover: int | None) -> dict[str, Any]:
    seat = observation["seats"][number]
    won = observation["how"] in ROYAL and number == observation["active"]
    return {
        "seat": number,
        "active": number == mover,
        "won": won,
        "waiting": [figure for figure, space in enumerate(seat["figures"]) if space is None],
        "gained": observation["pair"] if observation["took"] and number == observation["active"] else None,
        **progress(observation, number),
    }


def _full(game: Any, observation: Facts) -> list[str]:
    """The colours of which every space is taken: rolled, they are thrown away."""
    taken = {space for seat in observation["seats"] for space in seat["figures"]}
    spaces = _in_play(game, observation)
    return [colour for colour in COLOURS if taken.issuperset(name for name in spaces if name[0] == colour)]


def _in_play(game: Any, observation: Facts) -> set[str]:
    options, seats = Options(**observation["options"]), len(observation["seats"])
    return {name for colour in COLOURS for name in game.spaces(options, seats, colour)}


def _board(game: Any, observation: Facts, legal: Sequence[str], me: int | None, picked: str) -> list[list[Any]]:
    """The spaces in their printed rows; each with its figure and what clicking it does: a step, or a pick."""
    figures = {
        space: {"seat": number, "number": figure, "mine": number == me, "card": f"figure-{number}-{figure}"}
        for number, seat in enumerate(observation["seats"])
        for figure, space in enumerate(seat["figures"])
        if space is not None
    }
    in_play = _in_play(game, observation)
    targets = _targets(legal)
    rows = []
    for _y, row in groupby(game.board.spaces, key=lambda space: space.y):
        rows.append(
            [
                {
                    "name": space.name,
                    "colour": space.colour,
                    "in_play": space.name in in_play,
                    "figure": figures.get(space.name),
                    "lit": space.name in targets,
                    "dim": bool(targets) and not (space.name in targets or (space.name in figures)),
                    "picked": space.name == picked,
                    **_click(legal, space.name, picked),
                }
                for space in row
            ]
        )
    return rows


def _targets(legal: Sequence[str]) -> set[str]:
    """The spaces to which a figure may go."""
    return {_parts(step)[-1] for step in legal if step.startswith(("place ", "move "))}


def _click(legal: Sequence[str], name: str, picked: str) -> dict[str, str]:
    """What clicking a space does: ``step`` completes one, ``pick`` chooses a figure or a space first."""
    for step in (f"place {name}", f"move {picked}>{name}", f"move {name}>{picked}"):
        if step in legal:
            return {"step": step, "pick": ""}
    may = any(step.startswith("move ") and name in _parts(step) for step in legal)
    return {"step": "", "pick": name if may else ""}


def _slot(observation: Facts, legal: Sequence[str], slot: int, picked: str) -> dict[str, Any]:
    """A place on show. A card with one use is a step at once; one with several is picked up first."""
    name = str(slot)
    uses = [step for step in legal if _parts(step)[0] == name and not step.startswith(("move", "place"))]
    single = uses[0] if len(uses) == 1 and uses[0].count(" ") == 1 else ""
    second = f"refresh {picked} {name}"
    card = observation["display"][slot]
    return {
        "slot": slot,
        "card": card,
        "match": card is not None and card == observation["pair"],
        "picked": name == picked,
        "step": second if second in legal else single,
        "pick": name if uses and not single else "",
        "second": second in legal,
        "dim": bool(legal) and observation["phase"] == "harvest" and card is not None and not uses,
    }


def _choices(observation: Facts, legal: Sequence[str], me: int, picked: str) -> Iterator[dict[str, Any]]:
    """The same in words, each with what it would mean: which figure moves, which card to get, or nothing."""
    rolled = observation["rolled"]
    for figure in dict.fromkeys(_parts(step)[0] for step in legal if step.startswith("move ")):
        tone, note = outlook.arriving(observation, me, figure, rolled)
        label = Sentence(_("Move from {space}"), space=pieces.space(figure))
        step = f"move {figure}>{picked}"
        offer = {"step": step, "pick": ""} if step in legal else {"step": "", "pick": figure}
        yield {**offer, "id": f"from-{figure}", "label": label, "note": note, "good": tone == "good"}
    for step in legal:
        word, _blank, slot = step.partition(" ")
        if word == "stay":
            yield _step(step, Sentence(_("Stay")), ("", Sentence(_("nothing is earned, nothing is lost"))))
        elif word == "done":
            yield _step(step, Sentence(_("End the turn")), ("", _done(observation)))
        elif step in (f"take {picked}", f"exchange {picked}", f"refresh {picked}") or (
            word in ("take", "exchange") and not picked and _first(observation, int(slot))
        ):
            yield _step(step, _label(word, observation, int(slot)), _meaning(word, observation, me, int(slot)))


def _first(observation: Facts, slot: int) -> bool:
    """Whether a card is the first of its colour on show: in words one is as good as the other."""
    display: Sequence[str | None] = observation["display"]
    return display.index(display[slot]) == slot


def _step(step: str, label: Sentence, told: outlook.Told) -> dict[str, Any]:
    tone, note = told
    return {"step": step, "pick": "", "id": f"step-{step}", "label": label, "note": note, "good": tone == "good"}


def _label(word: str, observation: Facts, slot: int) -> Sentence:
    card = pieces.card(observation["display"][slot])
    if word == "take":
        return Sentence(_("Take {card}"), card=card)
    if word == "refresh":
        return Sentence(_("Replace {card}"), card=card)
    return Sentence(_("Exchange {own} for {card}"), own=pieces.card(observation["pair"]), card=card)


def _meaning(word: str, observation: Facts, me: int, slot: int) -> outlook.Told:
    if word == "refresh":
        return "", Sentence(_("it goes under the pack, and the last card of the pack comes up"))
    given = observation["pair"] if word == "exchange" else None
    return outlook.taking(observation, me, observation["display"][slot], given)


def _done(observation: Facts) -> Sentence:
    return Sentence(_("you keep the card you took") if observation["took"] else _("without a card"))


def _quiet(observation: Facts) -> dict[str, int] | None:
    """The full rounds without a card taken, once they are many, and how many end the match."""
    rounds = observation["since_take"] // len(observation["seats"])
    limit = observation["options"]["stall_rounds"]
    return {"rounds": rounds, "limit": limit} if rounds >= QUIET_ROUNDS else None
