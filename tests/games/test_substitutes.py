"""Seats that were left and are taken over: by whom they can be, what is theirs then, and who is refused."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from games import access, lists, tasks
from games.models import Departure, Match, Seat
from games.services import leaving, records, substitutes
from tests.client import Client, client_of
from tests.conftest import fresh, move, mover_of, play_out, post_body, seated, steps_for
from tests.games.leaving import gives_up, html, left_on_turn, other_than, runs_out, seat_of, take_url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

SUBSTITUTE = Match.LeavePolicy.SUBSTITUTE


@pytest.fixture
def left(alice, bob, charlie):
    """A match of three that alice has given up on her turn."""
    return left_on_turn(alice, bob, charlie)


def test_whoever_leaves_leaves_a_free_seat_and_the_clock_stands_still(clock, alice, left):
    seat = seat_of(left, alice)
    assert (left.status, left.active_seat, left.active_bot, left.deadline) == ("playing", seat.number, False, None)
    assert (seat.left_version, seat.left_how, seat.bot_level) == (left.version, "resign", "")
    assert seat.vacant_until == clock() + timedelta(days=3)
    departure = Departure.objects.get()
    assert (departure.user, departure.seat, departure.how, departure.version) == (
        alice, seat.number, "resign", left.version,
    )  # fmt: skip
    clock.forward(days=2)
    assert (tasks.deadlines(), tasks.bots()) == (0, 0)
    assert fresh(left).version == left.version
    assert records.differences(left) == []


def test_others_go_on_and_the_match_may_end_while_a_seat_is_free(alice, bob, charlie):
    match = seated(alice, bob, charlie, leave_policy=SUBSTITUTE)
    slow = other_than(match, mover_of(match))
    match = gives_up(match, slow)
    theirs = mover_of(match)
    assert theirs != slow
    assert match.deadline is not None
    match = move(match)
    assert match.active_seat is not None
    for user in (alice, bob, charlie):
        if user != slow and match.status == "playing":
            match = gives_up(match, user)
    assert (match.status, match.end_reason) == ("finished", "resign")
    assert not match.seats.exclude(vacant_until=None).exists()
    assert seat_of(match, slow).place == 3
    assert records.differences(match) == []


def test_by_the_rules_too_who_left_is_last(alice, bob):
    match = seated(alice, bob, leave_policy=SUBSTITUTE, options={"game": "basic"})
    slow = other_than(match, mover_of(match))
    match = move(gives_up(match, slow), steps=["PASS"])
    assert (match.status, match.end_reason == "resign") == ("finished", False)
    assert match.seats.exclude(vacant_until=None).count() == 0
    assert seat_of(match, slow).place == 2
    assert records.differences(match) == []


def test_a_substitute_sits_down_by_the_pages_and_plays_the_match_to_its_end(clock, left, alice, dora):
    number = left.active_seat
    visitor = client_of(dora)
    assert take_url(left, number) in visitor.get("/lobby/").content.decode()
    assert take_url(left, number) in html(visitor, left)
    asked = visitor.get(take_url(left, number)).content.decode()
    assert "alice has left this match" in asked
    clock.forward(days=1)
    answer = visitor.post(take_url(left, number))
    assert (answer.status_code, answer["Location"]) == (302, left.get_absolute_url())
    match = fresh(left)
    row = match.moves.last()
    assert (row.kind, row.seat, row.by, match.since_version) == ("takeover", number, "user", row.number)
    seat = seat_of(match, dora)
    assert (seat.number, seat.left_version, seat.left_how, seat.vacant_until) == (number, None, "", None)
    assert (match.active_seat, match.decision_at, match.deadline) == (number, clock(), clock() + timedelta(days=2))
    assert records.differences(match) == []
    assert 'id="confirm"' in html(visitor, match)
    assert visitor.post(match.get_absolute_url(), post_body(match, steps_for(match))).status_code == 302
    match = play_out(fresh(match))
    assert sorted(seat.place for seat in match.seats.all()) in ([1, 2, 3], [1, 1, 3], [1, 2, 2], [1, 1, 1])
    assert records.differences(match) == []
    assert not match.seats.exclude(left_version=None).exists()
    assert "you left" in client_of(alice).get("/history/").content.decode()
    assert match.get_absolute_url() in client_of(alice).get("/turns/").content.decode()


def test_a_guest_is_made_for_who_was_never_here(left, client):
    number = left.active_seat
    assert "remember you" in client.get(take_url(left, number)).content.decode()
    assert client.post(take_url(left, number)).status_code == 302
    assert seat_of(left, User.objects.get(kind="guest")).number == number


def test_the_hand_goes_from_one_to_the_other(left, alice, bob, dora):
    number = left.active_seat
    assert access.match_for(alice, left.slug).viewer is None
    assert 'id="own"' not in html(client_of(alice), left)
    substitutes.take_over(left.pk, number, dora)
    mine, former = access.match_for(dora, left.slug), access.match_for(alice, left.slug)
    assert (mine.viewer, mine.me) == (number, number)
    assert (former.viewer, former.me, former.mine) == (None, None, None)
    stranger, was = html(Client(), left), html(client_of(alice), left)
    assert "You watch" in was
    assert ('id="own"' in was, 'id="own"' in stranger, 'id="own"' in html(client_of(dora), left)) == (
        False, False, True,
    )  # fmt: skip
    body = post_body(fresh(left), steps_for(fresh(left)))
    assert client_of(alice).post(left.get_absolute_url(), body).status_code == 404
    assert client_of(alice).get(left.get_absolute_url() + "resign/").status_code == 404


def test_the_log_tells_who_sat_there_at_each_time(alice, bob, dora, clock):
    match = seated(alice, bob, leave_policy=SUBSTITUTE, game="barvosauri")
    while match.version < 4:
        match = move(match)
    number = seat_of(match, alice).number
    gives_up(match, alice)
    substitutes.take_over(match.pk, number, dora)
    for who in (client_of(bob), Client(), client_of(alice), client_of(dora)):
        log = html(who, match, "log/")
        rows = log[log.index("<ol") : log.index("</ol>")].split("<li")[1:]
        assert "gives up the match; the seat is free" in rows[1]
        assert ">alice</b>" in rows[1]
        assert "take" in rows[0]
        assert ">alice</b>" in rows[0]
        assert not any(">dora</b>" in row for row in rows[1:])
    told = html(client_of(dora), match, "log/")
    assert "You take over the seat of" in told
    assert told.count('class="mine"') == 1
    assert "Since the last move in your seat" in html(client_of(dora), match)
    assert ">dora</b> takes over the seat of" in html(client_of(bob), match, "log/")
    # Earlier versions name who sat there then.
    assert "dora" not in html(Client(), match, "at/3/").replace("takes over", "").split("<ol")[0]
    User.objects.filter(pk=alice.pk).update(username="gone")
    assert "alice" not in html(Client(), match, "log/")


@pytest.mark.parametrize("pace", [{"bank": (24, 6, 48), "days": None}, {"days": None}, {"days": 3}])
def test_the_clock_begins_anew_for_a_substitute(clock, alice, bob, dora, pace):
    match = seated(alice, bob, leave_policy=SUBSTITUTE, **pace)
    slow = runs_out(clock, match)
    number = seat_of(match, slow).number
    Seat.objects.filter(match=match, number=number).exclude(bank=None).update(bank=60)
    clock.forward(hours=50)
    substitutes.take_over(match.pk, number, dora)
    match = fresh(match)
    if "bank" in pace:
        assert seat_of(match, dora).bank == 24 * 3600
        assert match.deadline == clock() + timedelta(hours=24)
    else:
        assert match.deadline == clock() + timedelta(days=pace["days"] or 30)


def test_what_is_left_of_a_full_bank_stays(clock, alice, bob, dora):
    match = seated(alice, bob, leave_policy=SUBSTITUTE, days=None, bank=(24, 6, 48))
    slow = other_than(match, mover_of(match))
    Seat.objects.filter(match=match, user=slow).update(bank=40 * 3600)
    deadline = gives_up(match, slow).deadline
    substitutes.take_over(match.pk, seat_of(match, slow).number, dora)
    assert seat_of(match, dora).bank == 40 * 3600
    assert fresh(match).deadline == deadline  # it is the other's turn all the time


def test_after_three_days_a_bot_plays_on(clock, left, alice, bob, charlie):
    number = left.active_seat
    clock.forward(days=3, seconds=-1)
    tasks.deadlines()
    assert fresh(left).version == left.version
    clock.forward(seconds=1)
    tasks.deadlines()
    tasks.deadlines()
    match = fresh(left)
    row = match.moves.last()
    assert (row.kind, row.by, row.seat, row.news[0]["then"]) == ("takeover", "server", number, "bot")
    assert (match.active_bot, match.deadline, match.held_until) == (True, None, None)
    assert tasks.bots() > 0
    assert "A bot takes over the seat of" in html(client_of(bob), match, "log/")
    assert substitutes.overdue(10) == []
    match = fresh(match)
    while match.status == "playing":
        match = move(match) if not match.active_bot else match
        tasks.bots()
        match.refresh_from_db()
    assert seat_of(match, alice).place == 3
    assert records.differences(match) == []


def test_a_match_of_two_waits_and_then_is_played_against_a_bot(clock, alice, bob):
    match = seated(alice, bob, leave_policy=SUBSTITUTE)
    slow = runs_out(clock, match)
    stays = bob if slow == alice else alice
    assert "The clock stands still until somebody takes the seat" in html(client_of(stays), match)
    clock.forward(days=3)
    tasks.deadlines()
    assert tasks.bots() > 0
    match = gives_up(fresh(match), stays)
    assert match.status == "finished"
    # Both left: the first is last.
    assert (seat_of(match, slow).place, seat_of(match, stays).place) == (2, 1)


def test_two_seats_may_be_free_at_once_and_the_last_person_ends_it(clock, alice, bob, charlie, person):
    one, other = person("dora"), person("emil")
    match = gives_up(gives_up(seated(alice, bob, charlie, leave_policy=SUBSTITUTE), alice), bob)
    assert (match.status, match.seats.exclude(vacant_until=None).count()) == ("playing", 2)
    assert records.differences(match) == []
    substitutes.take_over(match.pk, seat_of(match, alice).number, one)
    substitutes.take_over(match.pk, seat_of(match, bob).number, other)
    assert records.differences(fresh(match)) == []
    match = gives_up(gives_up(gives_up(match, charlie), one), other)
    assert match.status == "finished"
    assert [seat_of(match, user).place for user in (charlie, one, other)] == [3, 2, 1]
    assert records.differences(match) == []


def test_the_third_who_leaves_a_seat_is_replaced_by_a_bot_at_once(clock, alice, bob, person):
    match = seated(alice, bob, leave_policy=SUBSTITUTE)
    number, last = seat_of(match, alice).number, alice
    for name in ("dora", "emil"):
        gives_up(match, last)
        last = person(name)
        substitutes.take_over(match.pk, number, last)
    match = gives_up(match, last)
    assert match.moves.last().news[0]["then"] == "bot"
    assert match.status == "playing"
    assert records.differences(match) == []
    log = html(Client(), match, "log/")
    for before, after in (("alice", "dora"), ("dora", "emil")):
        assert f'>{after}</b> takes over the seat of <b class="who">{before}</b>' in log


@pytest.mark.parametrize("who", ["bob", "alice", "guest", "stranger"])
def test_who_may_not_is_refused_and_nothing_is_written(left, alice, bob, dora, who):
    number = left.active_seat
    if who == "guest":
        Match.objects.filter(pk=left.pk).update(rated=True)
    user = {"bob": bob, "alice": alice, "guest": User.objects.create_guest(), "stranger": dora}[who]
    status = 409
    if who == "stranger":
        Match.objects.filter(pk=left.pk).update(audience="seated")
        status = 404
    for answer in (client_of(user).post(take_url(left, number)), client_of(user).get(take_url(left, number))):
        assert answer.status_code == status
    assert fresh(left).version == left.version
    assert seat_of(left, alice).number == number
    if who == "guest":
        assert Client().post(take_url(left, number)).status_code == 409
        assert User.objects.filter(kind="guest").count() == 1


def test_what_is_not_free_cannot_be_taken(left, alice, bob, charlie, dora):
    number, other = left.active_seat, seat_of(left, bob).number
    assert client_of(dora).post(take_url(left, other)).status_code == 409
    assert client_of(dora).post(take_url(left, 7)).status_code == 404
    assert client_of(dora).get(take_url(left, 7)).status_code == 404
    assert client_of(dora).post(f"{left.get_absolute_url()}take/x/").status_code == 404
    assert client_of(dora).put(take_url(left, number)).status_code == 405
    with pytest.raises(substitutes.NotVacant):
        substitutes.take_over(left.pk, 99, dora)
    assert client_of(dora).post(take_url(left, number)).status_code == 302
    # Once more by the same, and by the one who gave it up.
    assert client_of(dora).post(take_url(left, number)).status_code == 409
    gives_up(left, dora)
    assert client_of(alice).post(take_url(left, number)).status_code == 409
    assert "Take this seat" not in html(client_of(alice), left)
    assert "Take this seat" not in html(client_of(dora), left)
    assert take_url(left, number) not in client_of(dora).get("/lobby/").content.decode()
    gives_up(left, bob)
    match = gives_up(left, charlie)
    assert match.status == "finished"
    late = client_of(User.objects.create(username="late", password="!"))
    assert late.post(take_url(left, number)).status_code == 409
    assert match.version == fresh(match).version
    assert records.differences(match) == []


@pytest.mark.parametrize("forged", ["left", "vacant", "bot", "sits"])
def test_verification_finds_seats_that_do_not_follow_from_the_log(left, alice, dora, forged):
    seat = Seat.objects.filter(pk=seat_of(left, alice).pk)
    wrong = {"left": {"left_version": 1}, "vacant": {"vacant_until": None}, "bot": {"bot_level": "normal"}}
    seat.update(**wrong.get(forged, {"left_version": None, "left_how": "", "vacant_until": None}))
    assert [found.what for found in records.differences(fresh(left))] == ["seats left"]


def test_a_record_with_seats_that_changed_hands_is_loaded_as_it_is(clock, left, alice, bob, dora):
    substitutes.take_over(left.pk, left.active_seat, dora)
    match = gives_up(left, bob)
    record = records.dump(match)
    match.delete()
    loaded = records.load(record, ago=timedelta(hours=1))
    assert loaded.leave_policy == SUBSTITUTE
    assert records.differences(loaded) == []
    assert loaded.seats.exclude(vacant_until=None).get().user.username == "bob"
    broken = {**record, "rows": [row for row in record["rows"] if row["kind"] != "resign"]}
    assert records.verify.check(broken, loaded.rules)


def test_the_list_of_free_seats_has_no_match_that_is_over(left, bob, charlie, dora):
    assert list(lists.vacant(dora, {})) == [left]
    gives_up(left, bob)
    gives_up(left, charlie)
    assert list(lists.vacant(dora, {})) == []


def test_early_calling_off_ends_a_match_with_a_free_seat(clock, alice, bob, charlie):
    match = gives_up(seated(alice, bob, charlie, leave_policy=SUBSTITUTE), alice)
    leaving.call_off(match.pk, seat_of(match, bob).number, version=match.version)
    match = fresh(match)
    assert match.status == "cancelled"
    assert not match.seats.exclude(vacant_until=None).exists()
    clock.forward(days=4)
    tasks.deadlines()
    assert records.differences(match) == []
