"""A turn becomes a row, or nothing at all."""

from __future__ import annotations

from uuid import uuid4

import pytest

from games import engine, states
from games.models import Match, Move
from games.services import records, rows, turns
from games.services.errors import Illegal, KeyReused, NotRunning, NotYourTurn, StaleMatch, TimeIsUp
from tests.conftest import move, play_out, seated, steps_for


@pytest.fixture
def match(alice, bob):
    """A match of alice and bob that has just begun."""
    return seated(alice, bob)


def test_a_turn_appends_one_row_and_moves_the_match_on(match):
    seat = match.active_seat
    row = turns.play(match.pk, seat, steps_for(match), version=1, key=uuid4())
    match.refresh_from_db()
    assert (row.number, row.kind, row.seat, row.by) == (2, "play", seat, "user")
    assert match.version == match.since_version == 2
    assert match.digest == row.digest
    assert match.active_seat != seat or match.over


def test_the_same_key_gives_the_same_row(match):
    key, steps, seat = uuid4(), steps_for(match), match.active_seat
    first = turns.play(match.pk, seat, steps, version=1, key=key)
    second = turns.play(match.pk, seat, steps, version=1, key=key)
    assert first.pk == second.pk
    assert match.moves.count() == 2


def test_the_same_key_with_other_steps_is_refused(match):
    key, seat = uuid4(), match.active_seat
    turns.play(match.pk, seat, steps_for(match), version=1, key=key)
    with pytest.raises(KeyReused):
        turns.play(match.pk, seat, ["PASS"] if steps_for != ["PASS"] else ["END"], version=1, key=key)
    assert match.moves.count() == 2


def test_an_old_version_is_refused(match):
    seat = match.active_seat
    turns.play(match.pk, seat, steps_for(match), version=1, key=uuid4())
    with pytest.raises(StaleMatch):
        turns.play(match.pk, seat, ["PASS"], version=1, key=uuid4())
    assert match.moves.count() == 2


@pytest.mark.parametrize("version", [0, 2, 99])
def test_a_version_that_is_not_the_present_one_is_refused(match, version):
    with pytest.raises(StaleMatch):
        turns.play(match.pk, match.active_seat, steps_for(match), version=version, key=uuid4())


def test_the_other_seat_may_not_move(match):
    with pytest.raises(NotYourTurn):
        turns.play(match.pk, 1 - match.active_seat, steps_for(match), version=1, key=uuid4())
    assert match.moves.count() == 1


@pytest.mark.parametrize("steps", [[], ["no such step"], ["END"], ["PASS", "PASS"], ["\0"], ["P:R9"], ["x" * 5000]])
def test_what_the_rules_refuse_leaves_no_trace(match, steps):
    before = Match.objects.filter(pk=match.pk).values().get()
    with pytest.raises(Illegal):
        turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4())
    assert Match.objects.filter(pk=match.pk).values().get() == before
    assert match.moves.count() == 1


def test_a_finished_match_takes_no_turn(match):
    match = play_out(match)
    assert match.status == Match.Status.FINISHED
    with pytest.raises(NotRunning):
        turns.play(match.pk, 0, ["PASS"], version=match.version, key=uuid4())


def test_the_end_writes_places_and_stops_the_clock(alice, bob, charlie):
    match = play_out(seated(alice, bob, charlie))
    assert match.end_reason == "round"
    assert (match.active_seat, match.deadline, match.active_bot) == (None, None, False)
    assert sorted(seat.place for seat in match.seats.all()) == [1, 2, 3]
    assert {seat.finished_at for seat in match.seats.all()} == {match.finished_at}


def test_the_deadline_restarts_with_every_turn(clock, match):
    clock.forward(hours=5)
    match = move(match)
    assert (match.deadline - clock()).total_seconds() == 2 * 86400


@pytest.mark.parametrize(("late", "accepted"), [(0, True), (2, True), (2.1, False)])
def test_a_move_counts_until_two_seconds_after_the_deadline(clock, alice, bob, late, accepted):
    match = seated(alice, bob)
    clock.forward(days=2, seconds=late)
    steps = steps_for(match)
    if accepted:
        assert turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4()).number == 2
    else:
        with pytest.raises(TimeIsUp):
            turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4())
        assert match.moves.count() == 1


def test_bots_move_until_a_person_is_asked(alice):
    for _attempt in range(8):
        match = seated(alice, bots=3)
        turns.play_bots(match.pk)
        match.refresh_from_db()
        assert not match.active_bot
        if match.version > 1:
            assert set(match.moves.exclude(kind="start").values_list("by", flat=True)) == {"bot"}
            return
    pytest.fail("in eight matches a bot never began")


def test_a_fault_of_the_rules_stops_this_match_only(match, alice, charlie, monkeypatch):
    other = seated(alice, charlie)
    broken = match.pk

    def load(found, seats, version=None):
        if found.pk == broken:
            raise RuntimeError("rules gone wrong")
        return original(found, seats, version)

    steps, other_steps = steps_for(match), steps_for(other)
    original = states.load
    monkeypatch.setattr(states, "load", load)
    with pytest.raises(NotRunning):
        turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4())
    match.refresh_from_db()
    assert (match.status, match.deadline) == (Match.Status.QUARANTINED, None)
    assert turns.play(other.pk, other.active_seat, other_steps, version=1, key=uuid4()).number == 2


def test_an_illegal_bot_stops_the_match(alice, monkeypatch):
    match = seated(alice, bots=1)
    while not match.active_bot:
        match = move(match) if match.status == "playing" else seated(alice, bots=1)
    monkeypatch.setattr(match.title.package, "BOT", lambda game, observation, chance: ["nonsense"])
    assert turns.play_bots(match.pk) == 0
    match.refresh_from_db()
    assert match.status == Match.Status.QUARANTINED


def test_a_match_replays_to_the_same_state_from_cold(alice, bob, charlie):
    match = play_out(seated(alice, bob, charlie, options={"game": "advanced", "icons": True}), rows=40)
    seats = list(match.seats.all())
    warm = states.load(match, seats)
    states.forget()
    assert states.load(match, seats) == warm
    assert records.differences(match) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"text": "PASS; PASS"}, "text"),
        ({"news": []}, "news"),
        ({"digest": "0" * 64}, "digest"),
        ({"number": 77}, "order"),
        ({"seat": None}, "seat"),
    ],
)
def test_verify_names_the_row_that_was_tampered_with(alice, bob, change, what):
    match = play_out(seated(alice, bob, options={"game": "advanced"}), rows=12)
    Move.objects.filter(match=match, number=7).update(**change)
    found = records.differences(match)
    assert found[0].version == 7
    assert what in found[0].what


def test_verify_names_an_exchanged_seed(match):
    Match.objects.filter(pk=match.pk).update(seed=b"x" * 32)
    found = records.differences(Match.objects.get(pk=match.pk))
    assert (found[0].version, found[0].what) == (0, "seed")


def test_a_row_that_does_not_fit_is_noticed_when_the_match_is_loaded(match):
    match = move(match)
    Move.objects.filter(match=match, number=2).update(text="PASS; PASS")
    states.forget()
    with pytest.raises(states.Unreplayable):
        states.load(match, list(match.seats.all()))


def test_a_claim_needs_the_version_it_was_made_on(match):
    """The compare-and-set itself, without the checks before it."""
    seats = list(match.seats.all())
    state = states.load(match, seats)
    stale = Match.objects.get(pk=match.pk)
    move(match)
    with pytest.raises(StaleMatch):
        rows.append(stale, seats, Move.Kind.PLAY, seat=0, by=Move.By.USER, state=state, news=[])
    assert match.moves.count() == 2


def test_the_start_numbers_the_seats_as_the_seed_says(alice, bob, charlie):
    orders = {tuple(seat.joined for seat in seated(alice, bob, charlie).seats.all()) for _match in range(12)}
    assert len(orders) > 1
    assert all(sorted(order) == [0, 1, 2] for order in orders)


def test_options_come_from_the_match(alice, bob):
    match = seated(alice, bob, options={"game": "advanced"})
    assert engine.options_from(match.rules, match.options).game == "advanced"
