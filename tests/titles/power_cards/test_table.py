"""The table: what it offers is what is legal, it says what things mean, and it tells the last rounds."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games import engine, titles
from games.chance import seeded
from games.titles.power_cards import GAMES, words
from games.titles.power_cards.state import Construction, Options, Seat, State
from games.titles.power_cards.table import table
from games.wording import Sentence
from tests.titles.power_cards.tables import SOME
from tests.titles.telling import told_by
from tests.titles.walks import walk

GAME = GAMES[-1]
TITLE = titles.find([Path(words.__file__).parent.parent])["power_cards"]
NAMES = ("Anna", "Bert", "Cleo", "Dan")

told = partial(told_by, TITLE, NAMES)


def shown(
    state: State,
    me: int | None,
    steps: tuple[str, ...] = (),
    *,
    picked: str = "",
    news: tuple[engine.News, ...] = (),
    viewer: engine.Viewer = "me",  # type: ignore[assignment]
) -> dict[str, Any]:
    """The table as the site makes it, with a plan carried out."""
    my_turn = me is not None and GAME.active_seat(state) == me
    planned, _news = engine.plan(GAME, state, steps)
    asking = my_turn and GAME.active_seat(planned) == me
    legal = list(GAME.legal_moves(planned)) if asking else []
    who: engine.Viewer = me if viewer == "me" else viewer  # type: ignore[comparison-overlap]
    return table(
        GAME,
        GAME.observe(planned, who),
        legal,
        me=me,
        picked=picked,
        my_turn=my_turn,
        asking=asking,
        over=GAME.outcome(state) is not None,
        recent=engine.seen(news, who),
    )


def offered(made: dict[str, Any]) -> set[str]:
    """The steps that the links of a table lead to at once."""
    own = made["own"]
    if own is None:
        return set()
    rows = own["card"]["rows"] if own["card"] else []
    found = {row["step"] for row in rows} | {face["step"] for face in own["draws"]}
    found |= {button["step"] for button in made["steps"]}
    found |= {place["step"] for yard in made["yards"] for built in yard["built"] for place in built["places"]}
    return found - {""}


def sentences(value: Any) -> list[Sentence]:
    """Every sentence in what the template is given."""
    if isinstance(value, Sentence):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [sentence for one in inside for sentence in sentences(one)]


def news_before(match: Any, row: int) -> tuple[engine.News, ...]:
    """The news of the last rows up to this one."""
    return tuple(value for one in match.rows[max(0, row - 39) : row + 1] for value in one.news)


@pytest.mark.parametrize("given", SOME, ids=str)
def test_the_links_lead_to_the_legal_steps_and_to_no_others(given: tuple[Options, int]) -> None:
    for seed in (0, 2):
        match = walk(GAME.slug, *given, seed)
        for row in match.rows[:-1]:
            seat = GAME.active_seat(row.after)
            assert seat is not None
            waiting: list[tuple[str, ...]] = [()]
            while waiting:
                steps = waiting.pop()
                planned, _news = engine.plan(GAME, row.after, steps)
                if GAME.active_seat(planned) != seat or len(steps) > 2:
                    assert GAME.active_seat(planned) == seat or not offered(shown(row.after, seat, steps))
                    continue
                made = shown(row.after, seat, steps)
                found = offered(made)
                for item in made["won"]:
                    more = offered(shown(row.after, seat, steps, picked=item["face"]["card"]))
                    assert not item["fits"] or any(f"build {item['face']['card']}>" in step for step in more)
                    found |= more
                legal = GAME.legal_moves(planned)
                assert found == set(legal)
                waiting += [(*steps, step) for step in legal]


@pytest.mark.parametrize("given", SOME, ids=str)
def test_everybody_can_read_every_state(given: tuple[Options, int]) -> None:
    match = walk(GAME.slug, *given, 1)
    for number, row in enumerate(match.rows):
        if number % 5 and number != len(match.rows) - 1:
            continue
        news = news_before(match, number)
        for me in (*range(match.seats), None):
            views: list[engine.Viewer] = [me] if GAME.outcome(row.after) is None else [me, "open"]
            for viewer in views:
                made = shown(row.after, me, news=news, viewer=viewer)
                for sentence in sentences(made):
                    told(sentence)
                assert [yard["seat"] for yard in made["yards"]] == [
                    ((me or 0) + step) % match.seats for step in range(match.seats)
                ]
                assert sum(yard["count"] for yard in made["yards"]) == sum(seat.count for seat in row.after.seats)
        seat = GAME.active_seat(row.after)
        for step in GAME.legal_moves(row.after):
            made = shown(row.after, seat, (step,), news=news)
            assert made["consequence"] is None or told(made["consequence"])
            assert made["tone"] in ("", "plain", "good", "warn")


@pytest.mark.parametrize("given", SOME, ids=str)
def test_the_last_rounds_are_told(given: tuple[Options, int]) -> None:
    match = walk(GAME.slug, *given, 2)
    for number, row in enumerate(match.rows):
        made = shown(row.after, 0, news=news_before(match, number))
        calls = [value for one in match.rows[: number + 1] for value in one.news if value["what"] == "called"]
        assert (made["last"] is None) == (not calls)
        assert (made["deal"] is None) == bool(calls)
        if not calls:
            continue
        assert made["round"] == row.after.round
        last, rounds = made["last"], [made["last"], *made["earlier"]]
        assert (last["caller"], last["named"]) == (calls[-1]["seat"], calls[-1]["named"])
        assert len(rounds) <= 5
        assert all(one["caller"] != 0 for one in rounds[:-1]), "told further back than the own last call"
        for one in rounds:
            cards = [step["cards"] for step in one["steps"] if step["kind"] == "cards"]
            for shot in (step for step in one["steps"] if step["kind"] == "catapult"):
                winners = [item["seat"] for items in shot["shots"] for item in items if item["won"]]
                assert winners == ([shot["winner"]] if shot["fate"] == "beaten" else [])
                assert (len(shot["fallen"]) > 2) == (shot["fate"] == "swept")
            for items in cards[:-1]:
                assert sum(item["tied"] for item in items) > 1
            if one["winner"] is not None and any(item["won"] for item in cards[-1]):
                assert [item["seat"] for item in cards[-1] if item["won"]] == [one["winner"]]


def test_a_round_that_is_only_planned_is_not_told() -> None:
    match = walk(GAME.slug, Options(), 2, 2)
    row = next(row for row in match.rows[1:] if row.after.phase == "call")
    made = shown(row.after, row.after.active, ("call wits",), news=news_before(match, match.rows.index(row)))
    assert made["round"] == row.after.round
    assert made["own"]["planned"]
    assert [item["named"] for item in made["own"]["card"]["rows"] if item["lit"]] == ["wits"]


def position(phase: str, *seats: Seat, **facts: Any) -> State:
    """A position of seat 0 with the given seats."""
    given = {
        "options": Options(),
        "phase": phase,
        "active": 0,
        "round": 3,
        "caller": 0,
        "named": None,
        "contest": tuple(range(len(seats))),
        "pot": (),
        "piggy": None,
        "chain": 0,
        "fast": False,
        "offered": False,
        "how": None,
    }
    return State(**(given | facts), seats=seats)


OTHER = Seat(("c30",))
WOOD = Construction("wood", ("c23", "c27"))


def says(made: dict[str, Any]) -> tuple[str, str]:
    """The tone and the words of the consequence."""
    return made["tone"], told(made["consequence"])


def test_a_call_is_measured_by_its_scale() -> None:
    state = position("call", Seat(("c18",)), OTHER)
    assert says(shown(state, 0, ("call speed",))) == (
        "good",
        "120 is high: 100 % of the highest speed of all cards, 120.",
    )
    assert says(shown(state, 0, ("call strength",))) == (
        "warn",
        "2 is low: 7 % of the highest strength of all cards, 30.",
    )
    middle = position("call", Seat(("c15",)), OTHER)
    assert says(shown(middle, 0, ("call speed",))) == ("plain", "55 is 46 % of the highest speed of all cards, 120.")


def test_what_building_completes_is_said() -> None:
    pot = ("c03", "c07", "c18", "c36")
    state = position("build", Seat(("c30",), (), (WOOD,)), OTHER, pot=pot)
    assert says(shown(state, 0))[1] == "Choose one of the cards that fit, then its place."
    made = shown(state, 0, picked="c03")
    assert says(made)[1] == "Choose its place: Puddle Newt across the top completes the construction."
    assert [place["step"] for place in made["yards"][0]["built"][0]["places"]] == ["", "", "build c03>0", ""]
    assert {item["face"]["card"]: item["fits"] for item in made["won"]} == {
        "c03": True,
        "c07": True,
        "c18": False,
        "c36": False,
    }
    assert [item["face"]["card"] for item in made["won"]] == ["c03", "c07", "c18", "c36"]
    assert told(made["won"][2]["why"]).startswith("A piggy needs a finished construction")
    after = shown(state, 0, ("build c03>0",))
    assert after["building"]
    assert says(after)[1] == "Choose one of the cards that fit, then its place."
    assert [item["face"]["card"] for item in after["won"]] == ["c18", "c36", "c07"], "what fits comes first"
    assert told(after["won"][2]["why"]) == "That construction has its cross part already."
    done = shown(state, 0, ("build c03>0", "build c18>0"))
    assert says(done) == ("good", "A catapult round follows: Noodle Otter with 26 against the others' top cards.")
    assert [item["why"] for item in done["won"]] == [None, None]


def test_a_new_construction_and_what_is_left() -> None:
    state = position("build", Seat(("c30",)), OTHER, pot=("c01", "c06", "c08"))
    made = shown(state, 0)
    (new,) = made["yards"][0]["built"]
    assert new["new"]
    assert new["material"] == ""
    assert [place["open"] for place in new["places"]] == [True, False, False, False]
    made = shown(state, 0, picked="c06")
    assert made["yards"][0]["built"][0]["material"] == "stone"
    assert says(made)[1].startswith("Choose its place: Snooze Bear begins a construction")
    assert says(shown(state, 0, ("build c06>new",))) == (
        "plain",
        "Your stone construction needs an upright and its cross part. 2 won cards go under your pack.",
    )
    assert shown(state, 0, picked="c37")["picked"] == ""


def test_the_second_piggy_of_the_quicker_ending_is_announced() -> None:
    ready = Construction("wood", ("c23", "c27"), "c03")
    one = Construction("ice", ("c01", "c02"), "c10", "c11")
    state = position("build", Seat(("c30",), (), (ready, one)), OTHER, pot=("c13", "c14"), fast=True)
    assert (
        says(shown(state, 0, ("build c13>0",)))[1] == "That is your second piggy: the match ends, and most cards win."
    )
    state = position("build", Seat(("c30",), (), (ready,)), OTHER, pot=("c13", "c14"), fast=True)
    assert says(shown(state, 0, ("build c13>0",)))[1] == "One piggy more, and the match ends."


def test_a_part_that_is_taken_off() -> None:
    piggy = Construction("ice", ("c01", "c02"), "c10", "c11")
    state = position("draw", Seat(constructions=(WOOD, piggy)), Seat((), (), (WOOD,)), named="wits", pot=("c30",))
    made = shown(state, 0)
    assert [face["card"] for face in made["own"]["draws"]] == ["c23", "c27", "c11"]
    assert all(row["lit"] == (row["named"] == "wits") for face in made["own"]["draws"] for row in face["rows"])
    assert says(shown(state, 0, ("draw c11",)))[1].endswith("which then waits for a piggy again.")
    assert says(shown(state, 0, ("draw c23",)))[1].endswith("one upright is left of it.")


def test_the_quicker_ending_is_offered_and_answered_in_words() -> None:
    state = position("call", Seat(("c18",)), OTHER)
    (offer,) = shown(state, 0)["steps"]
    assert told(offer["label"]) == "Offer the quicker ending"
    assert says(shown(state, 0, ("offer",)))[1] == "Bert accepts or declines; then you name a property."
    asked = position("reply", Seat(("c18",)), OTHER, active=1)
    assert [told(button["label"]) for button in shown(asked, 1)["steps"]] == ["Accept the quicker ending", "Decline"]
    assert says(shown(asked, 1, ("accept",)))[0] == "warn"
    assert says(shown(asked, 1, ("decline",)))[1] == "It goes on as before: Anna names a property."


def test_who_watches_or_is_out_has_no_card_of_ones_own() -> None:
    state = position("call", Seat(("c18",)), OTHER, Seat(out=2))
    assert shown(state, None)["own"] is None
    assert not shown(state, None)["steps"]
    assert shown(state, 2)["own"] == {"card": None, "drawn": False, "out": True, "draws": [], "planned": False}
    assert "c30" not in str(shown(state, 0))
    assert "c18" not in str(shown(state, None))


def test_packs_are_open_when_the_match_is_over_and_the_own_top_card_in_its_replay() -> None:
    state = position("call", Seat((), (("c18", "c01"),)), OTHER)
    made = shown(state, 0, viewer="open")
    assert made["own"]["card"]["card"] == "c18"
    assert made["yards"][1]["order"] == ["c30"]
    over = position("over", Seat(("c18",)), Seat(out=3), active=None, how="last")
    assert shown(over, 0, viewer="open")["own"] is None


def test_a_table_is_made_of_what_its_viewer_may_know() -> None:
    """The same for every state that the viewer cannot tell from the true one."""
    match = walk(GAME.slug, Options(), 3, 2)
    for number, row in list(enumerate(match.rows))[:-1:7]:
        for me in (0, 1, 2, None):
            twin = GAME.imagine(GAME.observe(row.after, me), seeded(number))
            news = news_before(match, number)
            assert str(shown(twin, me, news=news)) == str(shown(row.after, me, news=news))


def test_the_template_asks_for_nothing_inline() -> None:
    folder = Path(words.__file__).parent / "templates" / "power_cards"
    for path in folder.glob("*.html"):
        assert not re.search(r"\sstyle=|<script|\son[a-z]+=", path.read_text("utf-8")), path
