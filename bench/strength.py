"""How strong a title's bot is: its share of the wins against a player at random.

    python -m bench.strength                        # Red, every option, two players, 2,000 rounds each
    python -m bench.strength --seats 3 --rival saving --count 500 --match

Every figure is repeatable: the same arguments give the same wins.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from games import titles
from games.bots import Bot
from games.chance import Chance, seeded
from games.engine import Game

Player = Callable[[Game[Any], Any, Chance], Sequence[str]]
"""(game, state, chance) -> the next steps of the active seat, at least one."""


def watching(bot: Bot) -> Player:
    """The bot as a player: it gets the observation of its seat, never the state."""
    return lambda game, state, chance: bot(game, game.observe(state, game.active_seat(state)), chance)


def at_random(game: Game[Any], state: Any, chance: Chance) -> Sequence[str]:
    """One legal step, each equally likely: ``random_bot`` without the cost of an observation."""
    legal = game.legal_moves(state)
    return [legal[chance.roll(len(legal))]]


def saving_bot(game: Game[Any], observation: dict[str, Any], chance: Chance) -> list[str]:
    """At random, but PASS only when nothing else is left: a harder yardstick than ``random_bot``."""
    state = game.imagine(observation, chance)
    seat, steps = game.active_seat(state), []
    while game.active_seat(state) == seat:
        legal = game.legal_moves(state)
        choice = [step for step in legal if step != "PASS"] or legal
        steps.append(choice[chance.roll(len(choice))])
        state, _news = game.apply(state, steps[-1])
    return steps


RIVALS = {"random": at_random, "saving": watching(saving_bot)}


def winners(game: Game[Any], options: Any, players: Sequence[Player], chance: Chance, whole: bool) -> list[int]:
    """The seats that win: the first round (the news ``round_won``), or the ``whole`` match."""
    state = game.setup(options, len(players), chance)
    while (outcome := game.outcome(state)) is None:
        seat = game.active_seat(state)
        if seat is None:
            state, news = game.settle(state, chance)
            if not whole and (won := [value["seat"] for value in news if value["what"] == "round_won"]):
                return won
            continue
        for step in players[seat](game, state, chance):
            state, _news = game.apply(state, step)
    return [seat for seat, place in enumerate(outcome.places) if place == 1]


def share(
    game: Game[Any], options: Any, bot: Bot, rival: Player, *, seats: int = 2, count: int = 2000, whole: bool = False
) -> float:
    """The bot's share of ``count`` wins (0 to 1), in changing seats; a shared win counts in part."""
    won = 0.0
    for number in range(count):
        mine = number % seats
        players = [watching(bot) if seat == mine else rival for seat in range(seats)]
        first = winners(game, options, players, seeded(number), whole)
        won += (mine in first) / len(first)
    return won / count


def every_option(game: Game[Any]) -> Iterator[Any]:
    """All combinations of the game's options."""
    values = [tuple(field.metadata.get("choices", (False, True))) for field in fields(game.Options)]
    names = [field.name for field in fields(game.Options)]
    for combination in itertools.product(*values):
        yield game.Options(**dict(zip(names, combination, strict=True)))


def main() -> None:
    """Prints one line for each combination of options."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="red")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--count", type=int, default=2000, help="rounds (or matches) for each combination of options")
    parser.add_argument("--rival", choices=RIVALS, default="random")
    parser.add_argument("--match", action="store_true", help="count whole matches instead of first rounds")
    asked = parser.parse_args()
    title = titles.find([Path(titles.__file__).parent])[asked.game]
    for options in every_option(title.game):
        begun = time.perf_counter()
        won = share(
            title.game,
            options,
            title.bot,
            RIVALS[asked.rival],
            seats=asked.seats,
            count=asked.count,
            whole=asked.match,
        )
        each = (time.perf_counter() - begun) / asked.count * 1000
        print(
            f"{asdict(options)}, {asked.seats} seats, against {asked.rival}: {won:.1%}, {each:.0f} ms each", flush=True
        )


if __name__ == "__main__":
    main()
