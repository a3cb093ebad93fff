"""What happened, in sentences: rows of the log through ``seen`` and the title's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from games import engine
from games.clock import LONGEST_PAUSE
from games.models import Match, Move
from games.titles import Title
from games.wording import Seat, Sentence, mark as _


@dataclass(frozen=True)
class Row:
    """A row of the log as one visitor may read it; ``automatic`` if it was made as this visitor wished."""

    number: int
    at: datetime
    kind: str
    seat: int | None
    sentences: list[Sentence]
    automatic: bool = False


AS_WISHED = _("It was played for you, as you wished.")


def rows(title: Title, moves: Iterable[Move], viewer: engine.Viewer, me: int | None) -> list[Row]:
    """The rows, each with a sentence for every piece of news in it that this visitor may know.

    That a row was made by wish is told to the player of its seat and to nobody else: to the others it is a move.
    """
    moves = list(moves)
    wished = _wished(moves, me)
    told = []
    for move in moves:
        automatic = move.number in wished
        said = sentences(title, move.news, viewer, me) + [Sentence(AS_WISHED)] * automatic
        told.append(Row(move.number, move.at, move.kind, move.seat, said, automatic))
    return told


def _wished(moves: list[Move], me: int | None) -> set[int]:
    """The numbers of the rows that were made as the player of seat ``me`` wished, not one who sat there before."""
    found = [move for move in moves if move.by == Move.By.AUTO and move.seat == me]
    if not found:
        return set()
    taken = Move.objects.filter(match=found[0].match_id, seat=me, kind=Move.Kind.TAKEOVER, by=Move.By.USER)
    since = max(taken.values_list("number", flat=True), default=0)
    return {move.number for move in found if move.number > since}


def sentences(title: Title, news: Iterable[engine.News], viewer: engine.Viewer, me: int | None) -> list[Sentence]:
    """One sentence for each value of news that has one."""
    found = []
    for value in engine.seen(news, viewer):
        ours = OF_THE_SITE.get(value["what"])
        sentence = ours(value, me) if ours else title.words.news(value, me)
        if sentence is not None:
            found.append(sentence)
    return found


LEFT = {
    ("resign", "bot"): (
        _("You give up the match; a bot plays on for you."),
        _("{seat} gives up the match; a bot plays on."),
    ),
    ("resign", "end"): (_("You give up the match."), _("{seat} gives up the match.")),
    ("timeout", "bot"): (
        _("Your time ran out; a bot plays on for you."),
        _("The time of {seat} ran out; a bot plays on."),
    ),
    ("timeout", "end"): (_("Your time ran out."), _("The time of {seat} ran out.")),
}
"""For (how, what then): the sentence to oneself and the one to others."""


def _left(value: engine.News, me: int | None) -> Sentence:
    mine, others = LEFT[value["how"], value["then"]]
    return Sentence(mine) if value["seat"] == me else Sentence(others, seat=Seat(value["seat"]))


MORE = {
    "downtime": (
        _("The site stood still; {span} are given back to you."),
        _("The site stood still; {span} are given back to {seat}."),
    ),
    "holiday": (_("You are away: your turn has {span} more."), _("{seat} is away: the turn has {span} more.")),
    "pause": (
        _("After the pause your turn has {span} more, so that a day is left."),
        _("After the pause the turn of {seat} has {span} more, so that a day is left."),
    ),
    "back": (
        _("You are back early: your turn has {span} less."),
        _("{seat} is back early: the turn has {span} less."),
    ),
}
"""Why a deadline moved: the sentence to oneself and the one to others."""


def _clock(value: engine.News, me: int | None) -> Sentence:
    seat, span = value["seat"], span_of(abs(value["seconds"]))
    if value["why"] == "grant":
        return _given(value, me, span)
    mine, others = MORE[value["why"]]
    return Sentence(mine, span=span) if seat == me else Sentence(others, span=span, seat=Seat(seat))


def _given(value: engine.News, me: int | None, span: Sentence) -> Sentence:
    giver, seat = Seat(value["by"]), Seat(value["seat"])
    if value["by"] == me:
        return Sentence(_("You give {seat} {span} more."), seat=seat, span=span)
    if value["seat"] == me:
        return Sentence(_("{giver} gives you {span} more."), giver=giver, span=span)
    return Sentence(_("{giver} gives {seat} {span} more."), giver=giver, seat=seat, span=span)


def span_of(seconds: int) -> Sentence:
    """A span of time in its two largest units, to the minute; none is shorter than one."""
    minutes = max(round(seconds / 60), 1)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return Sentence(_("{days} d {hours} h") if hours else _("{days} d"), days=days, hours=hours)
    if hours:
        return Sentence(_("{hours} h {minutes} min") if rest else _("{hours} h"), hours=hours, minutes=rest)
    return Sentence(_("{minutes} min"), minutes=rest)


def _cancelled(value: engine.News, me: int | None) -> Sentence:
    if len(value.get("agreed", ())) > 1:
        return Sentence(_("All who play have agreed to call the match off."))
    if value["seat"] == me:
        return Sentence(_("You call the match off."))
    return Sentence(_("{seat} calls the match off."), seat=Seat(value["seat"]))


def _paused(value: engine.News, me: int | None) -> Sentence:
    if len(value["agreed"]) > 1:
        return Sentence(_("All who play have agreed on a pause."))
    seat = value["agreed"][0]
    return (
        Sentence(_("You pause the match.")) if seat == me else Sentence(_("{seat} pauses the match."), seat=Seat(seat))
    )


def _resumed(value: engine.News, me: int | None) -> Sentence:
    seat = value["seat"]
    if seat is None:
        return Sentence(_("The pause has lasted {days} days and is over."), days=LONGEST_PAUSE.days)
    return Sentence(_("You end the pause.")) if seat == me else Sentence(_("{seat} ends the pause."), seat=Seat(seat))


OF_THE_SITE: dict[str, Callable[[engine.News, int | None], Sentence]] = {
    "left": _left,
    "clock": _clock,
    "cancelled": _cancelled,
    "paused": _paused,
    "resumed": _resumed,
}
"""News that no game makes, by what they are."""


ENDED = {
    "resign": (_("You gave up."), _("{seat} gave up.")),
    "timeout": (_("Your time ran out."), _("The time of {seat} ran out.")),
}
"""For a match that ended because somebody left: the sentence to oneself and the one to others."""


def decided(match: Match, observation: dict[str, Any], places: list[int], me: int | None, left: int) -> Sentence:
    """What decided a finished match, told to seat ``me``; ``left`` is the seat that was left last."""
    if match.end_reason in ENDED:
        mine, others = ENDED[match.end_reason]
        return Sentence(mine if left == me else others, seat=Seat(left))
    sentence: Sentence = match.title.words.result(observation, places, match.end_reason, me)
    return sentence


def option_values(match: Match) -> list[tuple[str, str]]:
    """The options of a match as (label, value) in the reader's language."""
    values = []
    for field in fields(match.rules.Options):
        value = match.options.get(field.name, field.default)
        choices = field.metadata.get("choices")
        shown = gettext(choices[value]) if choices else gettext("yes") if value else gettext("no")
        values.append((gettext(field.metadata["label"]), shown))
    return values
