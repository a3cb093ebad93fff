"""What happens when somebody leaves: chosen, shown, kept by a rematch; and what becomes of the people."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from games.models import Departure, Match, Move
from games.services import lobby, people, records, rematch, substitutes
from games.services.errors import BadRequest, Refused
from games.services.lobby import Proposal
from tests.client import Client, client_of
from tests.conftest import fresh, seated
from tests.games.leaving import gives_up, html, left_on_turn, runs_out, seat_of, take_url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

SUBSTITUTE = Match.LeavePolicy.SUBSTITUTE


@pytest.fixture
def left(alice, bob, charlie):
    """A match of three that alice has given up on her turn."""
    return left_on_turn(alice, bob, charlie)


@pytest.mark.parametrize(("policy", "then"), [("bot", "bot"), ("substitute", "vacant"), ("end", "end")])
def test_every_leaving_is_noted_whatever_follows(clock, alice, bob, charlie, policy, then):
    match = seated(alice, bob, charlie, leave_policy=policy)
    slow = runs_out(clock, match)
    row = match.moves.get(kind=Move.Kind.TIMEOUT)
    assert (row.news[0]["then"], row.seat) == (then, seat_of(match, slow).number)
    departure = Departure.objects.get()
    assert (departure.user, departure.how, departure.at, departure.version) == (slow, "timeout", clock(), row.number)
    assert records.differences(fresh(match)) == []


def test_the_lobby_shows_only_what_everybody_may_see(alice, bob, dora, client):
    matches = {}
    for audience in ("public", "link"):
        match = seated(alice, bob, leave_policy=SUBSTITUTE, audience=audience)
        matches[audience] = gives_up(match, alice)
    shown = client.get("/lobby/").content.decode()
    assert matches["public"].get_absolute_url() in shown
    assert matches["link"].get_absolute_url() not in shown
    assert "Seats to take over" not in client.get("/lobby/?game=barvosauri").content.decode()
    assert "Seats to take over" in client.get("/lobby/?game=red").content.decode()
    assert "Seats to take over" not in client_of(bob).get("/lobby/").content.decode()
    # Who has the link sits down by it.
    match = matches["link"]
    assert client_of(dora).post(take_url(match, seat_of(match, alice).number)).status_code == 302


def test_the_policy_is_chosen_shown_and_kept_by_a_rematch(alice, bob):
    visitor = client_of(alice)
    fields = {"seats": "2", "bots": "0", "days": "2", "audience": "public", "option_game": "basic", "listed": "anybody"}
    wanted = {"": "end", "bot": "bot", "substitute": "substitute", "end": "end"}
    for chosen, policy in wanted.items():
        assert visitor.post("/new/red/", {**fields, "leave_policy": chosen}).status_code == 302
        match = Match.objects.latest("pk")
        assert match.leave_policy == policy
    assert visitor.post("/new/red/", {**fields, "seats": "3"}).status_code == 302
    assert Match.objects.latest("pk").leave_policy == "bot"
    match = Match.objects.get(leave_policy="substitute")
    told = "For 3 days somebody else may take the seat, then a bot does"
    link = f"join/{match.invitations.get().token}/"
    for page in (html(visitor, match), html(Client(), match, link), Client().get("/lobby/").content.decode()):
        assert told in page
    lobby.sit(match.pk, bob)
    assert told in html(visitor, match)
    match = gives_up(gives_up(match, alice), bob)
    assert rematch.again(match, alice).leave_policy == "substitute"


@pytest.mark.parametrize("fields", [{"leave_policy": "nobody"}, {"leave_policy": "substitute", "audience": "seated"}])
def test_nonsense_is_refused_with_a_sentence(alice, fields):
    body = {"seats": "3", "bots": "0", "days": "2", "audience": "public", "option_game": "basic", **fields}
    answer = client_of(alice).post("/new/red/", body)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Match.objects.exists()
    with pytest.raises((BadRequest, Refused)):
        lobby.create(alice, Proposal("red", 3, 0, **{name: fields[name] for name in fields}))
    assert not Match.objects.exists()


def test_a_rematch_is_for_who_sat_there_at_the_end(left, alice, bob, charlie, dora):
    substitutes.take_over(left.pk, left.active_seat, dora)
    for user in (bob, charlie, dora):
        match = gives_up(left, user)
    again = rematch.again(match, dora)
    assert set(again.invitations.exclude(to=None).values_list("to", flat=True)) == {bob.pk, charlie.pk}
    assert client_of(alice).post(f"{match.get_absolute_url()}again/").status_code == 404


def test_a_guest_who_left_comes_along_into_an_account(bob, dora, person):
    guest = User.objects.create_guest()
    match = gives_up(seated(guest, bob, leave_policy=SUBSTITUTE), guest)
    number = seat_of(match, guest).number
    substitutes.take_over(match.pk, number, dora)
    account = person("emil")
    people.merge(guest.pk, account.pk)
    assert not User.objects.filter(pk=guest.pk).exists()
    assert Departure.objects.get().user == account
    gives_up(match, dora)
    with pytest.raises(substitutes.OwnMatch):
        substitutes.take_over(match.pk, number, account)


def test_a_guest_who_left_a_match_to_others_is_not_forgotten(clock, bob, dora):
    guest, alone = User.objects.create_guest(), User.objects.create_guest()
    match = gives_up(seated(guest, bob, leave_policy=SUBSTITUTE), guest)
    substitutes.take_over(match.pk, seat_of(match, guest).number, dora)
    gives_up(seated(alone, bots=1), alone)
    User.objects.filter(kind="guest").update(seen_at=clock() - timedelta(days=90))
    assert people.forget_guests() == 1
    assert list(User.objects.filter(kind="guest")) == [guest]
    assert Departure.objects.filter(match=match).count() == 1
