"""What happened, in sentences: rows of the log through ``seen`` and the title's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from games import engine
from games.clock import LONGEST_PAUSE, VACANT
from games.lists import Former
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
    mine: bool
    automatic: bool = False


AS_WISHED = _("It was played for you, as you wished.")


def rows(
    title: Title, moves: Iterable[Move], viewer: engine.Viewer, me: int | None, former: Sequence[Former] = ()
) -> list[Row]:
    """The rows, each with a sentence for every piece of news in it that this visitor may know.

    ``former`` are those who had seats before others, in the order of that: rows of their time tell of them. That a row
    was made by wish is told to the player of its seat and to nobody else: to the others it is a move.
    """
    return [_row(title, move, viewer, me, former) for move in moves]


def _row(title: Title, move: Move, viewer: engine.Viewer, me: int | None, former: Sequence[Former]) -> Row:
    names = names_at(move.number, former)
    own = None if me in names else me
    news = move.news
    if move.kind == Move.Kind.TAKEOVER and former:
        before = names_at(move.number - 1, former)
        news = [value | {"before": before.get(value["seat"], "")} for value in news]
    told = sentences(title, news, viewer, own)
    told = [_renamed(sentence, names) for sentence in told] if names else told
    mine = own is not None and move.seat == own
    automatic = mine and move.by == Move.By.AUTO
    told += [Sentence(AS_WISHED)] * automatic
    return Row(move.number, move.at, move.kind, move.seat, told, mine, automatic)


def names_at(version: int, former: Sequence[Former]) -> dict[int, str]:
    """The names of who sat at row ``version`` where others sit now, by seat."""
    return {one.seat: one.name for one in reversed(former) if one.until > version}


def _renamed(value: Any, names: Mapping[int, str]) -> Any:
    """A sentence, or what stands in it, with these names for its seats."""
    if isinstance(value, Seat):
        return Seat(value.number, value.name or names.get(value.number, ""))
    if isinstance(value, Sentence):
        places = {name: _renamed(place, names) for name, place in value.places.items()}
        return Sentence(value.text, value.plural, **{"count": value.count} | places)
    if isinstance(value, (list, tuple)):
        return type(value)(_renamed(one, names) for one in value)
    return value


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
    ("resign", "vacant"): (
        _("You give up the match; your seat is free for somebody else."),
        _("{seat} gives up the match; the seat is free for somebody else."),
    ),
    ("timeout", "vacant"): (
        _("Your time ran out; your seat is free for somebody else."),
        _("The time of {seat} ran out; the seat is free for somebody else."),
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


def _took_over(value: engine.News, me: int | None) -> Sentence:
    seat, mine = Seat(value["seat"]), value["seat"] == me
    if value["then"] == "bot":
        text = _("A bot takes over your seat.") if mine else _("A bot takes over the seat of {seat}.")
        return Sentence(text, seat=seat)
    if not value.get("before"):
        return Sentence(_("You take over the seat.") if mine else _("{seat} takes over a seat."), seat=seat)
    text = _("You take over the seat of {before}.") if mine else _("{seat} takes over the seat of {before}.")
    return Sentence(text, seat=seat, before=Seat(value["seat"], value["before"]))


def _came_back(value: engine.News, me: int | None) -> Sentence:
    if value["seat"] == me:
        return Sentence(_("You come back to your seat."))
    return Sentence(_("{seat} comes back."), seat=Seat(value["seat"]))


OF_THE_SITE: dict[str, Callable[[engine.News, int | None], Sentence]] = {
    "left": _left,
    "clock": _clock,
    "cancelled": _cancelled,
    "paused": _paused,
    "resumed": _resumed,
    "took_over": _took_over,
    "came_back": _came_back,
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


IF_LEFT = {
    Match.LeavePolicy.BOT: _("A bot takes the seat"),
    Match.LeavePolicy.SUBSTITUTE: _("For {days} days somebody else may take the seat, then a bot does"),
    Match.LeavePolicy.END: _("The match ends"),
}
"""What happens when somebody leaves, by the policy of the match."""


def if_left(match: Match) -> Sentence:
    """What happens when somebody leaves the match, in words."""
    return Sentence(IF_LEFT[Match.LeavePolicy(match.leave_policy)], days=VACANT.days)


def option_values(match: Match) -> list[tuple[str, str]]:
    """The options of a match as (label, value) in the reader's language."""
    return values_of(match.rules, match.options)


def values_of(rules: engine.Game[Any], options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The options of a match by these rules in the same way; a value that they do not know is left out."""
    values = []
    for field in fields(rules.Options):
        value = options.get(field.name, field.default)
        choices = field.metadata.get("choices")
        if choices and value not in choices:
            continue
        shown = gettext(choices[value]) if choices else gettext("yes") if value else gettext("no")
        values.append((gettext(field.metadata["label"]), shown))
    return values
