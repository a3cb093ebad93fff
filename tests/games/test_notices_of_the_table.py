"""What is told of what happens at a table beside moves: who asks, who proposes, who leaves and comes."""

from __future__ import annotations

import pytest

from games.delivery import truth, words
from games.models import Consent, Notice
from games.services import consent, leaving, nudges, pauses, substitutes
from games.services.errors import Refused
from tests.agreeing import PAUSE, number_of
from tests.client import client_of
from tests.conftest import fresh, move, mover_of, seated

pytestmark = pytest.mark.usefixtures("unlimited")


def told(user, kind: str) -> list[Notice]:
    return list(Notice.objects.filter(user=user, kind=kind).order_by("pk"))


@pytest.mark.django_db(transaction=True)
def test_who_is_asked_to_move_is_told_who_asks(clock, alice, bob):
    match = seated(alice, bob)
    late = mover_of(match)
    asks = bob if late == alice else alice
    clock.forward(hours=13)
    nudges.nudge(match.pk, asks, version=match.version)
    (notice,) = told(late, "nudge")
    assert words.said([notice])[0].text == f"{asks.name} asks you to move: Red."
    assert truth.why_not(notice) == ""
    with pytest.raises(Refused):
        nudges.nudge(match.pk, asks, version=match.version)
    assert len(told(late, "nudge")) == 1
    move(match)
    notice.refresh_from_db()
    assert truth.why_not(Notice.objects.select_related("match").get(pk=notice.pk)) in ("moved", "over")


@pytest.mark.django_db(transaction=True)
def test_a_proposal_is_told_once_to_all_others_and_no_more_when_it_is_off(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    consent.propose(match.pk, number_of(match, alice), PAUSE, version=match.version)
    seen = Consent.objects.get().pk
    assert (len(told(alice, "table")), len(told(bob, "table")), len(told(charlie, "table"))) == (0, 1, 1)
    (notice,) = told(charlie, "table")
    assert words.said([notice])[0].text.startswith("alice proposes a pause: Red, with ")
    assert truth.why_not(notice) == ""
    consent.agree(match.pk, number_of(match, bob), PAUSE, proposal=seen)
    assert len(told(charlie, "table")) == 1
    consent.withdraw(match.pk, number_of(match, alice), PAUSE)
    consent.withdraw(match.pk, number_of(match, bob), PAUSE)
    assert truth.why_not(notice) == "answered"


@pytest.mark.django_db(transaction=True)
def test_a_pause_and_its_end_are_told_to_the_others(alice, bob):
    match = seated(alice, bob)
    for user in (alice, bob):
        consent.propose(match.pk, number_of(match, user), PAUSE, version=match.version)
    assert "agreed on a pause" in words.said(told(alice, "table"))[-1].text
    match = fresh(match)
    late = mover_of(match)
    pauses.resume(match.pk, number_of(match, bob), version=match.version)
    assert "ends the pause" in words.said(told(alice, "table"))[-1].text
    assert match.since_version == fresh(match).since_version
    assert fresh(match).remind_at is not None
    assert late in (alice, bob)


@pytest.mark.django_db(transaction=True)
def test_who_leaves_is_not_told_that_it_is_their_turn(clock, alice, bob, charlie):
    match = seated(alice, bob, leave_policy="substitute")
    late = mover_of(match)
    stays = bob if late == alice else alice
    leaving.resign(match.pk, match.active_seat, version=match.version)
    assert [notice.version for notice in told(late, "turn")] == [1]
    assert "gives up the match" in words.said(told(stays, "table"))[-1].text
    match = fresh(match)
    substitutes.take_over(match.pk, match.active_seat, charlie)
    assert f"charlie takes over the seat of {late.name}" in words.said(told(stays, "table"))[-1].text
    assert told(charlie, "turn") == []
    assert client_of(stays).get("/notices/").status_code == 200
