"""Invitations: by links that expire and can be withdrawn, and by name."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Anyone

from accounts.models import User
from games.models import Invitation, Match, token_hash
from games.services import invitations, lobby
from games.services.invitations import CannotInvite, NotWaiting, UnknownInvitation
from games.services.lobby import Proposal
from games.services.seating import NoLongerWaiting, SeatsKept, SeatsTaken
from games.views.open_page import qr
from tests.client import Client, client_of


def join_url(match):
    """Where the link of the match leads."""
    return f"/match/{match.slug}/join/{match.invitations.get(to=None, revoked_at=None).token}/"


@pytest.fixture
def match(alice):
    """An open match of alice for three."""
    return lobby.create(alice, Proposal("red", 3, 0))


def test_stored_is_the_hash_of_the_token_and_not_the_token(match):
    link = match.invitations.get()
    assert re.fullmatch(r"[0-9a-f]{32}", link.token)
    assert link.token_hash == token_hash(link.token)
    stored = " ".join(str(value) for value in Invitation.objects.values().get().values())
    assert link.token not in stored


def test_a_link_expires(clock, alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 3, 0))
    url = join_url(match)
    lobby.join(match.pk, bob, match.invitations.get().token)
    clock.forward(days=7, seconds=-1)
    assert client_of(charlie).get(url).status_code == 200
    clock.forward(seconds=1)
    for answer in (client_of(charlie).get(url), client_of(charlie).post(url), Anyone().get(url)):
        assert answer.status_code == 404
        assert b"This invitation is not valid, or not any more." in answer.content
    assert match.seats.count() == 2
    assert url not in client_of(alice).get(match.get_absolute_url()).content.decode()
    assert client_of(alice).post(f"/match/{match.slug}/link/").status_code == 302
    # The new one does not outlive the match.
    clock.forward(days=1)
    client_of(alice).post(f"/match/{match.slug}/link/")
    assert match.invitations.get(to=None, revoked_at=None).expires_at == match.waits_until
    assert client_of(charlie).post(join_url(match)).status_code == 302


@pytest.mark.parametrize("tail", ["link/", "link/withdraw/"])
def test_a_match_that_has_begun_has_no_link_to_change(match, alice, bob, tail):
    match = lobby.join(match.pk, bob, match.invitations.get(to=None).token)
    while match.status == "open":
        match = lobby.join(match.pk, User.objects.create_guest(), match.invitations.get(to=None).token)
    before = list(match.invitations.values())
    answer = client_of(alice).post(f"/match/{match.slug}/{tail}")
    assert (answer.status_code, "All seats of this match are taken." in answer.content.decode()) == (409, True)
    assert list(match.invitations.values()) == before


def test_a_new_link_takes_the_place_of_the_old_one(match, alice, bob):
    old = join_url(match)
    assert client_of(alice).post(f"/match/{match.slug}/link/").status_code == 302
    new = join_url(match)
    assert new != old
    assert client_of(bob).post(old).status_code == 404
    assert client_of(bob).post(new).status_code == 302
    assert client_of(bob).post(f"/match/{match.slug}/link/").status_code == 404
    assert client_of(alice).post(f"/match/{match.slug}/link/withdraw/").status_code == 302
    assert client_of(bob).get(new).status_code == 404
    assert b"There is no link that works." in client_of(alice).get(match.get_absolute_url()).content
    assert client_of(alice).post(f"/match/{match.slug}/link/").status_code == 302
    assert match.invitations.filter(revoked_at=None).count() == 1


@pytest.mark.parametrize("forge", [lambda t: t[:-1], lambda t: t.upper(), lambda t: "0" * 32, lambda t: t + "0"])
def test_a_forged_token_is_no_invitation(match, bob, forge):
    token = match.invitations.get().token
    answer = client_of(bob).post(f"/match/{match.slug}/join/{forge(token)}/")
    assert answer.status_code == 404
    assert match.seats.count() == 1


def test_a_token_of_another_match_and_one_by_name_are_no_link(match, alice, bob):
    other = lobby.create(alice, Proposal("red", 3, 0))
    invitations.invite(match.pk, alice, [bob])
    by_name = match.invitations.get(to=bob)
    for token in (other.invitations.get().token, by_name.token):
        assert client_of(bob).post(f"/match/{match.slug}/join/{token}/").status_code == 404
        with pytest.raises(UnknownInvitation):
            lobby.join(match.pk, bob, token)
    assert match.seats.count() == 1


def test_the_page_shows_the_link_as_a_qr_code_without_styles(match, alice, bob):
    page = client_of(alice).get(match.get_absolute_url()).content.decode()
    url = f"http://testserver{join_url(match)}"
    assert url in page
    assert str(qr(url)) in page
    assert 'fill="#fff"' in qr(url)
    assert "style" not in qr(url)
    assert "<svg" not in client_of(bob).get(match.get_absolute_url()).content.decode().split('id="seats"')[1]


def test_who_is_invited_by_name_accepts_on_the_dashboard(match, alice, bob, charlie):
    answer = client_of(alice).post(f"/match/{match.slug}/invite/", {"names": "BOB, charlie"})
    assert answer.status_code == 302
    to_bob, to_charlie = match.invitations.get(to=bob), match.invitations.get(to=charlie)
    page = client_of(bob).get("/turns/").content.decode()
    assert "alice invites you to Red" in page
    assert f"/invitation/{to_bob.pk}/accept/" in page
    assert f"/invitation/{to_charlie.pk}/" not in page
    answer = client_of(bob).post(f"/invitation/{to_bob.pk}/accept/")
    assert answer["Location"] == match.get_absolute_url()
    assert client_of(bob).post(f"/invitation/{to_bob.pk}/accept/").status_code == 302
    declined = client_of(charlie)
    assert declined.post(f"/invitation/{to_charlie.pk}/decline/")["Location"] == "/turns/"
    assert b"You have declined: the seat that was kept for you is free." in declined.get("/turns/").content
    assert client_of(charlie).post(f"/invitation/{to_charlie.pk}/decline/").status_code == 302
    assert client_of(charlie).post(f"/invitation/{to_charlie.pk}/accept/").status_code == 409
    assert {seat.user for seat in match.seats.all()} == {alice, bob}
    for page in ("/turns/", match.get_absolute_url()):
        html = re.sub(r"<[^>]+>", "", client_of(alice).get(page).content.decode())
        assert re.search(r"bob\s+accepted", html), page
        assert re.search(r"charlie\s+declined", html), page
    assert f"/invitation/{to_bob.pk}/" not in client_of(bob).get("/turns/").content.decode()


def test_a_seat_is_kept_for_who_is_invited_until_they_answer(clock, alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 2, 0, listed=True), [bob])
    token = match.invitations.get(to=None).token
    with pytest.raises(SeatsKept):
        lobby.join(match.pk, charlie, token)
    with pytest.raises(SeatsKept):
        lobby.sit(match.pk, charlie)
    assert match.slug not in Client().get("/lobby/").content.decode()
    assert b"are kept for people who were invited" in Client().get(join_url(match)).content
    invitations.decline(match.invitations.get(to=bob))
    assert match.slug in Client().get("/lobby/").content.decode()
    assert lobby.sit(match.pk, charlie).status == "playing"
    with pytest.raises(SeatsTaken):
        invitations.accept(match.invitations.get(to=bob))


def test_an_invitation_by_name_expires_and_both_are_told(clock, alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 2, 0), [bob])
    asked = match.invitations.get(to=bob)
    clock.forward(days=7)
    assert client_of(bob).post(f"/invitation/{asked.pk}/accept/").status_code == 409
    assert b"alice invites you" not in client_of(bob).get("/turns/").content
    for page in ("/turns/", match.get_absolute_url()):
        assert b"did not answer in time" in client_of(alice).get(page).content
    assert match.seats.count() == 1
    # Asked again, and the seat that is kept is free for nobody else.
    invitations.invite(match.pk, alice, [bob])
    asked = match.invitations.get(to=bob, revoked_at=None)
    assert asked.expires_at == match.waits_until
    assert client_of(bob).post(f"/invitation/{asked.pk}/accept/").status_code == 302
    assert Match.objects.get(pk=match.pk).status == "playing"


def test_an_invitation_is_withdrawn_by_who_made_it_and_by_nobody_else(match, alice, bob, charlie):
    lobby.join(match.pk, bob, match.invitations.get().token)
    invitations.invite(match.pk, bob, [charlie])
    asked = match.invitations.get(to=charlie)
    assert client_of(charlie).post(f"/invitation/{asked.pk}/withdraw/").status_code == 404
    assert client_of(bob).post(f"/invitation/{asked.pk}/withdraw/").status_code == 302
    assert client_of(bob).post(f"/invitation/{asked.pk}/withdraw/").status_code == 302
    answer = client_of(charlie).post(f"/invitation/{asked.pk}/accept/")
    assert answer.status_code == 409
    assert b"This invitation was withdrawn." in answer.content
    invitations.invite(match.pk, bob, [charlie])
    asked = match.invitations.get(to=charlie, revoked_at=None)
    assert client_of(alice).post(f"/invitation/{asked.pk}/withdraw/").status_code == 302  # it is her match
    assert match.seats.count() == 2


def test_an_answer_cannot_be_withdrawn(match, alice, bob):
    invitations.invite(match.pk, alice, [bob])
    asked = match.invitations.get(to=bob)
    invitations.accept(asked)
    with pytest.raises(NotWaiting):
        invitations.withdraw(asked)
    assert match.seats.count() == 2


def test_who_leaves_again_has_declined(match, alice, bob):
    invitations.invite(match.pk, alice, [bob])
    invitations.accept(match.invitations.get(to=bob))
    lobby.leave(match.pk, bob)
    assert match.invitations.get(to=bob).answer == "declined"
    with pytest.raises(CannotInvite):
        invitations.invite(match.pk, alice, [bob])


def test_who_comes_another_way_has_accepted(match, alice, bob):
    invitations.invite(match.pk, alice, [bob])
    lobby.join(match.pk, bob, match.invitations.get(to=None).token)
    assert match.invitations.get(to=bob).answer == "accepted"
    assert client_of(bob).get("/turns/").context["asked"] == []


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("nobody-here", "no player with an account called “nobody-here”"),
        ("bot-ada", "no player with an account"),
        ("guest-abcdefgh", "no player with an account"),
        ("alice", "You cannot invite yourself."),
        ("bob", "bob sits there already."),
        ("charlie dora", "fewer free seats than people"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("charlie;nobody2", "called “nobody2”"),
        ("é", "called “é”"),
        ("x" * 5000, "no player with an account"),
    ],
)
def test_who_cannot_be_invited_is_told_and_nobody_is(match, alice, bob, charlie, person, names, sentence):
    person("dora")
    User.objects.bot("ada")
    guest = User.objects.create_guest()
    lobby.join(match.pk, bob, match.invitations.get().token)
    answer = client_of(alice).post(
        f"/match/{match.slug}/invite/", {"names": names.replace("guest-abcdefgh", guest.username)}
    )
    assert answer.status_code == 422
    html = answer.content.decode()
    assert sentence in html
    assert "<script>alert" not in html
    assert not match.invitations.exclude(to=None).exists()


def test_who_is_asked_is_not_asked_again(match, alice, bob):
    invitations.invite(match.pk, alice, [bob])
    with pytest.raises(CannotInvite):
        invitations.invite(match.pk, alice, [bob])
    invitations.decline(match.invitations.get(to=bob))
    with pytest.raises(CannotInvite):
        invitations.invite(match.pk, alice, [bob])
    assert match.invitations.filter(to=bob).count() == 1


def test_invitations_are_limited_by_pair_and_by_day(alice, bob, settings):
    for _each in range(5):
        lobby.create(alice, Proposal("red", 2, 0), [bob])
    with pytest.raises(CannotInvite):
        lobby.create(alice, Proposal("red", 2, 0), [bob])
    assert Match.objects.count() == 5
    settings.LIMITS = {**settings.LIMITS, "invite": (2, 86400)}
    match = lobby.create(alice, Proposal("red", 4, 0))
    answers = [client_of(alice).post(f"/match/{match.slug}/invite/", {"names": "bob"}).status_code for _each in "123"]
    assert answers == [422, 422, 429]


def test_people_are_invited_with_the_form_of_a_new_match(alice, bob, charlie):
    fields = {"seats": 3, "bots": 0, "days": 2, "audience": "seated", "option_game": "basic", "invite": "bob,Charlie"}
    for wrong in ("nobody-here", "bob charlie alice", "alice"):
        answer = client_of(alice).post("/new/red/", {**fields, "invite": wrong})
        assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["invite"])
    assert client_of(alice).post("/new/red/", {**fields, "bots": 1}).status_code == 422
    assert not Match.objects.exists()
    assert client_of(alice).post("/new/red/", fields).status_code == 302
    match = Match.objects.get()
    assert {asked.to for asked in match.invitations.exclude(to=None)} == {bob, charlie}
    # Though the match is hidden: who is invited sees what it is, and comes in.
    assert client_of(bob).get(match.get_absolute_url()).status_code == 404
    assert b"alice invites you to Red" in client_of(bob).get("/turns/").content
    client_of(bob).post(f"/invitation/{match.invitations.get(to=bob).pk}/accept/")
    assert client_of(bob).get(match.get_absolute_url()).status_code == 200


def test_a_guest_invites_by_link_only(db, bob):
    guest = User.objects.create_guest()
    match = lobby.create(guest, Proposal("red", 2, 0))
    assert client_of(guest).post(f"/match/{match.slug}/invite/", {"names": "bob"}).status_code == 404
    assert b'name="names"' not in client_of(guest).get(match.get_absolute_url()).content
    fields = {"seats": 2, "bots": 0, "days": 2, "audience": "link", "option_game": "basic", "invite": "bob"}
    assert client_of(guest).post("/new/red/", fields).status_code == 302
    assert not Invitation.objects.exclude(to=None).exists()


def test_an_invitation_to_what_was_called_off_is_over(match, alice, bob):
    invitations.invite(match.pk, alice, [bob])
    asked = match.invitations.get(to=bob)
    lobby.cancel(match.pk, alice)
    assert client_of(bob).get("/turns/").context["asked"] == []
    answer = client_of(bob).post(f"/invitation/{asked.pk}/accept/")
    assert answer.status_code == 409
    assert b"This match was called off." in answer.content
    with pytest.raises(NoLongerWaiting):
        invitations.invite(match.pk, alice, [bob])


@pytest.mark.parametrize("pk", ["0", "999999999999999999999999", "1000000"])
@pytest.mark.parametrize("what", ["accept", "decline", "withdraw"])
def test_an_invitation_that_is_not_there(alice, pk, what):
    assert client_of(alice).post(f"/invitation/{pk}/{what}/").status_code == 404


def test_a_guest_makes_the_first_move_by_link(alice):
    from tests.conftest import post_body, steps_for

    for _each in range(20):
        match = lobby.create(alice, Proposal("red", 2, 0, days=2))
        friend = Client()
        assert b"No account is needed" in friend.get(join_url(match)).content
        assert friend.post(join_url(match))["Location"] == match.get_absolute_url()
        match.refresh_from_db()
        guest = match.seats.exclude(user=alice).get()
        if match.active_seat == guest.number:
            break
    assert guest.user.is_guest
    answer = friend.post(match.get_absolute_url(), post_body(match, steps_for(match)))
    assert answer.status_code == 302
    assert match.moves.filter(seat=guest.number, by="user", kind="play").count() == 1


def test_many_invitations_push_none_off_the_page(alice, bob, person):
    asked = [lobby.create(alice, Proposal("red", 2, 0), [bob])]
    for number in range(5):
        other = person(f"other-{number}x")
        asked += [lobby.create(other, Proposal("red", 2, 0), [bob]) for _each in range(invitations.MOST_OPEN)]
    shown = client_of(bob).get("/turns/").context["asked"]
    assert [item["match"] for item in shown] == asked[::-1]
