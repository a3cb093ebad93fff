"""A guest logs in to an account: what was played in the browser comes along, once, and nobody plays two seats."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from accounts.models import User
from games.models import Match, Notice, Seat
from games.now import now
from games.services import invitations, leaving, lobby, people, seating, substitutes
from games.services.rematch import again
from tests.accounts.people import account, code, log_in, sign_up, whose
from tests.client import Client
from tests.conftest import move, post_body, seated, steps_for
from tests.games.leaving import gives_up

ADA = "ada-with-account"


@pytest.fixture
def ada(db):
    """A person with an account."""
    return account(ADA)


@pytest.fixture
def guest(db, client):
    """The guest that the client is after one click."""
    client.post("/play-now/")
    return whose(client)


def test_the_guests_matches_are_the_users(client, guest, ada, bob):
    running, waiting = seated(bob, guest), lobby.create(guest, lobby.Proposal("red", 3, 0))
    assert log_in(client, ADA)["Location"] == "/turns/"
    assert whose(client) == ada
    assert set(Match.objects.filter(seats__user=ada)) == set(Match.objects.all())
    assert not User.objects.filter(pk=guest.pk).exists()
    waiting.refresh_from_db()
    assert waiting.created_by == ada
    running.refresh_from_db()
    assert running.version == 1
    assert "3 matches that you began in this browser are yours now." in client.get("/turns/").content.decode()


def test_a_login_by_code_and_a_reset_take_them_along_too(client, guest, ada):
    client.post("/account/login/code/", {"email": ada.email})
    client.post("/account/login/code/enter/", {"code": code()})
    assert whose(client) == ada
    other = Client()
    other.post("/play-now/")
    other.post("/account/reset/", {"email": ada.email})
    other.post("/account/reset/enter/", {"code": code()})
    fresh = "seven grey herons wait"
    answer = other.post("/account/reset/password/", {"password1": fresh, "password2": fresh})
    assert answer["Location"] == "/turns/"
    assert whose(other) == ada
    assert Match.objects.filter(seats__user=ada).count() == 2
    assert not User.objects.filter(kind="guest").exists()


def test_a_guest_without_a_match_leaves_nothing(client, ada):
    sign_up(client, "some-name")
    assert log_in(client, ADA).status_code == 302
    assert not User.objects.filter(kind="guest").exists()
    assert "began in this browser" not in client.get("/turns/").content.decode()
    assert sign_up(Client(), "some-name", "other@example.org").status_code == 302


def test_where_both_wait_the_guests_seat_is_free_again(client, guest, ada):
    match = lobby.create(guest, lobby.Proposal("red", 3, 0))
    lobby.join(match.pk, ada, match.invitations.get().token)
    log_in(client, ADA)
    match.refresh_from_db()
    assert (match.status, match.created_by) == ("open", ada)
    assert [seat.user for seat in match.seats.all()] == [ada]


def test_the_seat_that_was_kept_for_the_user_is_the_one_they_sit_on_now(client, guest, ada, bob):
    match = lobby.create(bob, lobby.Proposal("red", 4, 0))
    lobby.join(match.pk, guest, match.invitations.get(to=None).token)
    invitations.invite(match.pk, bob, [ada])
    assert seating.free_seats(match) == 1
    log_in(client, ADA)
    assert match.seats.filter(user=ada).exists()
    assert match.invitations.get(to=ada).answer == "accepted"
    assert seating.free_seats(match) == 2


def test_where_both_play_the_guests_seat_is_given_up(client, guest, ada, bob):
    match = seated(ada, guest, bob)
    log_in(client, ADA)
    match.refresh_from_db()
    seat = match.seats.get(user=guest)
    assert (seat.left_how, seat.left_version, seat.bot_level) == ("resign", 2, "normal")
    assert match.seats.get(user=ada).left_version is None
    guest.refresh_from_db()
    assert (guest.is_active, guest.has_usable_password(), guest.username) == (False, False, f"guest-{guest.mark}")
    assert people.merge(guest.pk, ada.pk) == 0


def test_a_guest_alone_against_the_user_loses_to_them(client, guest, ada):
    match = seated(ada, guest)
    log_in(client, ADA)
    match.refresh_from_db()
    assert (match.status, match.seats.get(user=ada).place) == ("finished", 1)


def test_a_match_that_moves_while_the_seat_is_given_up_is_left_all_the_same(guest, ada, bob, monkeypatch):
    match = seated(ada, guest, bob)
    given, calls = leaving.resign, []

    def slow(match_id, seat, *, version):
        if not calls:
            calls.append(move(Match.objects.get(pk=match_id)))
        return given(match_id, seat, version=version)

    monkeypatch.setattr(leaving, "resign", slow)
    people.merge(guest.pk, ada.pk)
    assert match.seats.get(user=guest).left_how == "resign"


def test_the_session_of_the_guest_is_over_and_that_of_the_user_new(client, guest, ada):
    before = client.session.session_key
    other = Client()
    other.cookies["sessionid"] = before
    log_in(client, ADA)
    assert client.session.session_key != before
    page = other.get("/turns/").content.decode()
    assert "Log in" in page


def test_people_are_not_merged(client, ada, bob):
    client.force_login(bob)
    match = seated(bob, bots=1)
    client.post("/account/logout/")
    log_in(client, ADA)
    assert whose(client) == ada
    assert match.seats.filter(user=bob).exists()
    assert people.merge(bob.pk, ada.pk) == 0


def at_once(*acts):
    """Runs the acts in threads that start together; what each gave or raised."""
    start, done = threading.Barrier(len(acts)), [None] * len(acts)

    def run(index):
        try:
            start.wait(10)
            done[index] = acts[index]()
        except Exception as fault:
            done[index] = fault
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return done


@pytest.mark.django_db(transaction=True)
def test_two_merges_at_once_are_one():
    ada, carl = account(ADA), account("carl")
    for _round in range(5):
        guest = User.objects.create_guest()
        matches = [seated(guest, bots=1) for _each in range(3)]
        done = at_once(lambda: people.merge(guest.pk, ada.pk), lambda: people.merge(guest.pk, carl.pk))  # noqa: B023
        assert sorted(done) == [0, 3], done
        winner = ada if done[0] else carl
        assert {seat.user for match in matches for seat in match.seats.exclude(bot_level="normal")} == {winner}


@pytest.mark.django_db(transaction=True)
def test_a_move_posted_while_the_guest_becomes_the_user_counts_or_is_refused_and_nothing_is_lost():
    ada, bob = account(ADA), account("bob")
    for _round in range(5):
        guest = User.objects.create_guest()
        match = seated(guest, bob)
        while match.seats.get(user=guest).number != match.active_seat:
            match = seated(guest, bob)
        client = Client()
        client.force_login(guest)
        fields = post_body(match, steps_for(match))
        answer, moved = at_once(
            lambda: client.post(match.get_absolute_url(), fields),  # noqa: B023
            lambda: people.merge(guest.pk, ada.pk),  # noqa: B023
        )
        assert answer.status_code in (302, 404), answer
        assert isinstance(moved, int)
        match.refresh_from_db()
        assert match.version == (2 if answer.status_code == 302 else 1)
        assert match.seats.filter(user=ada).count() == 1
        assert Seat.objects.filter(user=guest.pk).count() == 0


@pytest.mark.django_db(transaction=True)
def test_who_sits_down_as_the_user_while_the_guest_comes_along_sits_once():
    ada, bob = account(ADA), account("bob")
    for _round in range(5):
        guest = User.objects.create_guest()
        match = lobby.create(bob, lobby.Proposal("red", 4, 0))
        token = match.invitations.get().token
        lobby.join(match.pk, guest, token)
        at_once(lambda: lobby.join(match.pk, ada, token), lambda: people.merge(guest.pk, ada.pk))  # noqa: B023
        assert match.seats.filter(user=ada).count() == 1
        assert not match.seats.filter(user=guest.pk).exists()


@pytest.fixture
def rematch(guest, bob):
    """An open match for three that bob began after one with the guest, who is asked to it."""
    played = seated(bob, guest)
    leaving.resign(played.pk, 0, version=1)
    played.refresh_from_db()
    match = again(played, bob)
    assert match.invitations.get(to=guest).answer == ""
    return match


def test_what_the_guest_was_asked_is_the_users_to_answer(client, guest, ada, rematch):
    gathered = rematch.gathered
    log_in(client, ADA)
    asked = rematch.invitations.exclude(to=None).get()
    assert (asked.to, asked.answer) == (ada, "")
    rematch.refresh_from_db()
    assert rematch.gathered > gathered
    assert client.post(f"/invitation/{asked.pk}/accept/")["Location"] == rematch.get_absolute_url()
    rematch.refresh_from_db()
    assert rematch.status == "playing"


def test_a_guests_no_stays_a_no(client, guest, ada, rematch):
    invitations.decline(rematch.invitations.get(to=guest))
    log_in(client, ADA)
    assert rematch.invitations.get(to=ada).answer == "declined"
    assert seating.free_seats(rematch) == 1


def test_who_is_asked_twice_has_one_seat_kept(client, guest, ada, bob, rematch):
    Match.objects.filter(pk=rematch.pk).update(seat_count=3)
    rematch.refresh_from_db()
    invitations.invite(rematch.pk, bob, [ada])
    seated(ada, guest, bob)  # so that the guest's row stays
    assert seating.free_seats(rematch) == 0
    log_in(client, ADA)
    assert seating.free_seats(rematch) == 1
    assert rematch.invitations.waiting(now()).get(to=ada)


def test_no_seat_is_kept_for_who_sits_there(client, guest, ada, bob, rematch):
    Match.objects.filter(pk=rematch.pk).update(seat_count=3)
    lobby.join(rematch.pk, ada, rematch.invitations.get(to=None).token)
    seated(ada, guest, bob)
    log_in(client, ADA)
    rematch.refresh_from_db()
    assert seating.free_seats(rematch) == 1
    assert not rematch.invitations.waiting(now()).exclude(to=None).exists()


def test_nobody_is_asked_to_a_rematch_who_is_no_more(client, guest, ada, bob):
    match = seated(ada, guest, bob)
    log_in(client, ADA)
    leaving.resign(match.pk, match.seats.get(user=ada).number, version=2)
    leaving.resign(match.pk, match.seats.get(user=bob).number, version=3)
    match.refresh_from_db()
    assert match.status == "finished"
    made = again(match, bob)
    assert [asked.to for asked in made.invitations.exclude(to=None)] == [ada]
    assert seating.free_seats(made) == 1


def test_what_the_guest_was_asked_is_a_notice_of_the_user(client, guest, ada, rematch):
    asked = rematch.invitations.get(to=guest)
    assert Notice.objects.get(user=guest, kind="invited").key == f"invited:{asked.pk}"
    log_in(client, ADA)
    assert Notice.objects.get(user=ada, kind="invited").key == f"invited:{asked.pk}"


def test_what_both_were_told_of_a_match_that_the_user_has_left_stands_once(client, guest, ada, bob, dora):
    match = seated(ada, guest, bob, leave_policy=Match.LeavePolicy.SUBSTITUTE)
    for user in (bob, ada):
        match = gives_up(match, user)
    number = match.seats.get(user=ada).number
    told = Notice.objects.get(user=ada, kind="table")
    assert Notice.objects.filter(user=guest, key=told.key).exists()
    substitutes.take_over(match.pk, number, dora)
    log_in(client, ADA)
    assert match.seats.filter(user=ada).exists()
    assert Notice.objects.filter(user=ada, key=told.key).count() == 1
    assert Notice.objects.filter(user=ada, match=match, kind="table").count() == 3  # bob, herself, dora
