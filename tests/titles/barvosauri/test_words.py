"""Barvosauři in words: nothing without a sentence, no place left empty, and what the sentences say."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string

from games import engine, rendering, titles
from games.bots import random_bot
from games.chance import seeded
from games.engine import IllegalMove
from games.titles.barvosauri import GAMES, words
from games.titles.barvosauri.board import COLOURS
from games.titles.barvosauri.state import Options, Seat, State
from games.wording import Piece, Sentence
from tests.titles.barvosauri import positions
from tests.titles.telling import told_by

GAME = GAMES[-1]
TITLE = titles.find([Path(titles.__file__).parent])["barvosauri"]
NAMES = ("Anna", "Bert", "Cleo", "Dan")
HERE = Path(words.__file__).parent

NEWS: list[dict[str, Any]] = [
    {"what": "dealt", "display": ["R", "O", "Y", "G"], "first": 0},
    {"what": "rolled", "seat": 0, "colour": "R", "full": False},
    {"what": "rolled", "seat": 0, "colour": "P", "full": True},
    {"what": "placed", "seat": 0, "space": "R3"},
    {"what": "moved", "seat": 0, "from": "R3", "space": "B1"},
    {"what": "stayed", "seat": 0},
    {"what": "paired", "seat": 0, "colour": "B"},
    {"what": "took", "seat": 0, "card": "B", "slot": 1},
    {"what": "exchanged", "seat": 0, "gave": "B", "card": "O", "slot": 1},
    {"what": "refreshed", "seat": 0, "cards": ["R", "O"], "slots": [0, 2]},
    {"what": "shown", "cards": ["R", "O"], "slots": [0, 2]},
    {"what": "missed", "seat": 0, "colour": "B"},
    {"what": "kept", "seat": 0, "colour": "B"},
    {"what": "ended", "how": "colours", "seat": 0, "cards": [*COLOURS], "held": [6, 3]},
    {"what": "ended", "how": "four of a colour", "seat": 0, "cards": ["R"] * 4, "held": [4, 9]},
    {"what": "ended", "how": "last card", "held": [9, 8, 7]},
    {"what": "ended", "how": "stall", "held": [3, 3], "rounds": 25},
]


told = partial(told_by, TITLE, NAMES)


PAIRED = (Seat(("R1", "R2"), ("R",)), Seat(("G1", "O1"), ("G",)))
"""Seats of which the first has just brought both figures onto red."""


def position(phase: str = "harvest", **changes: Any) -> State:
    """A position in which the first seat has just earned a card, or is in another phase."""
    return positions.position(phase, **{"seats": PAIRED} | changes)


def seen(state: State, viewer: int | None = 0) -> dict[str, Any]:
    return GAME.observe(state, viewer)


@pytest.mark.parametrize("value", NEWS, ids=str)
def test_all_news_have_a_sentence_for_everybody(value: dict[str, Any]) -> None:
    mover, other, spectator = (told(words.news(value, me)) for me in (0, 1, None))
    assert other == spectator
    if "seat" in value:
        assert "Anna" in other
        assert "Anna" not in mover
        assert re.search(r"\b[Yy]ou", mover)


def test_every_kind_of_news_is_tried() -> None:
    source = "".join(path.read_text("utf-8") for path in HERE.glob("*.py"))
    kinds = set(re.findall(r'\{"what": "(\w+)"', source)) | {"missed", "kept"}
    assert kinds == {value["what"] for value in NEWS}
    assert words.news({"what": "sneezed"}, None) is None


def test_what_happened_reads_well() -> None:
    assert (
        told(words.news(NEWS[0], 1)) == "On show: a red card, an orange card, a yellow card, a green card. Anna begins."
    )
    assert told(words.news(NEWS[2], None)) == (
        "Anna rolls purple, but every space of it is taken: the die is rolled again."
    )
    assert told(words.news(NEWS[4], 0)) == "You move from red 3 to blue 1."
    assert told(words.news(NEWS[8], 1)) == "Anna exchanges a blue card for an orange card."
    assert told(words.news(NEWS[15], 0)).endswith("Anna 9, Bert 8, Cleo 7.")
    assert told(words.news(NEWS[16], 0)).startswith("Nobody has taken a card for 25 rounds")


def test_every_row_of_a_match_can_be_told() -> None:
    for seats in GAME.seat_counts:
        state, news = engine.start(GAME, Options(harvest="both", board="tight"), seats, seeded(seats))
        chance = seeded(seats)
        while True:
            assert [told(words.news(value, 0)) for value in news]
            if (outcome := GAME.outcome(state)) is not None:
                break
            seat = GAME.active_seat(state)
            told(words.ask(seen(state, seat), GAME.legal_moves(state)))
            for step in GAME.legal_moves(state):
                assert told(words.step(step, seen(state, seat))) != step or step == "stay"
            state, news = engine.play(GAME, state, random_bot(GAME, seen(state, seat), chance), chance)
        told(words.result(seen(state, None), outcome.places, outcome.reason, None))


def test_every_reason_has_a_sentence_of_its_own() -> None:
    source = "".join(path.read_text("utf-8") for path in HERE.glob("*.py"))
    reasons = {*re.findall(r'IllegalMove\(\s*"(\w+)"', source), "refresh_one", "refresh_two", "roll_once"}
    reasons |= {"place_first", "move_first", "harvest_first", "placed_already", "unfinished", "too_long"}
    general = told(words.refusal("no such reason", {}, seen(position())))
    sentences = [told(words.refusal(reason, {"rolled": "R", "pair": "R"}, seen(position()))) for reason in reasons]
    assert general not in sentences
    assert len(set(sentences)) == len(reasons)
    for reason in reasons:
        told(words.refusal(reason, {}, seen(position("move"), None)))


@pytest.mark.parametrize(
    ("state", "step", "part"),
    [
        (position("move", rolled="G"), "move R1>G1", "one space, one figure"),
        (position("move", rolled="G"), "move R1>B1", "You rolled green"),
        (position("move", rolled="G"), "move G1>G2", "No figure of yours"),
        (position("move", rolled="G"), "move R1>G9", "no such space"),
        (position("move", rolled="G"), "roll", "not roll again"),
        (position("move", rolled="G"), "take 0", "only right after a move"),
        (position("move", rolled="G"), "place G2", "move one of them"),
        (position("place", rolled="G"), "stay", "In the first turn"),
        (position(), "stay", "No figure moves any more"),
        (position(), "take 1", "only a card of that colour"),
        (position(), "take 7", "Only four cards"),
        (position(), "exchange 0", "another colour"),
        (position(), "done", "you cannot decline"),
        (position(), "refresh 0 1", "only if none of them"),
        (position(display=("G", "B", "Y", "O")), "refresh 1 1", "two different"),
        (position(display=("G", "B", "Y", "O"), deck=("P",)), "refresh 0 1", "exactly one"),
        (position(display=("G", "B", "Y", None), deck=()), "refresh 0 1", "pack is empty"),
        (position(display=("G", "B", "Y", None), deck=()), "exchange 3", "is empty"),
        (position(display=("G", "B", "Y", "O"), refreshed=True), "refresh 0 1", "only once"),
        (position(took=True), "take 0", "you have taken it"),
        (position(took=True), "exchange 1", "held before the move"),
        (position(), "dance", "no step of this game"),
    ],
)
def test_a_refusal_says_the_rule(state: State, step: str, part: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, step)
    assert part in told(words.refusal(refused.value.reason, refused.value.facts, seen(state)))


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("place R3", "a figure onto red 3"),
        ("move R1>G2", "from red 1 to green 2"),
        ("stay", "stay"),
        ("take 0", "take a red card"),
        ("exchange 3", "exchange one of yours for an orange card"),
        ("refresh 3 1", "replace an orange card, a blue card"),
        ("done", "end the turn"),
        ("take 9", "take 9"),
        ("dance", "dance"),
    ],
)
def test_steps(step: str, text: str) -> None:
    assert told(words.step(step, seen(position()))) == text


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (position("place"), "You rolled red: place a figure on a free space of that colour."),
        (position("move"), "You rolled red: move a figure to a free space of that colour, or stay."),
        (position(), "Both your figures stand on red: take a red card, or exchange one of yours."),
        (position(seats=(Seat(("R1", "R2")), Seat())), "Both your figures stand on red: take a red card."),
        (
            position(display=("G", "B", "Y", "O")),
            "No card of red is on show: replace cards, exchange one of yours, or end the turn.",
        ),
        (
            position(display=("G", "B", "Y", "O"), seats=(Seat(("R1", "R2")), Seat())),
            "No card of red is on show: replace cards, or end the turn.",
        ),
        (
            position(display=("G", "B", "Y", "O"), refreshed=True),
            "No card of red is on show: exchange one of yours, or end the turn.",
        ),
        (position(took=True), "You have your card. Exchange another one of red as well, or end the turn."),
        (position("fill"), "Confirm your turn."),
        (position("deal", active=None), "The cards are being dealt."),
        (position("over"), "The match is over."),
        (position("move", active=1), "Waiting for Bert."),
    ],
)
def test_what_is_asked(state: State, text: str) -> None:
    assert told(words.ask(seen(state), ())) == text
    assert told(words.refusal("unfinished", {}, seen(state))) == text


def test_results() -> None:
    over = seen(position("over", seats=(Seat(held=tuple(COLOURS)), Seat(held=("R",) * 3)), how="colours"))
    assert told(words.result(over, (1, 2), "colours", 0)).startswith("A royal win for you by different colours")
    assert told(words.result(over, (1, 2), "colours", 1)).startswith("A royal win for Anna by different colours")
    assert told(words.result(over, (2, 1), "colours", 1)) == "You win."
    assert told(words.result(over, (1, 2), "last card", 1)) == "Anna wins with 6 cards."
    assert told(words.result(over, (1, 2), "last card", 0)) == "You win with 6 cards."
    assert told(words.result(over, (1, 1), "last card", 0)) == "Anna, Bert share the win."
    even = seen(position("over", how="stall"))
    assert told(words.result(even, (1, 1), "stall", 0)) == "Anna, Bert share the win with 1 card each."
    four = seen(position("over", seats=(Seat(held=("B",) * 4), Seat()), how="four of a colour"))
    assert told(words.result(four, (1, 2), "four of a colour", None)).startswith("A royal win for Anna by all four")


def test_pieces() -> None:
    assert told(words.piece("card", "O")) == "an orange card"
    assert told(words.piece("space", "P5")) == "purple 5"
    assert told(words.piece("colour", "Y")) == "yellow"
    assert told(words.piece("dinosaur", "G")) == "stegosaur"
    assert told(words.piece("card", "R7")) == "R7"
    for kind, value in (("card", "R"), ("space", "R5"), ("colour", "R")):
        assert "bv-R" in rendering.to_html(Sentence("{piece}", piece=Piece(kind, value)), (), TITLE)


def test_the_rules_page_tells_every_ruling() -> None:
    page = render_to_string("barvosauri/rules.html", {"title": TITLE})
    assert {f"B{number}" for number in range(1, 26)} == set(re.findall(r'data-decision="(B\d+)"', page))
    assert page.count('class="space') >= len(GAME.board.spaces)
    assert "style=" not in page
