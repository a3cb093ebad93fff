"""Automatic moves: chosen on the page, made after some minutes where a wish fits, and only then."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from games import registry, states, tasks
from games.models import Consent, Match, Move
from games.services import consent, leaving, pauses, records, rows, turns, wishes
from games.services.errors import NotRunning, StaleMatch
from games.wishes import Wish
from tests.client import client_of
from tests.conftest import move, mover_of, play_out, post_body, seated
from tests.games.wishing import cannot_lead, facts, legal, page, posted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_what_is_ticked_is_kept_and_shown(alice, bob, game):
    match = seated(alice, bob, game=game)
    names = list(registry.title(game).wishes)
    assert names[-1] == "only"
    for chosen in (names, names[:1], []):
        assert posted(alice, match, *reversed(chosen)) == 302
        assert match.seats.get(user=alice).auto == chosen
        ticked = re.findall(r'name="wish" value="(\w+)" checked', page(alice, match))
        assert ticked == chosen
    assert match.seats.get(user=bob).auto == []
    assert "Automatic moves" not in page(alice, match, "at/1/")


def test_a_wish_that_is_none_is_refused(alice, bob, charlie, client):
    match = seated(alice, bob)
    posted(alice, match, "only")
    before = facts(match)
    for names in (("best_share",), ("only", "zz"), ("",), ("give_up", "only", "__class__")):
        assert posted(alice, match, *names) == 400
    url = match.get_absolute_url() + "wishes/"
    assert posted(charlie, match, "only") == 404
    assert client.post(url, {"wish": "only"}).status_code == 404
    assert client_of(alice).get(url).status_code == 405
    assert facts(match) == before


def test_nobody_wishes_where_nobody_plays(alice, bob, charlie, person):
    over, left = play_out(seated(alice, bob)), seated(alice, bob, charlie)
    leaving.resign(left.pk, left.seats.get(user=alice).number, version=1)
    before = facts(over), facts(left)
    assert posted(alice, over, "only") == 409
    assert posted(alice, left, "only") == 404
    for user in (alice, person("dora")):
        with pytest.raises(NotRunning):
            wishes.choose(left.pk, user, ["only"])
    assert (facts(over), facts(left)) == before
    assert "Automatic moves" not in page(alice, over)
    assert "Automatic moves" not in page(alice, left)


def test_the_moment_is_drawn_anew_with_each_decision_whether_or_not_a_wish_fits(clock, alice, bob):
    match = seated(alice, bob)
    assert match.auto_at is None
    for user in (alice, bob):
        posted(user, match, "only")
    delays = set()
    for number in range(12):
        match.refresh_from_db()
        assert 2 * MINUTE <= match.auto_at - clock() < 6 * MINUTE
        delays.add(match.auto_at - clock())
        clock.forward(seconds=30)
        match = move(match, number)
        if match.status != "playing":
            assert match.auto_at is None
            match = seated(alice, bob)
            for user in (alice, bob):
                posted(user, match, "only")
    assert len(delays) == 12
    posted(mover_of(match), match)
    assert Match.objects.get(pk=match.pk).auto_at is None


def test_nothing_happens_where_no_wish_fits(clock, alice, bob):
    match = seated(alice, bob)
    posted(mover_of(match), match, "only", "give_up")
    assert len(legal(match)) > 1
    shown = [page(user, match) for user in (alice, bob)]
    clock.forward(seconds=119)
    assert tasks.wishes() == 0
    assert Match.objects.get(pk=match.pk).auto_at is not None
    clock.forward(minutes=4, seconds=1)
    log = match.moves.count()
    assert (tasks.wishes(), tasks.wishes()) == (0, 0)
    match.refresh_from_db()
    assert (match.auto_at, match.version, match.moves.count()) == (None, 1, log)
    clock.forward(minutes=-6)
    assert [page(user, match) for user in (alice, bob)] == shown


def test_red_is_given_up_though_a_3_could_be_drawn(clock, alice, bob):
    match, luck = seated(alice, bob, options={"icons": True}), 0
    for number in range(400):
        steps = legal(match)
        state = states.load(match, list(match.seats.all()))
        sure = match.rules.legal_moves(state.but(deck=(), known_top=0))
        if steps != ["PASS"] == sure:
            luck = number
            break
        match = move(match, number)
        if match.status != "playing":
            match = seated(alice, bob, options={"icons": True})
    assert luck
    for names, moves in ((["only"], 0), (["give_up"], 1)):
        posted(mover_of(match), match, *names)
        clock.forward(minutes=6)
        assert tasks.wishes() == moves


def test_a_match_of_power_cards_goes_on_by_itself_as_far_as_calls_go(clock, alice, bob):
    match = seated(alice, bob, game="power_cards", options={"quick": "never"})
    for user in (alice, bob):
        posted(user, match, "best_share")
    for number in range(400):
        clock.forward(minutes=6)
        tasks.wishes()
        match.refresh_from_db()
        if match.status != "playing":
            break
        if match.auto_at is None:
            assert not legal(match)[0].startswith("call")
            match = move(match, number)
    by = list(match.moves.exclude(number=1).values_list("by", flat=True))
    assert by.count("auto") >= 10
    for row in match.moves.filter(by="auto"):
        assert row.text.startswith("call ")
    assert records.differences(match) == []


def test_a_deadline_that_is_near_is_not_waited_for(clock, alice, bob):
    match = seated(alice, bob, days=1)
    clock.moment = match.deadline - timedelta(seconds=40)
    posted(mover_of(match), match, "only")
    assert Match.objects.get(pk=match.pk).auto_at == clock() + timedelta(seconds=20)
    clock.forward(seconds=41)
    posted(mover_of(match), match, "only")
    assert Match.objects.get(pk=match.pk).auto_at is None
    clock.forward(seconds=2)
    assert (tasks.wishes(), tasks.deadlines()) == (0, 1)


def test_a_move_by_wish_comes_before_a_time_out(clock, alice, bob):
    match = cannot_lead(alice, bob, days=1)
    clock.moment = match.deadline - timedelta(seconds=40)
    posted(mover_of(match), match, "only")
    for _quarter in range(3):
        clock.forward(seconds=15)
        tasks.wishes(), tasks.deadlines()
    assert [row.kind for row in match.moves.exclude(by="user")] == ["start", "play"]


def test_what_the_site_slept_through_is_given_back_before_the_wish(clock, alice, bob):
    match = cannot_lead(alice, bob, days=1)
    posted(mover_of(match), match, "only")
    tasks.deadlines()
    clock.forward(days=2)
    assert tasks.wishes() == 0  # its time is up until it is worked out anew
    assert (tasks.deadlines(), tasks.wishes()) == (0, 1)
    assert records.differences(Match.objects.get(pk=match.pk)) == []


def test_in_a_pause_no_wish_is_granted_and_after_it_a_new_moment_is_drawn(clock, alice, bob):
    match = cannot_lead(alice, bob)
    player, seat = mover_of(match), match.active_seat
    posted(player, match, "only")
    for number in (seat, 1 - seat):
        consent.propose(match.pk, number, Consent.Kind.PAUSE, version=match.version)
    match.refresh_from_db()
    assert (match.paused_at, match.auto_at) == (clock(), None)
    posted(player, match, "only", "give_up")
    assert Match.objects.get(pk=match.pk).auto_at is None
    clock.forward(minutes=6)
    assert tasks.wishes() == 0
    pauses.resume(match.pk, 1 - seat, version=match.version)
    match.refresh_from_db()
    assert 2 * MINUTE <= match.auto_at - clock() < 6 * MINUTE
    clock.forward(minutes=6)
    assert tasks.wishes() == 1
    assert records.differences(Match.objects.get(pk=match.pk)) == []


def test_a_match_that_is_stopped_is_left_alone(clock, alice, bob):
    match = cannot_lead(alice, bob)
    posted(mover_of(match), match, "only")
    rows.quarantine(match, ValueError())
    clock.forward(minutes=6)
    assert tasks.wishes() == 0
    assert Match.objects.get(pk=match.pk).auto_at is None


def test_who_leaves_leaves_the_wishes_behind(clock, alice, bob, charlie):
    match = cannot_lead(alice, bob, charlie)
    player, seat = mover_of(match), match.active_seat
    for user in (alice, bob, charlie):
        if not match.seats.get(user=user).plays_itself:
            posted(user, match, "only")
    leaving.resign(match.pk, seat, version=match.version)
    match.refresh_from_db()
    assert (match.auto_at, match.seats.get(user=player).auto) == (None, [])
    # Of the others nothing is changed.
    assert match.seats.filter(auto=["only"]).count() == 2


def failing(game, observation, chance):
    """A wish with a fault."""
    raise ZeroDivisionError


def nonsense(game, observation, chance):
    """A wish that does not know the rules."""
    return ["zz"]


@pytest.mark.parametrize("steps", [failing, nonsense])
def test_the_fault_of_a_wish_stops_no_match(clock, alice, bob, monkeypatch, caplog, steps):
    match = seated(alice, bob)
    monkeypatch.setitem(registry.title("red").wishes, "only", Wish("", "", steps))
    posted(mover_of(match), match, "only")
    clock.forward(minutes=6)
    assert tasks.wishes() == 0
    assert "a wish failed" in caplog.text
    match.refresh_from_db()
    assert (match.status, match.version, match.auto_at) == ("playing", 1, None)
    assert move(match).version == 2


def test_a_log_that_is_broken_stops_the_match(clock, alice, bob):
    match = cannot_lead(alice, bob)
    posted(mover_of(match), match, "only")
    match.moves.filter(number=match.version).update(digest="0" * 64)
    Match.objects.filter(pk=match.pk).update(digest="1" * 64)
    clock.forward(minutes=6)
    assert tasks.wishes() == 0
    assert Match.objects.get(pk=match.pk).status == "quarantined"


def test_a_wish_that_was_taken_back_is_not_granted(clock, alice, bob, monkeypatch):
    match = cannot_lead(alice, bob)
    player = mover_of(match)
    posted(player, match, "only")
    clock.forward(minutes=6)
    real = turns.play

    def late(*arguments, **more):
        assert posted(player, match) == 302
        return real(*arguments, **more)

    monkeypatch.setattr(turns, "play", late)
    assert tasks.wishes() == 0
    assert not match.moves.filter(by="auto").exists()
    assert Match.objects.get(pk=match.pk).auto_at is None


def test_the_player_may_be_quicker(clock, alice, bob):
    match = cannot_lead(alice, bob, options={"game": "advanced"})
    player = mover_of(match)
    posted(player, match, "only")
    clock.forward(minutes=6)
    assert client_of(player).post(match.get_absolute_url(), post_body(match, ["PASS"])).status_code == 302
    assert tasks.wishes() == 0
    assert match.moves.last().by == Move.By.USER
    with pytest.raises(StaleMatch):
        turns.play(match.pk, match.active_seat, ["PASS"], version=match.version, key=None, by=Move.By.AUTO)
