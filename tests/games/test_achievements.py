"""Achievements are what the history says: found once each match has ended, the same again from nothing."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import achievements, tasks
from games.models import Achievement, Match, RatingChange
from games.services import honours, returning, standings
from tests.client import client_of
from tests.conftest import fresh, move, mover_of, play_out, seated
from tests.games.leaving import gives_up, runs_out

pytestmark = pytest.mark.django_db(transaction=True)


def names(user):
    return set(Achievement.objects.filter(user=user).values_list("name", flat=True))


def won(match, user):
    """As if the match, which is over, had been won by the user alone."""
    match.seats.filter(place=1).update(place=2)
    match.seats.filter(user=user).update(place=1)


def swept(clock):
    """The sweeps have taken up what has ended."""
    clock.forward(minutes=4)
    standings.rate_due()
    tasks.tallies()


def test_the_first_match_and_the_first_win(clock, alice, bob):
    play_out(seated(alice, bots=1))
    swept(clock)
    assert not Achievement.objects.exists()  # bots do not count
    match = gives_up(seated(alice, bob), bob)
    tasks.tallies()
    assert not Achievement.objects.exists()  # too fresh
    swept(clock)
    assert names(alice) == {"first", "win"}
    assert names(bob) == set()  # who left has not played to the end
    assert Achievement.objects.get(user=alice, name="win").at == match.finished_at
    clock.forward(days=1)
    gives_up(seated(alice, bob), bob)
    swept(clock)
    assert Achievement.objects.get(user=alice, name="win").at == match.finished_at


def test_a_win_of_every_game(clock, alice, bob):
    for game in ("red", "barvosauri", "power_cards"):
        assert "games" not in names(alice)
        match = gives_up(seated(alice, bob, game=game), bob)
        swept(clock)
    assert Achievement.objects.get(user=alice, name="games").at == match.finished_at


def test_a_win_at_a_table_of_four(clock, alice, bob, charlie, dora):
    won(play_out(seated(alice, bob, charlie, dora)), alice)
    swept(clock)
    assert "full" in names(alice)


def test_ten_different_opponents(clock, alice, bob, person):
    gives_up(seated(alice, bob), bob)
    for number in range(9):
        swept(clock)
        assert "opponents" not in names(alice)
        rival = person(f"rival-{number}")
        match = gives_up(seated(alice, rival), rival)
    swept(clock)
    assert Achievement.objects.get(user=alice, name="opponents").at == match.finished_at


@pytest.mark.parametrize(("ahead", "earned"), [(5.1, True), (4.9, False)])
def test_a_win_against_somebody_far_stronger(clock, alice, bob, ahead, earned):
    match = gives_up(seated(alice, bob, rated=True), bob)
    swept(clock)
    assert "giant" not in names(alice)
    RatingChange.objects.filter(match=match, user=bob).update(mu_before=25 + ahead)
    RatingChange.objects.filter(match=match, user=alice).update(mu_before=25)
    honours.rebuild()
    assert ("giant" in names(alice)) == earned
    assert "giant" not in names(bob)


def test_running_out_of_time_coming_back_and_winning(clock, alice, bob, charlie):
    match = seated(alice, bob, charlie)
    while mover_of(match) != alice:
        match = move(match)
    runs_out(clock, match)
    returning.come_back(match.pk, alice)
    won(play_out(fresh(match)), alice)
    swept(clock)
    assert "comeback" in names(alice)
    assert "comeback" not in names(bob)


def test_who_gave_up_and_came_back_has_not_run_out_of_time(clock, alice, bob, charlie):
    match = gives_up(seated(alice, bob, charlie), alice)
    assert client_of(alice).post(f"{match.get_absolute_url()}return/").status_code == 302
    won(play_out(fresh(match)), alice)
    swept(clock)
    assert "win" in names(alice)
    assert "comeback" not in names(alice)


def test_a_rebuild_leaves_what_is_not_rated_yet_for_later(clock, alice, bob):
    match = gives_up(seated(alice, bob, rated=True), bob)
    clock.forward(seconds=20)
    call_command("achievements", "rebuild", stdout=StringIO())
    standings.rate_due()
    RatingChange.objects.filter(match=match, user=bob).update(mu_before=31)
    swept(clock)
    assert "giant" in names(alice)


def test_a_hundred_matches_and_a_year(clock, alice, bob):
    match = gives_up(seated(alice, bob), bob)
    first = match.finished_at
    for number in range(1, 100):
        copy, seats = Match.objects.get(pk=match.pk), list(match.seats.all())
        copy.pk, copy.slug, copy.finished_at = None, f"copy{number}", first + timedelta(days=number)
        copy.save()
        for seat in seats:
            seat.pk, seat.match, seat.finished_at = None, copy, copy.finished_at
            seat.save()
    clock.forward(days=364)
    gives_up(seated(alice, bob), bob)
    while honours.update():
        pass
    swept(clock)
    assert Achievement.objects.get(user=alice, name="many").at == first + timedelta(days=99)
    assert "year" not in names(alice)
    clock.forward(days=1)
    last = gives_up(seated(alice, bob), bob)
    swept(clock)
    assert Achievement.objects.get(user=alice, name="year").at == last.finished_at


def test_a_rebuild_finds_the_same(clock, alice, bob, charlie):
    for number in range(4):
        play_out(seated(alice, bob, rated=True), number)
        play_out(seated(alice, bob, charlie, game="barvosauri"), number)
        swept(clock)
    before = sorted(Achievement.objects.values_list("user", "name", "at"))
    assert before
    Achievement.objects.filter(user=alice).delete()
    Achievement.objects.create(user=bob, name="year", at=clock())
    call_command("achievements", "rebuild", stdout=StringIO())
    assert sorted(Achievement.objects.values_list("user", "name", "at")) == before


def test_they_are_told_by_one_query_and_guests_have_none(clock, alice, bob):
    guest = User.objects.create_guest()
    gives_up(seated(guest, bob), bob)
    gives_up(seated(alice, bob), bob)
    swept(clock)
    assert not names(guest)
    with CaptureQueriesContext(connection) as queries:
        earned = achievements.of(alice)
    assert len(queries) == 1
    text = render_to_string("parts/achievements.html", {"achievements": earned})
    assert "To the end" in text
    assert "Won a match with other people." in text
    assert render_to_string("parts/achievements.html", {"achievements": achievements.of(bob)}).strip() == ""
