"""Power Cards in words: nothing without a sentence, no place left empty, and what the sentences say."""

from __future__ import annotations

import ast
import csv
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games import engine, titles
from games.bots import random_bot
from games.chance import seeded
from games.engine import IllegalMove
from games.titles.power_cards import GAMES, phrases, words
from games.titles.power_cards.deck import CATAPULT, DECK, MATERIALS, PROPERTIES
from games.titles.power_cards.state import Options
from tests.titles.power_cards.tables import SOME
from tests.titles.telling import told_by
from tests.titles.walks import walk

GAME = GAMES[-1]
HERE = Path(words.__file__).parent
TITLE = titles.find([HERE.parent])["power_cards"]
NAMES = ("Anna", "Bert", "Cleo", "Dan")
PARTS = ("vertical", "horizontal", "piggy")

NEWS: list[dict[str, Any]] = [
    {"what": "dealt", "each": 18, "pot": ["c01"], "caller": 0},
    {"what": "dealt", "each": 18, "pot": [], "caller": 0},
    *({"what": "called", "seat": 0, "named": named} for named in PROPERTIES),
    *(
        {"what": "shown", "named": named, "cards": ["c01", None, "c02"], "values": [48, None, 104]}
        for named in (*PROPERTIES, CATAPULT)
    ),
    {"what": "tied", "named": "speed", "seats": [0, 1], "value": 9},
    {"what": "tied", "named": "speed", "seats": [0, 1, 3], "value": 9},
    {"what": "dropped", "seat": 0},
    {"what": "undecided", "pot": ["c01", "c02"], "seats": [0, 1], "next": 0},
    {"what": "undecided", "pot": ["c01", "c02"], "seats": [0, 1]},
    {"what": "won", "seat": 0, "cards": ["c01", "c02"]},
    *(
        {"what": "placed", "seat": 0, "card": "c01", "part": PARTS[0], "material": material, "place": 0, "new": True}
        for material in MATERIALS
    ),
    *(
        {"what": "placed", "seat": 0, "card": "c01", "part": part, "material": "ice", "place": 0, "new": False}
        for part in PARTS
    ),
    {"what": "stopped", "seat": 0},
    {"what": "under", "seat": 0, "cards": ["c01"]},
    {"what": "under", "seat": 0, "cards": ["c01", "c02"]},
    {"what": "catapult", "seat": 0, "piggy": "c28", "value": 36},
    {"what": "beaten", "seat": 0, "builder": 1, "piggy": "c28", "cards": ["c01", "c28"]},
    {"what": "swept", "seat": 0, "piggy": "c28", "cards": ["c01", "c28"]},
    {"what": "drew", "seat": 0, "card": "c01"},
    {"what": "taken", "seat": 0, "card": "c01", "material": "ice"},
    {"what": "offered", "seat": 0},
    {"what": "accepted", "seat": 0},
    {"what": "declined", "seat": 0},
    {"what": "out", "seat": 0},
]
PLAIN: list[dict[str, Any]] = [
    {"what": "drew", "seat": 0},
    {"what": "quicker"},
    *({"what": "ended", "how": how} for how in ("last", "limit", "fast", "dead tie")),
]


told = partial(told_by, TITLE, NAMES)


@pytest.mark.parametrize("value", NEWS, ids=str)
def test_what_somebody_does_is_told_to_all_in_their_way(value: dict[str, Any]) -> None:
    mine, other, spectator = (told(words.news(value, me)) for me in (0, 2, None))
    if value["what"] != "shown":
        assert other == spectator
    if "next" in value or "pot" not in value or value["what"] == "dealt":
        assert "Anna" in other
        assert "Anna" not in mine
        assert re.search("[Yy]ou", mine)


@pytest.mark.parametrize("value", PLAIN, ids=str)
def test_what_happens_to_all_is_told_alike(value: dict[str, Any]) -> None:
    assert len({told(words.news(value, me)) for me in (1, 2, None)}) == 1


@pytest.mark.parametrize("value", [*NEWS, *PLAIN], ids=str)
def test_what_is_told_is_a_whole_sentence(value: dict[str, Any]) -> None:
    assert all(told(words.news(value, me)).endswith(".") for me in (0, 1, 2, None))


def test_all_kinds_are_here() -> None:
    source = "".join(path.read_text("utf-8") for path in HERE.glob("*.py"))
    kinds = set(re.findall(r'"what": "([a-z]+)"', source))
    assert kinds == {value["what"] for value in (*NEWS, *PLAIN)}
    assert words.news({"what": "sneezed"}, None) is None


def test_some_sentences() -> None:
    assert told(words.news(NEWS[0], 0)) == "18 cards each; Mossback lies in the middle for the first winner. You begin."
    shown = {"what": "shown", "named": "speed", "cards": ["c01", "c02"], "values": [48, 104]}
    assert told(words.news(shown, 0)) == "Speed: you 48 with Mossback, Bert 104 with Thistlehog."
    beaten = {"what": "beaten", "seat": 0, "builder": 1, "piggy": "c28", "cards": []}
    assert told(words.news(beaten, 1)) == "Anna beats your piggy Butter Hedgehog and takes it and the cards shown."
    tied = {"what": "tied", "named": "speed", "seats": [0, 1, 3], "value": 9}
    assert told(words.news(tied, 0)) == "A tie at 9 between you and Bert, Dan: your next cards decide."


def test_a_hidden_draw_names_no_card() -> None:
    value = {"what": "drew", "seat": 0, "card": "c01", "to": [0], "public": {"what": "drew", "seat": 0}}
    (mine,), (other,) = engine.seen([value], 0), engine.seen([value], 1)
    assert told(words.news(mine, 0)) == "You choose Mossback to play."
    assert told(words.news(other, 1)) == "Anna has chosen a part to play."


def reasons() -> set[str]:
    """Every reason in the source: what IllegalMove is made with, and what the functions return that say why."""
    found: set[str] = set()
    for name in ("rules.py", "building.py"):
        for node in ast.walk(ast.parse((HERE / name).read_text("utf-8"))):
            parts: list[ast.AST] = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalMove":
                parts = [node.args[0]]
            elif isinstance(node, ast.FunctionDef) and node.name in ("misfit", "_no_new", "_no_offer"):
                parts = [line.value for line in ast.walk(node) if isinstance(line, ast.Return) and line.value]
            constants = [one.value for part in parts for one in ast.walk(part) if isinstance(one, ast.Constant)]
            found |= {value for value in constants if isinstance(value, str)}
    return found


def test_every_reason_has_a_sentence_of_its_own() -> None:
    state, _news = engine.start(GAME, Options(), 2, seeded(1))
    seen = GAME.observe(state, state.active)
    general = told(words.refusal("no such reason", {}, seen))
    met = reasons()
    assert {"finish_first", "offer_once", "from_the_top", "catapult_call", "no_property", "not_asked"} <= met
    assert met - {"after_end", "unknown_step", "not_asked"} == set(words._REFUSALS)
    sentences = [told(words.refusal(reason, {}, seen)) for reason in met | {"unfinished", "too_long"}]
    assert len({*sentences, general}) == len(sentences) + 1


def test_every_refusal_that_is_met_is_told() -> None:
    """Texts of every kind against the positions of some matches."""
    steps = ["call speed", "call catapult", "call luck", "offer", "accept", "draw c01", "build c01>new", "build c01>0"]
    steps += ["stop", "fly", "build c28>0", "build c28>new"]
    met = set()
    for table in SOME:
        for state in walk(GAME.slug, *table, 0).stored[:-1:4]:
            seat = GAME.active_seat(state)
            seen = GAME.observe(state, seat)
            for step in steps:
                try:
                    GAME.apply(state, step)
                except IllegalMove as refused:
                    met.add(refused.reason)
                    told(words.refusal(refused.reason, refused.facts, seen))
    assert len(met) > 12


@pytest.mark.parametrize("table", SOME, ids=str)
def test_whole_matches_can_be_told(table: tuple[Options, int]) -> None:
    match = walk(GAME.slug, *table, 0)
    for row in (*match.rows[:-1:3], match.rows[-1]):
        for viewer in (*range(match.seats), None):
            for value in engine.seen(row.news, viewer):
                told(words.news(value, viewer))
            for state in (*row.planned, row.after):
                seen = GAME.observe(state, viewer)
                legal = GAME.legal_moves(state) if GAME.active_seat(state) == viewer else []
                told(words.ask(seen, legal))
                for step in legal:
                    told(words.step(step, seen))
    outcome = GAME.outcome(match.rows[-1].after)
    assert outcome is not None
    for me in (*range(match.seats), None):
        told(words.result(GAME.observe(match.rows[-1].after, "open"), outcome.places, outcome.reason, me))


def asked(**given: Any) -> Any:
    """What is asked in a match that has just begun, with these options."""
    state, _news = engine.start(GAME, Options(**given), 2, seeded(1))
    return state


def test_what_is_asked() -> None:
    state = asked()
    seat = GAME.active_seat(state)
    assert seat is not None
    seen = GAME.observe(state, seat)
    assert told(words.ask(seen, ["call speed"])).startswith("Name the property that decides")
    assert "offer the quicker ending" in told(words.ask(seen, ["call speed", "offer"]))
    assert told(words.ask(GAME.observe(state, 1 - seat), [])) == f"Waiting for {NAMES[seat]}."
    assert told(words.ask(seen | {"phase": "reply", "caller": 1 - seat}, [])).startswith(NAMES[1 - seat])
    top = DECK[seen["seats"][seat]["top"]]
    assert told(words.step("call wits", seen)) == f"wits {top.wits}"


def test_who_is_asked_for_a_draw_is_told_what_for() -> None:
    state = asked()
    seen = GAME.observe(state, 0) | {"phase": "draw", "active": 0, "caller": 1}
    assert told(words.ask(seen, [])).endswith("before Bert names a property.")
    assert "name its property" in told(words.ask(seen | {"caller": 0}, []))
    assert told(words.ask(seen | {"named": "wits"}, [])).endswith("What counts is wits.")
    assert "against the piggy" in told(words.ask(seen | {"named": "catapult"}, []))


def test_results() -> None:
    state, _news = engine.start(GAME, Options(), 2, seeded(1))
    seen = GAME.observe(state, "open")
    assert told(words.result(seen, [1, 1], "limit", 0)).endswith("Anna, Bert share the win with 18 cards each.")
    assert told(words.result(seen, [1, 1], "dead tie", 0)).endswith("Anna, Bert share the win.")
    assert told(words.result(seen, [2, 1], "last", 1)) == "You win: nobody else has a card left."
    assert told(words.result(seen, [2, 1], "fast", 0)).endswith("Bert wins with 18 cards.")
    seen["seats"][0] |= {"dealt": [], "won": []}
    assert told(words.result(seen, [1, 2], "last", None)) == "Anna wins."  # Bert left, and a bot won on that seat


def test_the_names_are_those_of_the_data_file() -> None:
    with (HERE / "deck.csv").open(encoding="utf-8", newline="") as lines:
        assert {line["id"]: line["name"] for line in csv.DictReader(lines)} == phrases.NAMES
    assert {told(words.piece("card", card)) for card in DECK} == set(phrases.NAMES.values())
    assert told(words.piece("back", "c28")) == "Butter Hedgehog (piggy)"
    assert told(words.piece("face", "c01")) == (
        "Mossback (ice upright): speed 48, strength 7, wits 20, courage 4, catapult 30"
    )
    assert told(words.piece("property", "wits")) == "wits"
    assert told(words.piece("material", "ice")) == "ice"
    assert told(words.piece("card", "a")) == "a"


def test_a_bot_game_reads_as_a_story() -> None:
    state, news = engine.start(GAME, Options(), 2, seeded(3))
    for _row in range(5):
        steps = random_bot(GAME, GAME.observe(state, GAME.active_seat(state)), seeded(4))
        state, more = engine.play(GAME, state, steps, seeded(5))
        news += more
    story = [told(words.news(value, None)) for value in engine.seen(news, None)]
    assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in story)
