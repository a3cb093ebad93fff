"""Automatic moves as they are told: to who wished for them, and to nobody else."""

from __future__ import annotations

import re

import pytest

from games import tasks
from games.models import Consent, Match, Move
from games.services import consent, leaving, records, substitutes
from tests.client import Client, client_of
from tests.conftest import move, mover_of, play_out, seated
from tests.games.wishing import TOLD, cannot_lead, legal, page, posted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]


@pytest.mark.parametrize("name", ["only", "give_up"])
def test_a_move_by_wish_is_told_to_its_player_and_looks_like_any_other_to_the_rest(clock, alice, bob, charlie, name):
    match = cannot_lead(alice, bob, charlie)
    player, seat = mover_of(match), match.active_seat
    posted(player, match, name)
    clock.forward(minutes=6)
    assert tasks.wishes() == 1
    match.refresh_from_db()
    row = match.moves.last()
    assert (row.by, row.seat, row.text, row.at) == (Move.By.AUTO, seat, "PASS", clock())
    assert match.auto_at is None
    assert TOLD in page(player, match)
    assert TOLD in page(player, match, "log/")
    assert TOLD in page(player, match, f"at/{row.number}/")
    tails = ("", "log/", f"at/{row.number}/", "version.json")
    others = [client_of(user) for user in (alice, bob, charlie) if user != player] + [Client()]

    def seen():
        found = [other.get(match.get_absolute_url() + tail).content.decode() for other in others for tail in tails]
        found += [other.get(url).content.decode() for other in others for url in ("/turns/", "/watch/")]
        return [re.sub(r'value="[\w-]{36,}"', "", html) for html in found]

    by_wish = seen()
    assert not any(TOLD in html for html in by_wish)
    match.moves.filter(pk=row.pk).update(by=Move.By.USER)
    assert seen() == by_wish
    assert "by" not in records.dump(match)["rows"][-1]
    match.moves.filter(pk=row.pk).update(by=Move.By.AUTO)
    assert records.differences(match) == []
    # Nor does the end, which opens everything, tell the others.
    match = play_out(match)
    assert TOLD in page(player, match, f"at/{row.number}/")
    assert not any(TOLD in html for html in seen())


def test_since_the_last_move_means_the_last_one_by_hand(clock, alice, bob):
    match = seated(alice, bob, game="power_cards")
    while mover_of(match) != alice or not legal(match)[0].startswith("call"):
        match = move(match)
    match = move(match, steps=["call speed"])
    posted(alice, match, "best_share")
    made = 0
    for number in range(30):
        clock.forward(minutes=6)
        made += tasks.wishes()
        match.refresh_from_db()
        if match.status != "playing" or made >= 2:
            break
        if mover_of(match) == bob:
            match = move(match, number)
        elif match.auto_at is None:
            match = move(match, number)
            made = 0
    assert (made, match.status) == (2, "playing")
    html = page(alice, match)
    strip = html[html.index('<details class="since"') : html.index('id="play-back"')]
    assert "Since you last moved yourself" in strip
    assert strip.count(TOLD) == 2
    html = page(bob, match)
    assert "Since you last moved yourself" not in html
    assert TOLD not in html


def test_a_substitute_is_not_told_what_was_played_for_who_sat_there_before(clock, alice, bob, charlie, person):
    match = cannot_lead(alice, bob, charlie, options={"game": "advanced"})  # which giving up a round seldom ends
    Match.objects.filter(pk=match.pk).update(leave_policy=Match.LeavePolicy.SUBSTITUTE)
    player = mover_of(match)
    posted(player, match, "only")
    clock.forward(minutes=6)
    tasks.wishes()
    match.refresh_from_db()
    assert TOLD in page(player, match)
    wished, seat = match.version, match.seats.get(user=player)
    leaving.resign(match.pk, seat.number, version=wished)
    dora = person("dora")
    substitutes.take_over(match.pk, seat.number, dora)
    assert TOLD not in page(dora, match, f"at/{wished}/")
    assert TOLD not in page(player, match, f"at/{wished}/")


def asked(user, other, **pace):
    """A match of the two in which ``user`` is to move first."""
    while mover_of(match := seated(user, other, **pace)) != user:
        match.delete()
    return match


def test_next_leads_also_to_a_match_in_which_a_wish_may_be_granted_soon(clock, alice, bob):
    """Whether a wish fits is seen only then, so its player is asked like any other; the deadline decides the order."""
    urgent, here = asked(alice, bob, days=1), asked(alice, bob, days=3)
    asked(alice, bob, days=7)
    assert posted(alice, urgent, "only") == 302
    move(here)
    leads_on = f'<a class="btn primary" href="{urgent.get_absolute_url()}">To the next match'
    assert leads_on in page(alice, here)
    clock.forward(minutes=6)
    assert tasks.wishes() == 0
    assert leads_on in page(alice, here)


def test_next_leads_past_a_match_that_is_paused(clock, alice, bob):
    paused, waits, here = asked(alice, bob, days=1), asked(alice, bob, days=7), asked(alice, bob, days=3)
    for number in (0, 1):
        consent.propose(paused.pk, number, Consent.Kind.PAUSE, version=1)
    move(here)
    shown = page(alice, here)
    assert f'<a class="btn primary" href="{waits.get_absolute_url()}">To the next match' in shown
    assert paused.get_absolute_url() not in shown
