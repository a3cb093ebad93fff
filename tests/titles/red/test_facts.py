"""What always holds in Red, over whole matches of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from games.titles.red.leading import DECK, winning_set
from games.titles.red.rules import Red, ending
from games.titles.red.state import Options, Seat, State
from tests.titles.walks import COMBINATIONS, Printed, Walk, walk

RED = Red()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "match" in metafunc.fixturenames:
        seeds = range(30) if metafunc.config.getoption("--thorough") else range(3)
        every = [(*combination, seed) for combination in COMBINATIONS if combination[0] == "red" for seed in seeds]
        names = [f"{o.game}-{'icons' if o.icons else 'plain'}-{n}-{seed}" for _slug, o, n, seed in every]
        metafunc.parametrize("match", every, ids=names, indirect=True)


@pytest.fixture
def match(request: pytest.FixtureRequest) -> Walk:
    return walk(*request.param)


def kinds(news: Any) -> list[str]:
    return [value["what"] for value in news]


def test_after_every_accepted_turn_the_mover_leads(match: Walk) -> None:
    for row in match.rows:
        if row.planned and row.planned[-1].phase == "turned" and "passed" not in kinds(row.news):
            state = row.planned[-1]
            assert state.leader() == state.mover
            leads = next(value for value in row.news if value["what"] == "leads")
            best = winning_set(state.rule, state.seats[state.mover].palette)
            assert leads == {"what": "leads", "seat": state.mover, "rule": state.rule, "set": list(best)}


def test_at_the_start_of_a_turn_the_active_seat_never_leads(match: Walk) -> None:
    for state in match.stored[:-1]:
        assert state.phase in ("turn", "drawn")
        if state.phase == "turn":
            assert state.leader() not in (None, state.mover)


def test_the_round_goes_to_the_last_who_led(match: Walk) -> None:
    last = None
    for row in match.rows:
        for value in row.news:
            if value["what"] == "dealt":
                last = value["leader"]
            elif value["what"] == "leads":
                last = value["seat"]
            elif value["what"] == "round_won":
                assert value["seat"] == last
                assert value["set"]


def test_no_living_palette_is_empty(match: Walk) -> None:
    for state in match.positions:
        if state.phase not in ("deal", "score", "over"):
            assert all(state.seats[number].palette for number in state.living)


def test_no_card_is_lost(match: Walk) -> None:
    for state in match.positions:
        held = [card for seat in state.seats for card in (*seat.hand, *seat.palette, *seat.scored)]
        assert sorted([*held, *state.canvas, *state.deck]) == sorted(DECK)


def test_hidden_cards_stand_in_printed_order(match: Walk) -> None:
    for state in match.positions:
        for seat in state.seats:
            assert list(seat.hand) == sorted(seat.hand, key=DECK.index)
            assert list(seat.known) == sorted(seat.known, key=DECK.index)
            assert set(seat.known) <= set(seat.hand)
        assert 0 <= state.known_top <= len(state.deck)


def test_known_cards_are_those_that_went_over_the_table(match: Walk) -> None:
    """Everything that a spectator is told about hidden places was to be seen before, and is true."""
    onto: list[str] = []
    for row in match.rows:
        for value in row.news:
            if value["what"] == "dealt":
                onto = []
            elif value["what"] == "took" or (value["what"] == "shifted" and value["place"] == "deck"):
                onto.append(value["card"])
            elif value["what"] == "drew":
                assert ("to" not in value) == bool(onto)
                assert onto or (value["to"] == [value["seat"]] and "card" not in value["public"])
                assert not onto or value["card"] == onto.pop()
        seen = RED.observe(row.after, None)
        assert seen["known_top"] == onto[::-1]
        assert all(set(seen["seats"][n]["known"]) <= set(seat.hand) for n, seat in enumerate(row.after.seats))


def test_an_empty_hand_is_out_at_the_start_of_the_turn(match: Walk) -> None:
    for row in match.rows:
        for value in row.news:
            if value["what"] == "emptied":
                assert row.after.seats[value["seat"]].out or "round_won" in kinds(row.news)
        if row.after.phase == "turn":
            assert row.after.seats[row.after.mover].hand


def test_points_are_the_numbers_on_the_scored_cards(match: Walk) -> None:
    for state in match.stored:
        for seat in state.seats:
            assert seat.score == sum(int(card[1]) for card in seat.scored)
            assert match.options.game == "advanced" or not seat.scored


def test_the_first_turn_is_left_of_the_best_dealt_card(match: Walk) -> None:
    for row in match.rows:
        for value in row.news:
            if value["what"] == "dealt":
                best = max(value["palettes"], key=lambda card: (int(card[1]), -"ROYGBIV".index(card[0])))
                assert value["palettes"].index(best) == value["leader"]
                assert (value["leader"] + 1) % match.seats == value["first"]


def test_two_players_never_run_out_of_cards() -> None:
    """Fewer than 16 cards left means 34 scored, worth 100 at least; two players below 40 hold 78 at most."""
    worth = sorted(int(card[1]) for card in DECK)
    assert sum(worth[:34]) == 100
    table = RED.setup(Options("advanced"), 2, None)  # type: ignore[arg-type]
    for scored in range(34):
        low, high = tuple(DECK[:scored]), ()
        state: State = table.with_seat(0, Seat(score=39, scored=low)).with_seat(1, Seat(score=39, scored=high))
        assert ending(state) is None


def test_the_deal_follows_the_shuffled_order() -> None:
    state, news = RED.settle(RED.setup(Options(), 3, Printed()), Printed())
    assert [seat.hand for seat in state.seats] == [DECK[:7], DECK[7:14], DECK[14:21]]
    assert [seat.palette for seat in state.seats] == [(DECK[21],), (DECK[22],), (DECK[23],)]
    assert state.deck == DECK[24:]
    assert news == ({"what": "dealt", "round": 1, "palettes": ["G1", "G2", "G3"], "leader": 2, "first": 0},)
