"""Once more: with the same people, and one rematch for all of them."""

from __future__ import annotations

from accounts.models import User
from games.models import Match
from games.services import invitations, leaving, rematch
from tests.client import client_of
from tests.conftest import seated


def over(match):
    """The match, given up by the first seat, as it is then."""
    while match.status == "playing":
        seat = match.seats.filter(left_version=None, bot_level="").first()
        leaving.resign(match.pk, seat.number, version=match.version)
        match.refresh_from_db()
    return match


def test_a_rematch_is_one_for_all_of_the_people(alice, bob, charlie):
    first = over(seated(alice, bob, charlie, options={"game": "advanced"}, days=3, audience="link"))
    page = client_of(alice).get(first.get_absolute_url()).content.decode()
    assert ">Rematch<" in page
    answer = client_of(alice).post(f"/match/{first.slug}/again/")
    second = Match.objects.get(rematch_of=first)
    assert answer["Location"] == second.get_absolute_url()
    assert (second.options, second.allowance, second.seat_count, second.audience) == (
        first.options,
        first.allowance,
        3,
        "link",
    )
    assert (second.status, second.seed != first.seed) == ("open", True)
    assert "alice wants a rematch." in client_of(bob).get(first.get_absolute_url()).content.decode()
    assert second.get_absolute_url() in client_of(alice).get(first.get_absolute_url()).content.decode()
    assert client_of(alice).post(f"/match/{first.slug}/again/")["Location"] == second.get_absolute_url()
    assert client_of(bob).post(f"/match/{first.slug}/again/")["Location"] == second.get_absolute_url()
    # Who said no may think again.
    invitations.decline(second.invitations.get(to=charlie))
    assert client_of(charlie).post(f"/match/{first.slug}/again/")["Location"] == second.get_absolute_url()
    second.refresh_from_db()
    assert second.status == "playing"
    assert second.invitations.get(to=charlie).answer == "accepted"
    assert Match.objects.filter(rematch_of=first).count() == 1
    assert client_of(charlie).post(f"/match/{first.slug}/again/")["Location"] == second.get_absolute_url()


def test_guests_have_rematches_too(db):
    one, other = User.objects.create_guest(), User.objects.create_guest()
    first = over(seated(one, other))
    client_of(one).post(f"/match/{first.slug}/again/")
    second = Match.objects.get(rematch_of=first)
    asked = second.invitations.get(to=other)
    assert f"/invitation/{asked.pk}/accept/" in client_of(other).get("/turns/").content.decode()
    client_of(other).post(f"/invitation/{asked.pk}/accept/")
    second.refresh_from_db()
    assert second.status == "playing"


def test_whose_invitation_was_withdrawn_begins_another_rematch(alice, bob):
    first = over(seated(alice, bob))
    second = rematch.again(first, alice)
    invitations.withdraw(second.invitations.get(to=bob))
    third = rematch.again(first, bob)
    assert third != second
    assert not second.seats.filter(user=bob).exists()


def test_once_more_against_bots_begins_at_once_and_once(alice):
    first = over(seated(alice, bots=2, options={"game": "advanced"}, days=3))
    assert ">Again<" in client_of(alice).get(first.get_absolute_url()).content.decode()
    second = Match.objects.get(pk=rematch.again(first, alice).pk)
    assert (second.options, second.allowance, second.seat_count) == (first.options, first.allowance, 3)
    assert (second.status, second.seed != first.seed, second.slug != first.slug) == ("playing", True, True)
    assert rematch.again(first, alice) == second
    over(second)
    assert rematch.again(first, alice) != second


def test_a_match_that_runs_has_no_rematch(alice, bob):
    match = seated(alice, bob)
    assert client_of(alice).post(f"/match/{match.slug}/again/").status_code == 409
    assert Match.objects.count() == 1
