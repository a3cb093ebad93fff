"""Red in words: nothing without a sentence, no place left empty, and what the sentences and the table say."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from games import engine, titles
from games.bots import random_bot
from games.chance import seeded
from games.engine import IllegalMove
from games.titles.red import GAMES, phrases, words
from games.titles.red.leading import COLOURS, DECK, winning_set
from games.titles.red.table import table
from tests.titles.telling import told_by

GAME = GAMES[-1]
RED = titles.find([Path(titles.__file__).parent])["red"]
NAMES = ("Anna", "Bert", "Cleo", "Dan")
OPTIONS = [{"game": game, "icons": icons} for game in ("basic", "advanced") for icons in (False, True)]

NEWS = [
    {"what": "dealt", "round": 2, "palettes": ["R7", "O3", "V1"], "leader": 0, "first": 1},
    {"what": "laid", "seat": 0, "card": "R7"},
    {"what": "discarded", "seat": 0, "card": "V2"},
    {"what": "took", "seat": 0, "from": 1, "card": "R7"},
    {"what": "shifted", "seat": 0, "card": "G4", "place": "canvas"},
    {"what": "shifted", "seat": 0, "card": "G4", "place": "deck"},
    {"what": "drew", "seat": 0, "card": "G6", "why": "icon"},
    {"what": "drew", "seat": 0, "card": "G6", "why": "high"},
    {"what": "drew", "seat": 0, "why": "icon"},
    {"what": "drew", "seat": 0, "why": "high"},
    *({"what": "leads", "seat": 0, "rule": rule, "set": ["R7"]} for rule in COLOURS),
    {"what": "leads", "seat": 0, "rule": "G", "set": ["G4", "V2"]},
    {"what": "passed", "seat": 0},
    {"what": "emptied", "seat": 0},
    {"what": "round_won", "seat": 0, "rule": "R", "set": ["R6"], "points": 6},
    {"what": "round_won", "seat": 0, "rule": "V", "set": ["R1"], "points": 1},
    {"what": "round_won", "seat": 0, "rule": "R", "set": ["R6"], "points": 0},
    {"what": "ended", "how": "round"},
    {"what": "ended", "how": "target"},
    {"what": "ended", "how": "cards"},
]


told = partial(told_by, RED, NAMES)


def start(seats: int, seed: int = 1, **options):
    return engine.start(GAME, GAME.Options(**options), seats, seeded(seed))[0]


def positions(matches: int, **options):
    """The positions of some random matches in which a seat is asked."""
    for seed in range(matches):
        state, chance = start(2 + seed % 3, seed, **options), seeded(seed)
        while GAME.outcome(state) is None:
            yield state
            steps = random_bot(GAME, GAME.observe(state, GAME.active_seat(state)), chance)
            state, _news = engine.play(GAME, state, steps, chance)


def planned_table(state, steps=(), picked=""):
    """The table of the seat to move, after its plan, as the page asks for it."""
    me = GAME.active_seat(state)
    planned, _news = engine.plan(GAME, state, steps)
    asking = GAME.active_seat(planned) == me
    legal = GAME.legal_moves(planned) if asking else []
    observation = GAME.observe(planned, me)
    return table(GAME, observation, legal, me=me, picked=picked, my_turn=True, asking=asking, over=False)


@pytest.mark.parametrize("value", NEWS, ids=str)
def test_all_news_have_a_sentence_for_everybody(value):
    mover, other, spectator = (told(words.news(value, me)) for me in (0, 2, None))
    assert other == spectator
    if "seat" in value and ("card" in value or value["what"] != "drew"):
        assert "Anna" in other
        assert "Anna" not in mover
        assert "You" in mover


def test_who_is_robbed_is_told_so():
    assert told(words.news({"what": "took", "seat": 0, "from": 1, "card": "R7"}, 1)) == (
        "Anna puts red 7 from your palette onto the deck."
    )


def test_the_deal_is_told_to_who_leads_and_who_begins():
    value = NEWS[0]
    assert told(words.news(value, 0)) == "Round 2: you have the highest card, red 7, so Bert begins."
    assert told(words.news(value, 1)) == "Round 2: Anna has the highest card, red 7, so you begin."


def test_news_of_another_kind_have_none():
    assert words.news({"what": "sneezed"}, None) is None


def test_every_reason_has_a_sentence():
    source = "".join(path.read_text() for path in Path(words.__file__).parent.glob("*.py"))
    reasons = {*re.findall(r'IllegalMove\(\s*"(\w+)"', source), "after_end", "unfinished", "too_long", "unknown_step"}
    assert {"not_leading", "bad_target", "empty_turn"} < reasons
    general = told(words.refusal("no such reason", {}, GAME.observe(start(2), 0)))
    for reason in reasons:
        for me in (0, 1, None):
            sentence = words.refusal(reason, {"card": "R7", "rule": "G"}, GAME.observe(start(2), me))
            assert told(sentence) != general


def test_a_refused_turn_says_who_leads_and_why():
    state = start(2)
    me = GAME.active_seat(state)
    refused = 0
    for card in state.seats[me].hand:
        try:
            engine.plan(GAME, state, [f"C:{card}"])
        except IllegalMove as why:
            text = told(words.refusal(why.reason, why.facts, GAME.observe(state, me)))
            assert text.startswith("A turn must end with you in the lead")
            refused += 1
    assert refused


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("P:B7", "blue 7 to your palette"),
        ("C:B7", "blue 7 to the canvas"),
        ("T:B:R1", "red 1 of Bert onto the deck"),
        ("S:canvas:G4", "green 4 from your palette to the canvas"),
        ("S:deck:G4", "green 4 from your palette onto the deck"),
        ("END", "end of the turn"),
        ("PASS", "give up the round"),
        ("text", "text"),
        ("T:Z:R1", "red 1 of Seat 26 onto the deck"),
    ],
)
def test_steps(step, text):
    assert told(words.step(step, GAME.observe(start(2), 0))) == text


def test_pieces():
    assert told(words.piece("card", "I3")) == "indigo 3"
    assert told(words.piece("colour", "V")) == "violet"
    assert told(words.piece("rule", "B")) == "different colours"
    assert told(words.piece("figure", "X9")) == "X9"


@pytest.mark.parametrize(
    ("rule", "rows", "ahead", "text"),
    [
        ("R", [["R4"], ["O6"]], False, "orange 6 of Bert beats your red 4"),
        ("R", [["R6"], ["O6"]], True, "your red 6 beats orange 6 of Bert"),
        ("G", [["R7"], ["O6"]], False, "no card of your palette counts"),
        ("G", [["R2"], ["O5"]], True, "1 even card, and nobody else has any"),
        ("O", [["R2", "O2"], ["O5"], ["I3"]], True, "2 cards of one number, against 1 of Bert"),
        ("I", [["R2"], ["O5", "V4"]], False, "1 card in a row, against 2 of Bert"),
        ("B", [["R2"], ["V2"]], True, "1 colour, as many as Bert, and your red 2 beats violet 2"),
        ("V", [["V2"], ["R2"], None], False, "1 card below 4, as many as Bert, but red 2 beats your violet 2"),
    ],
)
def test_why_one_leads(rule, rows, ahead, text):
    leads, why = phrases.compare(rule, rows, 0)
    assert (leads, told(why)) == (ahead, text)


def test_comparing_agrees_with_the_leader():
    for seed in range(300):
        cards = seeded(seed).shuffle(DECK)
        rows = [cards[:2], cards[2:5], None, cards[5:9]]
        for rule in COLOURS:
            found = [seat for seat in (0, 1, 3) if phrases.compare(rule, rows, seat)[0]]
            assert found == [seat for seat in [phrases.leader(rule, rows)] if seat is not None]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_in_words(options, seats):
    """Everything that a page says about every position of a match, for each seat and a spectator."""
    state, number = start(seats, seats, **options), 0
    while GAME.outcome(state) is None:
        number += 1
        me = GAME.active_seat(state)
        for viewer in (*range(seats), None):
            observation = GAME.observe(state, viewer)
            legal = GAME.legal_moves(state) if viewer == me else []
            mine = viewer == me
            told(words.ask(observation, legal))
            shown = table(GAME, observation, legal, me=viewer, picked="", my_turn=mine, asking=mine, over=False)
            assert len(shown["opponents"]) == seats - (viewer is not None)
            assert bool(shown["steps"]) == (mine and "PASS" in legal)
            for sentence in [shown["aim"], *(seat["standing"] for seat in shown["opponents"] if not seat["out"])]:
                told(sentence)
        steps = random_bot(GAME, GAME.observe(state, me), seeded(number))
        for end in range(1, len(steps) + 1):
            shown = planned_table(state, steps[:end])
            told(shown["consequence"])
            assert shown["tone"] in ("good", "bad", "warn", "plain")
            for more in shown["then"]:
                told(more)
        assert shown["tone"] != "bad"
        state, news = engine.play(GAME, state, steps, seeded(number))
        for viewer in (*range(seats), None):
            for value in engine.seen(news, viewer):
                told(words.news(value, viewer))
    result = GAME.outcome(state)
    for me in (*range(seats), None):
        text = told(words.result(GAME.observe(state, "open"), result.places, result.reason, me))
        assert ("you win" in text.lower()) == (
            me is not None and result.places[me] == 1 and result.places.count(1) == 1
        )


def test_the_table_offers_what_can_be_done_and_says_what_leads():
    for seed in range(40):
        state = start(3, seed, icons=True)
        me, legal = GAME.active_seat(state), set(GAME.legal_moves(state))
        for item in planned_table(state)["hand"]:
            assert item["pick"]
            assert item["can_lead"] == bool({f"P:{item['card']}", f"C:{item['card']}"} & legal)
            shown = planned_table(state, picked=item["card"])
            targets = shown["targets"]
            assert [target["step"] for target in targets] == [f"P:{item['card']}", f"C:{item['card']}"]
            assert [target["good"] for target in targets] == [target["step"] in legal for target in targets]
            for target in targets:
                told(target["label"])
                text = told(target["note"])
                if target["step"][0] == "C":
                    assert text.startswith("leads:") == target["good"]
        assert planned_table(state, picked="R9")["targets"] == []
        assert [seat["seat"] for seat in planned_table(state)["opponents"]] == [(me + 1) % 3, (me + 2) % 3]


def test_icons_ask_for_their_targets():
    """The cards that a 1 may take and those a 7 may move are offered where they lie, as apply accepts them."""
    met = set()
    for state in positions(60, icons=True):
        for step in GAME.legal_moves(state):
            if step[0] != "P" or step[3] not in "17":
                continue
            planned, _news = engine.plan(GAME, state, [step])
            offers = []
            for card in planned.seats[planned.active].palette:
                shown = planned_table(state, [step], picked=card)
                offers += [item["offer"] for seat in shown["opponents"] for item in seat["palette"] if item["offer"]]
                offers += shown["targets"]
            steps = {offer["step"] for offer in offers}
            for offer in offers:
                GAME.apply(planned, offer["step"])
                told(offer["label"])
            if planned.phase in ("take", "shift"):
                assert {offer["step"] for offer in offers if offer["good"]} == set(GAME.legal_moves(planned)) <= steps
            met.add(planned.phase)
    assert {"take", "shift"} <= met


def test_drawing_with_a_3_is_announced_as_final():
    for seed in range(100):
        state = start(2, seed, icons=True)
        for step in GAME.legal_moves(state):
            if step[:1] == "P" and step[3] == "3":
                shown = planned_table(state, [step])
                assert shown["tone"] == "warn"
                assert "cannot be taken back" in told(shown["consequence"])
                return
    pytest.fail("no 3 was dealt")


def test_results():
    seats = [
        {"out": 1, "palette": ["R7"], "score": 12},
        {"out": None, "palette": ["R1", "O2"], "score": 31},
    ]
    seen = {"rule": "V", "seats": seats}
    assert told(words.result(seen, [2, 1], "round", None)) == (
        "Bert wins as the last one in: orange 2, red 1: 2 cards below 4."
    )
    assert told(words.result(seen, [2, 1], "target", 1)) == "You win."  # 40 points were needed: the other one left
    assert told(words.result(seen, [2, 1], "cards", 0)) == (
        "Too few cards are left for another round: Bert wins with 31 points."
    )
    assert told(words.result(seen, [1, 1], "cards", 0)) == (
        "Too few cards are left for another round: Anna, Bert share the win with 12 points each."
    )
    assert told(words.result(seen, [1, 2], "round", None)) == "Anna wins."
    assert winning_set("V", ["R1", "O2"]) == ("O2", "R1")
