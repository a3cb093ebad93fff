"""What notices say: every kind, with what its user may know and nothing more."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.delivery import words
from games.models import Match, Move, Notice
from games.services import invitations, leaving, lobby, notices
from tests.conftest import play_out, seated

pytestmark = pytest.mark.django_db


def told(user, kind):
    """The last notice of that kind to a user, in words."""
    return words.said([Notice.objects.filter(user=user, kind=kind).latest("id")])[0]


def test_a_turn_and_a_reminder(clock, alice, bob):
    match = seated(alice, bob)
    mover, other = (alice, bob) if match.seats.get(user=alice).number == match.active_seat else (bob, alice)
    said = told(mover, Notice.Kind.TURN)
    assert said.text == f"Your turn has begun: Red, with {other.name}."
    assert said.html == f'Your turn has begun: Red, with <b class="who">{other.name}</b>.'
    assert said.url == match.get_absolute_url()
    clock.moment = match.remind_at
    assert notices.remind(match.pk)
    assert told(mover, Notice.Kind.REMINDER).text == f"Your time runs short: Red, with {other.name}."


def test_somebody_asks_to_move(alice, bob):
    match = seated(alice, bob)
    notices.store([notices.tell(alice.pk, Notice.Kind.NUDGE, "nudge:1", match, version=1)])
    assert told(alice, Notice.Kind.NUDGE).text == "You are asked to move: Red, with bob."
    seat = match.seats.get(user=bob).number
    notices.store([notices.tell(alice.pk, Notice.Kind.NUDGE, "nudge:2", match, version=1, seat=seat, after=1)])
    assert told(alice, Notice.Kind.NUDGE).text == "bob asks you to move: Red."


def test_an_invitation(alice, bob):
    match = lobby.create(alice, lobby.Proposal("red", 3, 0))
    invitations.invite(match.pk, alice, [bob])
    said = told(bob, Notice.Kind.INVITED)
    assert (said.text, said.url) == ("alice invites you to a match of Red.", "/turns/")


def test_what_happens_at_the_table_is_told_as_the_log_tells_it(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    leaver = match.seats.get(user=bob)
    leaving.resign(match.pk, leaver.number, version=match.version)
    said = told(alice, Notice.Kind.TABLE)
    names = [seat.user.name for seat in match.seats.all() if seat.user != alice]
    assert said.text == f"Red, with {', '.join(names)}: bob gives up the match; a bot plays on."


def test_news_at_the_table_pass_through_what_their_reader_may_see(alice, bob):
    match = seated(alice, bob)
    seat = match.seats.get(user=bob).number
    row = Move.objects.get(match=match, number=1)
    # As a row of the rules would have it: the card is for bob's eyes alone.
    row.news = [{"what": "left", "seat": seat, "how": "resign", "then": "bot", "to": [seat], "public": None}]
    row.save()
    for user in (alice, bob):
        notices.store([notices.tell(user.pk, Notice.Kind.TABLE, "table:1:1", match, version=1)])
    assert told(alice, Notice.Kind.TABLE).text == "Something has happened at the table: Red, with bob."
    assert told(bob, Notice.Kind.TABLE).text.endswith("You give up the match; a bot plays on for you.")


def test_the_end(alice, bob, charlie):
    match = seated(alice, bob)
    leaving.resign(match.pk, match.seats.get(user=bob).number, version=match.version)
    assert told(alice, Notice.Kind.ENDED).text == "Red, with bob, is over: you have won."
    match = seated(alice, bob, charlie)
    play_out(match)
    winner = match.seats.get(place=1).user
    for user in {alice, bob, charlie} - {winner}:
        if Notice.objects.filter(user=user, match=match, kind=Notice.Kind.ENDED).exists():
            assert told(user, Notice.Kind.ENDED).text.endswith(f"is over: won by {winner.name}.")


def test_a_match_that_was_called_off(alice, bob):
    match = seated(alice, bob)
    leaving.call_off(match.pk, match.seats.get(user=bob).number, version=match.version)
    assert told(alice, Notice.Kind.ENDED).text == "Red, with bob, was called off."


def test_who_no_longer_plays_in_a_hidden_match_reads_nothing_of_it(alice, bob, charlie):
    match = seated(alice, bob, audience=Match.Audience.SEATED)
    notices.store([notices.tell(charlie.pk, Notice.Kind.TABLE, "table:1:1", match, version=1)])
    said = told(charlie, Notice.Kind.TABLE)
    assert (said.text, said.url) == ("You no longer play in this match of Red.", "")


def test_the_site_about_notices(alice):
    notices.store([notices.tell(alice.pk, Notice.Kind.SITE, "parked:mail:1", what="parked", why="address")])
    text = "A notice could not be delivered, and we have given up: your address takes no mail."
    assert told(alice, Notice.Kind.SITE).text == text
    notices.store([notices.tell(alice.pk, Notice.Kind.SITE, "parked:mail:2", what="parked", why="never heard of")])
    assert "for a reason that we do not know" in told(alice, Notice.Kind.SITE).text
    notices.store([notices.tell(alice.pk, Notice.Kind.SITE, "new", what="something new")])
    assert told(alice, Notice.Kind.SITE).text == "There is something about your notices."


def test_a_game_that_is_gone(alice, bob):
    match = seated(alice, bob)
    Match.objects.filter(pk=match.pk).update(game="gone")
    said = words.said(Notice.objects.filter(match=match))[0]
    assert (said.text, said.url) == ("This site does not have the game any more.", "")


def test_many_cost_as_much_as_few(alice, bob, charlie, person):
    counts = []
    for number in (1, 5):
        for _each in range(number):
            match = seated(alice, bob, charlie)
            leaving.resign(match.pk, match.seats.get(user=bob).number, version=match.version)
            lobby.create(person(f"host{Notice.objects.count()}"), lobby.Proposal("red", 3, 0), [alice])
        with CaptureQueriesContext(connection) as found:
            words.said(Notice.objects.filter(user=alice))
        counts.append(len(found))
    assert counts[0] == counts[1] <= 6
