"""Whole matches of every title, kept with all the positions they pass through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from bench.strength import every_option, saving_bot
from games import engine, titles
from games.bots import random_bot
from games.chance import Stream
from games.engine import Game, News

TITLES = titles.find([Path(titles.__file__).parent])
MOST = 8
"""Combinations of a title's options that are all walked; of more, a few that have every value of every option."""


def walked_options(game: Game[Any]) -> list[Any]:
    """Every combination of the game's options; of many, the default, each single change of it, two with all changed."""
    every = list(every_option(game))
    if len(every) <= MOST:
        return every

    def changes(options: Any) -> int:
        return sum(getattr(options, field.name) != field.default for field in fields(options))

    furthest = [options for options in every if changes(options) == len(fields(game.Options))]
    return list(dict.fromkeys([*(options for options in every if changes(options) <= 1), furthest[0], furthest[-1]]))


COMBINATIONS = [
    (slug, options, seats)
    for slug, title in TITLES.items()
    for options in walked_options(title.game)
    for seats in title.game.seat_counts
]
"""Every title with its options and every number of seats."""

LONGEST = 5_000
"""More rows than any match of random players may take."""


@dataclass(frozen=True)
class Row:
    """One row of a match: the stored states around it, and every position on the way (``after`` is the last)."""

    before: Any
    steps: tuple[str, ...]
    planned: tuple[Any, ...]
    owed: tuple[Any, ...]
    after: Any
    news: tuple[News, ...]


@dataclass(frozen=True)
class Walk:
    """A match from its set-up to its end."""

    game: Game[Any]
    options: Any
    seats: int
    seed: int
    rows: tuple[Row, ...]

    @property
    def stored(self) -> list[Any]:
        """The states that a site would keep: one after each row."""
        return [row.after for row in self.rows]

    @property
    def positions(self) -> list[Any]:
        """Every position, those within a turn and those in which the server owes a step included."""
        return [state for row in self.rows for state in (*row.planned, *row.owed)]


def stream(seed: int, row: int) -> Stream:
    """The draws of one row of the walk with that seed."""
    return Stream(seed.to_bytes(32, "big"), (), row)


@lru_cache(maxsize=256)
def walk(slug: str, options: Any, seats: int, seed: int) -> Walk:
    """A match in which all seats play alike: at random, at random without giving up, or as the title's own bot."""
    title = TITLES[slug]
    game = title.game
    bot = (random_bot, saving_bot, title.bot)[seed % 3]
    state = game.setup(options, seats, stream(seed, 1))
    rows: list[Row] = []
    while len(rows) < LONGEST and (not rows or game.outcome(state) is None):
        chance = stream(seed, len(rows) + 1)
        before, steps, planned, owed = state, (), [], []
        news: tuple[News, ...] = ()
        if rows:
            own = stream(seed + 1_000_000, len(rows) + 1)
            steps = tuple(bot(game, game.observe(state, game.active_seat(state)), own))
        for step in steps:
            state, more = game.apply(state, step)
            news += more
            planned.append(state)
        while game.active_seat(state) is None and game.outcome(state) is None:
            state, more = game.settle(state, chance)
            news += more
            owed.append(state)
        rows.append(Row(before, steps, tuple(planned), tuple(owed), state, news))
    return Walk(game, options, seats, seed, tuple(rows))


def viewers(seats: int) -> list[int | None]:
    """Everybody who may look while a match runs: each seat, and a spectator."""
    return [*range(seats), None]


def told(game: Game[Any], state: Any, post: list[str], viewer: int | None) -> object:
    """What a viewer reads of a planned post: the observation after it and the news, or why it is refused."""
    try:
        after, news = engine.plan(game, state, post)
    except engine.IllegalMove as refused:
        return refused.reason, refused.facts
    return game.observe(after, viewer), engine.seen(news, viewer)


class Printed:
    """Chance that leaves all in printed order and rolls the highest face."""

    def shuffle(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """The items as they are."""
        return tuple(items)

    def roll(self, faces: int) -> int:
        """The last of them."""
        return faces - 1
