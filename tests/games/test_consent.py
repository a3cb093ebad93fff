"""What all who play agree on: a pause, and calling the match off."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from accounts.models import User
from games import histories, tasks
from games.models import Consent, Move
from games.services import consent, leaving, pauses, records, turns
from games.services.consent import NoProposal
from games.services.errors import NotRunning, Paused, StaleMatch
from games.services.pauses import NotPaused
from tests.agreeing import CANCEL, PAUSE, number_of, page, paused, post, rows, shown_proposal
from tests.client import Client, client_of
from tests.conftest import fresh, move, play_out, seated, steps_for
from tests.racing import at_once, outcome


def test_a_match_is_called_off_once_all_agree(alice, bob, charlie):
    match = play_out(seated(alice, bob, charlie, game="barvosauri"), rows=8)
    assert not leaving.is_early(match, match.moves.all())
    assert post(alice, match, "propose/cancel", version=match.version) == 302
    assert "You propose calling the match off." in page(alice, match)
    assert "<b>alice proposes calling the match off.</b>" in page(bob, match)
    assert "calling off is proposed" in client_of(bob).get("/turns/").content.decode()
    assert "calling off is proposed" not in client_of(alice).get("/turns/").content.decode()
    assert post(bob, match, "agree/cancel", proposal=shown_proposal(bob, match, "cancel")) == 302
    assert fresh(match).status == "playing"
    assert "alice, bob propose calling the match off." in page(charlie, match)
    assert post(charlie, match, "agree/cancel", proposal=shown_proposal(charlie, match, "cancel")) == 302
    before, match = match.version, fresh(match)
    assert (match.status, match.end_reason, match.deadline, match.version) == ("cancelled", "agreed", None, before + 1)
    row = match.moves.last()
    assert (row.kind, row.seat, row.by) == ("cancel", number_of(match, charlie), "user")
    assert row.news == [{"what": "cancelled", "seat": row.seat, "agreed": [0, 1, 2]}]
    assert not Consent.objects.exists()
    assert list(match.seats.values_list("place", "left_how")) == [(None, "")] * 3
    assert records.differences(match) == []
    for user in (alice, bob, charlie):
        assert "All who played agreed to call this match off" in page(user, match)
        assert "All who played agreed to call this match off" in client_of(user).get("/turns/").content.decode()
    log = client_of(alice).get(match.get_absolute_url() + "log/").content.decode()
    assert "All who play have agreed to call the match off." in log
    assert histories.entries(alice, alice) == []


def test_alone_against_bots_one_asks_oneself_first(alice):
    match = play_out(seated(alice, bots=1, game="barvosauri"), rows=8)
    tasks.bots()
    match = fresh(match)
    ask = match.get_absolute_url() + "propose/cancel/"
    assert f'href="{ask}"' in page(alice, match)
    asked = client_of(alice).get(ask).content.decode()
    assert "It ends without a result and counts for nobody." in asked
    assert "It happens once" not in asked
    assert fresh(match).status == "playing"
    assert post(alice, match, "propose/cancel", version=match.version) == 302
    match = fresh(match)
    assert (match.status, match.end_reason) == ("cancelled", "agreed")
    assert "You called this match off; it counts for nobody." in page(alice, match)
    assert "You call the match off." in client_of(alice).get(match.get_absolute_url() + "log/").content.decode()
    assert records.differences(match) == []


def test_bots_and_who_left_need_not_agree(alice, bob, charlie):
    match = seated(alice, bob, charlie, bots=1)
    leaving.resign(match.pk, number_of(match, charlie), version=match.version)
    match = fresh(match)
    consent.propose(match.pk, number_of(match, alice), CANCEL, version=match.version)
    with pytest.raises(NotRunning):
        consent.propose(match.pk, number_of(match, charlie), CANCEL, version=match.version)
    consent.propose(match.pk, number_of(match, bob), CANCEL, version=match.version)
    assert fresh(match).status == "cancelled"


def test_what_was_withdrawn_or_declined_cannot_be_agreed_to(alice, bob):
    match = seated(alice, bob)
    for undo in ("withdraw", "decline"):
        post(alice, match, "propose/pause", version=1)
        seen = shown_proposal(bob, match, "pause")
        who, fields = (alice, {}) if undo == "withdraw" else (bob, {"proposal": seen})
        assert post(who, match, f"{undo}/pause", **fields) == 302
        assert not Consent.objects.exists()
        answer = client_of(bob).post(match.get_absolute_url() + "agree/pause/", {"proposal": seen})
        assert answer.status_code == 409
        assert "This proposal does not stand any more." in answer.content.decode()
        assert match.get_absolute_url() in answer.content.decode()
        assert post(bob, match, "decline/pause", proposal=seen) == 409
        # The same wish, proposed anew, is another one.
        post(alice, match, "propose/pause", version=1)
        assert post(bob, match, "agree/pause", proposal=seen) == 409
        Consent.objects.all().delete()
    assert (fresh(match).version, fresh(match).paused_at) == (1, None)


def test_who_agrees_to_a_pause_does_not_call_off(alice, bob):
    match = seated(alice, bob)
    post(alice, match, "propose/pause", version=1)
    seen = shown_proposal(bob, match, "pause")
    assert post(bob, match, "agree/cancel", proposal=seen) == 409
    assert (fresh(match).status, fresh(match).version) == ("playing", 1)


def test_proposals_lapse_when_somebody_leaves_or_it_is_over(alice, bob, charlie):
    match = seated(alice, bob, charlie)
    for kind in (PAUSE, CANCEL):
        consent.propose(match.pk, number_of(match, alice), kind, version=1)
    leaving.resign(match.pk, number_of(match, charlie), version=1)
    assert not Consent.objects.exists()
    match = fresh(match)
    consent.propose(match.pk, number_of(match, alice), PAUSE, version=match.version)
    match = move(match, steps=None) if not match.active_bot else match
    assert Consent.objects.count() == 1
    leaving.resign(match.pk, number_of(match, bob), version=match.version)
    assert not Consent.objects.exists()
    two = seated(alice, bob)
    consent.propose(two.pk, 0, PAUSE, version=1)
    play_out(two)
    assert not Consent.objects.exists()


def test_forged_consent_is_refused_and_nothing_is_written(alice, bob, charlie, person):
    left = person("dora")
    match = seated(alice, bob, left)
    leaving.resign(match.pk, number_of(match, left), version=1)
    match = fresh(match)
    post(alice, match, "propose/pause", version=match.version)
    seen = Consent.objects.get().pk
    before = fresh(match)
    for user in (charlie, left):
        for what in ("propose/pause", "agree/pause", "decline/pause", "withdraw/pause", "resume", "propose/cancel"):
            assert post(user, match, what, version=match.version, proposal=seen, seat=number_of(match, bob)) == 404
    assert client_of(charlie).get(match.get_absolute_url() + "propose/pause/").status_code == 404
    assert Client().post(match.get_absolute_url() + "agree/pause/", {"proposal": seen}).status_code == 404
    # The seat comes from the session, whatever the form says; and one cannot agree twice to be two.
    assert post(alice, match, "agree/pause", proposal=seen, seat=number_of(match, bob)) == 302
    for what, fields, status in (
        ("propose/annul", {"version": match.version}, 404),
        ("agree/Pause", {"proposal": seen}, 404),
        ("agree/pause", {}, 400),
        ("agree/pause", {"proposal": "-1"}, 400),
        ("agree/pause", {"proposal": "\u0661"}, 400),
        ("agree/pause", {"proposal": "9" * 30}, 400),
        ("agree/pause", {"proposal": seen + 1}, 409),
        ("decline/pause", {"proposal": seen + 1}, 409),
        ("propose/pause", {"version": match.version - 1}, 409),
        ("propose/cancel", {}, 400),
        ("resume", {"version": match.version}, 409),
        ("resume", {}, 400),
    ):
        assert post(bob, match, what, **fields) == status, (what, fields)
    after = fresh(match)
    assert (after.version, after.gathered, after.paused_at) == (before.version, before.gathered, None)
    assert list(Consent.objects.values_list("seat", "kind")) == [(number_of(match, alice), "pause")]
    assert client_of(bob).get(match.get_absolute_url() + "agree/pause/").status_code == 405


def test_a_match_that_does_not_run_is_neither_paused_nor_called_off(alice, bob):
    match = play_out(seated(alice, bob))
    for what in ("propose/pause", "propose/cancel", "agree/pause", "withdraw/pause", "resume"):
        assert post(alice, match, what, version=match.version, proposal=1) == 409
    assert client_of(alice).get(match.get_absolute_url() + "propose/cancel/").status_code == 409
    assert "this-match" not in page(alice, match)
    running = paused(seated(alice, bob))
    with pytest.raises(Paused):
        consent.propose(running.pk, 0, PAUSE, version=running.version)
    with pytest.raises(StaleMatch):
        pauses.resume(running.pk, 0, version=1)
    pauses.resume(running.pk, 0, version=running.version)
    with pytest.raises(NotPaused):
        pauses.resume(running.pk, 0, version=fresh(running).version)


def test_who_watches_learns_of_no_proposal(alice, bob, charlie):
    User.objects.update(zone="Europe/Prague")  # without one each page has a form, with a token that differs
    match = seated(alice, bob)
    before = page(charlie, match)
    post(alice, match, "propose/pause", version=1)
    post(alice, match, "propose/cancel", version=1)
    assert "propose" not in page(charlie, match)
    assert page(charlie, match).replace('data-gathered="3"', 'data-gathered="1"') == before
    consent.withdraw(match.pk, number_of(match, alice), PAUSE)
    html = page(charlie, paused(match))
    assert "The match is paused." in html
    assert "resume/" not in html


@pytest.mark.django_db(transaction=True)
def test_of_two_who_agree_at_once_the_second_completes_it(alice, bob, charlie, rounds):
    for number in range(max(rounds // 2, 10)):
        match = seated(alice, bob, charlie)
        kind = (PAUSE, CANCEL)[number % 2]
        consent.propose(match.pk, 0, kind, version=1)
        seen = Consent.objects.get(match=match).pk
        results = at_once([outcome(partial(consent.agree, match.pk, seat, kind, proposal=seen)) for seat in (1, 2)])
        assert sum(isinstance(result, Move) for result in results) == 1, results
        assert rows(match) == ["start", str(kind)]
        assert not Consent.objects.exists()
        assert records.differences(fresh(match)) == []


@pytest.mark.django_db(transaction=True)
def test_of_agreeing_and_a_move_both_happen_in_some_order_or_the_move_is_refused(alice, bob, rounds):
    for _round in range(max(rounds // 2, 10)):
        match = seated(alice, bob, game="barvosauri")
        other = 1 - match.active_seat
        consent.propose(match.pk, match.active_seat, PAUSE, version=1)
        agree = partial(consent.agree, match.pk, other, PAUSE, proposal=Consent.objects.get(match=match).pk)
        play = partial(turns.play, match.pk, match.active_seat, steps_for(match), version=1, key=uuid4())
        agreed, moved = at_once([outcome(agree), outcome(play)])
        assert isinstance(agreed, Move)
        assert rows(match) == (["start", "play", "pause"] if isinstance(moved, Move) else ["start", "pause"])
        assert isinstance(moved, Move) or moved in ("stale_version", "paused")
        match = fresh(match)
        assert (match.deadline, match.paused_at is None) == (None, False)
        assert records.differences(match) == []


@pytest.mark.django_db(transaction=True)
def test_of_agreeing_and_withdrawing_one_happens(alice, bob, rounds):
    for _round in range(max(rounds // 3, 10)):
        match = seated(alice, bob)
        consent.propose(match.pk, 0, CANCEL, version=1)
        seen = Consent.objects.get(match=match).pk
        agree = outcome(partial(consent.agree, match.pk, 1, CANCEL, proposal=seen))
        agreed, _gone = at_once([agree, outcome(partial(consent.withdraw, match.pk, 0, CANCEL))])
        assert not Consent.objects.filter(match=match).exists()
        assert fresh(match).status == ("cancelled" if isinstance(agreed, Move) else "playing")
        assert isinstance(agreed, Move) or agreed == NoProposal.code
