"""What somebody may do to a record: each way takes a record, which it changes, and a chance to choose the place by."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from games import titles, verify
from tests.golden import Record

TITLES = titles.find([titles.HERE])


def row(value: Record, chance: random.Random, kind: str = "play") -> dict[str, Any]:
    """A row of that kind."""
    return chance.choice([one for one in value["rows"] if one["kind"] == kind])  # type: ignore[no-any-return]


def _flip(digits: str, chance: random.Random) -> str:
    at = chance.randrange(len(digits))
    return digits[:at] + ("0" if digits[at] != "0" else "1") + digits[at + 1 :]


def seed(value: Record, chance: random.Random) -> None:
    value["seed"] = _flip(value["seed"], chance)


def commitment(value: Record, chance: random.Random) -> None:
    value["commitment"] = _flip(value["commitment"], chance)


def identity(value: Record, chance: random.Random) -> None:
    value["id"] += "x"


def entropy(value: Record, chance: random.Random) -> None:
    seat = chance.choice(value["seats"])
    seat["entropy"] = _flip(seat["entropy"], chance)


def seats_exchanged(value: Record, chance: random.Random) -> None:
    value["seats"].reverse()


def joined(value: Record, chance: random.Random) -> None:
    value["seats"][0]["joined"], value["seats"][1]["joined"] = (
        value["seats"][1]["joined"],
        value["seats"][0]["joined"],
    )


def seat_left_out(value: Record, chance: random.Random) -> None:
    value["seats"].pop()


def option(value: Record, chance: random.Random) -> None:
    field = next(iter(TITLES[value["game"]].game.Options.__dataclass_fields__.values()))
    choices = field.metadata.get("choices") or (False, True)
    now = value["options"].get(field.name, field.default)
    value["options"][field.name] = next(one for one in choices if one != now)


def option_unknown(value: Record, chance: random.Random) -> None:
    value["options"]["luck"] = True


def game(value: Record, chance: random.Random) -> None:
    value["game"] = {"red": "barvosauri", "barvosauri": "power_cards", "power_cards": "red"}[value["game"]]


def game_unknown(value: Record, chance: random.Random) -> None:
    value["game"] = "chess"


def rules(value: Record, chance: random.Random) -> None:
    value["rules_version"] += 1 + chance.randrange(5)


def text(value: Record, chance: random.Random) -> None:
    one, other = row(value, chance), row(value, chance)
    one["text"] = other["text"] if other["text"] != one["text"] else one["text"] + "; END"


def text_nonsense(value: Record, chance: random.Random) -> None:
    row(value, chance)["text"] = "nothing I know"


def turn_of_another(value: Record, chance: random.Random) -> None:
    one = row(value, chance)
    one["seat"] = (one["seat"] + 1) % len(value["seats"])


def row_left_out(value: Record, chance: random.Random) -> None:
    del value["rows"][chance.randrange(len(value["rows"]) - 1)]


def row_left_out_and_renumbered(value: Record, chance: random.Random) -> None:
    del value["rows"][1 + chance.randrange(len(value["rows"]) - 2)]
    for number, one in enumerate(value["rows"], start=1):
        one["number"] = number


def rows_exchanged(value: Record, chance: random.Random) -> None:
    at = 1 + chance.randrange(len(value["rows"]) - 2)
    value["rows"][at : at + 2] = value["rows"][at : at + 2][::-1]


def row_twice(value: Record, chance: random.Random) -> None:
    at = chance.randrange(len(value["rows"]))
    value["rows"].insert(at, copy.deepcopy(value["rows"][at]))


def row_put_in(value: Record, chance: random.Random) -> None:
    last = value["rows"][-1]
    news = [{"what": "clock", "why": "holiday", "seat": 0, "seconds": 60}]
    one = {"number": last["number"] + 1, "kind": "clock", "seat": None, "text": "", "at": last["at"], "news": news}
    value["rows"].append(one | {"digest": last["digest"]})


def row_after_the_end(value: Record, chance: random.Random) -> None:
    """The chain fits: who has the seed can make it."""
    row_put_in(value, chance)
    rules_ = TITLES[value["game"]].game
    state = verify.last_state(value | {"rows": value["rows"][:-1]}, rules_)
    one = value["rows"][-1]
    one["digest"] = verify.digest(
        bytes.fromhex(value["seed"]), value["rows"][-2]["digest"], one, rules_.observe(state, "open")
    )


def last_rows_cut_off(value: Record, chance: random.Random) -> None:
    del value["rows"][-1 - chance.randrange(5) :]


def kind(value: Record, chance: random.Random) -> None:
    row(value, chance)["kind"] = chance.choice(["resign", "timeout", "clock", "start", "annul"])


def news_changed(value: Record, chance: random.Random) -> None:
    one = chance.choice([one for one in value["rows"] if one["news"]])
    one["news"][0]["what"] = "won"


def news_left_out(value: Record, chance: random.Random) -> None:
    chance.choice([one for one in value["rows"] if one["news"]])["news"].pop()


def news_told_to_all(value: Record, chance: random.Random) -> None:
    told = [(at, news) for at, one in enumerate(value["rows"]) for news in one["news"]]
    chance.choice(told)[1]["to"] = []


def digest(value: Record, chance: random.Random) -> None:
    one = chance.choice(value["rows"])
    one["digest"] = _flip(one["digest"], chance)


def places(value: Record, chance: random.Random) -> None:
    value["outcome"]["places"] = [place % len(value["seats"]) + 1 for place in value["outcome"]["places"]]


def reason_of_the_end(value: Record, chance: random.Random) -> None:
    value["outcome"]["reason"] = "luck"


def no_outcome(value: Record, chance: random.Random) -> None:
    value["outcome"] = None


def name(value: Record, chance: random.Random) -> None:
    chance.choice(value["seats"])["name"] = "Mallory"


def moment(value: Record, chance: random.Random) -> None:
    chance.choice(value["rows"])["at"] += 1


def field_missing(value: Record, chance: random.Random) -> None:
    del value[chance.choice([name for name in value if name != "demo"])]


def field_of_a_row_missing(value: Record, chance: random.Random) -> None:
    one = chance.choice(value["rows"])
    del one[chance.choice(list(one))]


def field_more(value: Record, chance: random.Random) -> None:
    chance.choice([value, value["rows"][0], value["seats"][0], value["outcome"]])["more"] = 1


def of_another_kind(value: Record, chance: random.Random) -> None:
    name = chance.choice(sorted(value.keys() - {"checksum"}))
    value[name] = chance.choice(["x", -1, 1.5, True, "0" * 63, [[]]])


def of_another_kind_in_a_row(value: Record, chance: random.Random) -> None:
    one = chance.choice(value["rows"])
    one[chance.choice(sorted(one))] = chance.choice([{}, "\x07", -1, True, [1], [{}] * 3, 2**70])


RESEALED: list[Callable[[Record, random.Random], None]] = [
    seed, commitment, identity, entropy, seats_exchanged, joined, seat_left_out, option, option_unknown, game,
    game_unknown, rules, text, text_nonsense, turn_of_another, row_left_out, row_left_out_and_renumbered,
    rows_exchanged, row_twice, row_put_in, row_after_the_end, last_rows_cut_off, kind, news_changed, news_left_out,
    news_told_to_all, digest, places, reason_of_the_end, no_outcome, field_missing, field_of_a_row_missing, field_more,
    of_another_kind, of_another_kind_in_a_row,
]  # fmt: skip
"""What is found although the checksum is made anew."""

DAMAGED: list[Callable[[Record, random.Random], None]] = [name, moment]
"""What only the checksum tells."""
