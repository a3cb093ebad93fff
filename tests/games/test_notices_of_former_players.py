"""What is told of a match in which seats change hands: of who sat there then, to who sits there now."""

from __future__ import annotations

import pytest
from django.core import mail

from games.delivery import words
from games.models import Match, Notice
from games.services import consent, nudges, substitutes
from tests.agreeing import PAUSE
from tests.client import client_of
from tests.conftest import move, mover_of, seated
from tests.games.leaving import fresh, gives_up, left_on_turn, other_than, seat_of
from tests.games.mailing import sweep, wants, with_address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]


def said(user):
    """The texts of the user's notices of the table, the oldest first."""
    return [one.text for one in words.said(Notice.objects.filter(user=user, kind="table").order_by("pk"))]


def test_who_has_left_is_named_also_when_another_has_the_seat(alice, bob, charlie, dora):
    match = left_on_turn(alice, bob, charlie)
    substitutes.take_over(match.pk, seat_of(match, alice).number, dora)
    left, taken = said(bob)
    assert left.endswith(": alice gives up the match; the seat is free for somebody else.")
    assert taken.endswith(": dora takes over the seat of alice.")
    assert b"alice" in client_of(bob).get("/notices/").content


def test_who_has_proposed_is_named(alice, bob, charlie, dora):
    match = seated(alice, bob, charlie, leave_policy=Match.LeavePolicy.SUBSTITUTE)
    consent.propose(match.pk, seat_of(match, alice).number, PAUSE, version=match.version)
    match = gives_up(match, alice)
    substitutes.take_over(match.pk, match.seats.get(user=alice).number, dora)
    assert said(bob)[0].startswith("alice proposes a pause: Red, with ")


def test_who_has_asked_is_named(clock, alice, bob, charlie, dora, person):
    match = seated(alice, bob, charlie, leave_policy=Match.LeavePolicy.SUBSTITUTE)
    late = mover_of(match)
    asks = other_than(match, late)
    third = other_than(match, late, asks)
    match = gives_up(match, third)
    substitutes.take_over(match.pk, seat_of(match, third).number, dora)
    clock.forward(hours=13)
    nudges.nudge(match.pk, dora, version=fresh(match).version)  # who came after the turn had begun
    nudges.nudge(match.pk, asks, version=fresh(match).version)
    match = gives_up(match, asks)
    substitutes.take_over(match.pk, seat_of(match, asks).number, person("erik"))
    told = [one.text for one in words.said(Notice.objects.filter(user=late, kind="nudge").order_by("pk"))]
    assert told == ["dora asks you to move: Red.", f"{asks.name} asks you to move: Red."]


def test_a_mail_names_them_too(clock, alice, bob, charlie, dora):
    with_address(bob, alice)
    wants(bob, "turn", "instant")
    match = left_on_turn(alice, bob, charlie)
    substitutes.take_over(match.pk, seat_of(match, alice).number, dora)
    match = fresh(match)
    while mover_of(match) != bob:
        match = move(match)
    mail.outbox.clear()
    found = [sent.body for sent in sweep(clock, minutes=5) if sent.to == [bob.email]]
    assert found
    assert "- alice gives up the match" in found[-1]
    assert "- dora takes over the seat of alice" in found[-1]


def test_who_sits_there_no_more_is_mailed_no_link_that_would_open_nothing(clock, alice, bob, charlie, dora):
    with_address(alice)
    wants(alice, "table", "instant")
    match = seated(alice, bob, charlie, leave_policy=Match.LeavePolicy.SUBSTITUTE)
    match = gives_up(match, bob)
    match = gives_up(match, alice)
    substitutes.take_over(match.pk, seat_of(match, alice).number, dora)
    [sent] = sweep(clock, minutes=5)
    assert sent.to == [alice.email]
    assert "bob gives up the match" in sent.body
    assert match.get_absolute_url() in sent.body
    assert "/go/" not in sent.body
    assert "sees your hand" not in sent.body


def test_all_that_is_told_of_many_matches_costs_one_query_more(django_assert_num_queries, alice, bob, charlie, dora):
    def told():
        return list(Notice.objects.filter(user=bob, kind="table").select_related("match"))

    for number in (5, 5, 5):
        match = left_on_turn(alice, bob, charlie)
        substitutes.take_over(match.pk, seat_of(match, alice).number, dora)
        with django_assert_num_queries(number):  # seats, users, rows, departures, and the notices themselves
            words.said(told())
