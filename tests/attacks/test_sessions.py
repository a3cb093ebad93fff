"""Taking over who somebody is: planted and copied cookies, what outlives a new password, two hands by one's own bot."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session

from accounts.models import User
from accounts.session_store import SessionStore
from games.models import Feed, Match, Move
from games.services import api_bots, feeds, invitations, lobby
from games.services.seating import TwoHands
from tests.accounts.people import PASSWORD, account, code, log_in, sign_up, verify, whose
from tests.client import Client, client_of
from tests.conftest import post_body, seated, steps_for

pytestmark = pytest.mark.django_db

KEY = "sessionid"


def planted(client: Client, key: str) -> Client:
    """A browser that has been given somebody's cookie."""
    client.cookies[KEY] = key
    return client


def key_of(client: Client) -> str:
    """The key of a browser's session."""
    return str(client.cookies[KEY].value)


def test_a_session_that_was_planted_before_is_worth_nothing_afterwards():
    """By each way to become somebody: as a guest, by password, by a code, by a new account."""
    account("ada")

    def by_code(client: Client) -> None:
        client.post("/account/login/code/", {"email": "ada@example.org"})
        client.post("/account/login/code/enter/", {"code": code()})

    def by_signing_up(client: Client) -> None:
        sign_up(client, "carol", password=PASSWORD)
        verify(client)

    ways = {
        "guest": lambda client: client.post("/play-now/"),
        "password": lambda client: log_in(client, "ada"),
        "code": by_code,
        "account": by_signing_up,
    }
    for way, become in ways.items():
        begun = SessionStore()
        begun["mine"] = "mallory"
        begun.create()
        key = begun.session_key
        victim = planted(Client(), key)
        become(victim)
        assert whose(victim) is not None, way
        assert key_of(victim) != key, way
        assert whose(planted(Client(), key)) is None, way


def test_the_copied_cookie_of_a_guest_opens_no_account():
    guest = Client()
    guest.post("/play-now/")
    match = Match.objects.get()
    copied = planted(Client(), key_of(guest))
    assert whose(copied) == whose(guest)
    sign_up(guest, "carol", password=PASSWORD)
    verify(guest)
    assert whose(guest).kind == User.Kind.PERSON
    assert whose(copied) is None
    seat = match.seats.get(user=whose(guest))
    answer = copied.post(match.get_absolute_url(), post_body(match, ["PASS"]))
    assert (answer.status_code, Move.objects.filter(match=match, seat=seat.number, by="user").count()) == (404, 0)


def test_a_guest_who_came_along_into_an_account_moves_no_more_by_a_copied_cookie():
    account("ada")
    guest = Client()
    guest.post("/play-now/")
    match, copied = Match.objects.get(), planted(Client(), key_of(guest))
    log_in(guest, "ada")
    assert match.seats.filter(user__username="ada").exists()
    assert copied.post(match.get_absolute_url(), post_body(match, ["PASS"])).status_code == 404
    assert copied.post(f"{match.get_absolute_url()}resign/", {"version": match.version}).status_code == 404
    match.refresh_from_db()
    assert match.status == "playing"


@pytest.mark.parametrize("change", ["password", "address"])
def test_the_address_of_a_feed_that_was_copied_ends_with_the_password(change):
    ada = account("ada")
    feed = f"/feeds/{feeds.make(ada).token}/turns.atom"
    assert Client().get(feed).status_code == 200
    client = Client()
    log_in(client, "ada")
    if change == "password":
        fields = {"oldpassword": PASSWORD, "password1": "seven grey herons", "password2": "seven grey herons"}
        assert client.post("/account/password/", fields).status_code == 302
    else:
        client.post("/account/again/?next=%2Faccount%2Femail%2F", {"password": PASSWORD})
        client.post("/account/email/", {"email": "other@example.org"})
        verify(client)
        assert EmailAddress.objects.get(user=ada).email == "other@example.org"
    assert Client().get(feed).status_code == 404
    assert not Feed.objects.exists()


def test_who_is_thrown_out_is_out_at_every_door(alice, bob):
    match = seated(alice, bob)
    client = client_of(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    body = post_body(match, steps_for(match))
    for answer in (
        client.post(match.get_absolute_url(), body),
        client.post(f"{match.get_absolute_url()}resign/", {"version": 1}),
        client.get("/history/records.zip"),
        client.get("/api/v1/me"),
    ):
        assert answer.status_code in (401, 403, 404), answer.request["PATH_INFO"]
    assert match.moves.count() == 1


def test_what_the_session_holds_is_no_secret_of_a_match(alice, bob):
    client = client_of(alice)
    match = seated(alice, bob)
    client.get(match.get_absolute_url())
    kept = str(Session.objects.get(session_key=key_of(client)).get_decoded())
    assert bytes(match.seed).hex() not in kept
    assert match.digest not in kept


FACTS = api_bots.Facts(about="", games=["red"], everybody=True)


def test_nobody_sees_two_hands_by_a_bot_of_their_own(alice, bob, charlie):
    bot, _token = api_bots.make(bob, "Roby", FACTS)
    other, _token = api_bots.make(bob, "Toby", FACTS)
    table = lobby.create(alice, lobby.Proposal("red", 3, 0, listed=True), [bot.user])
    invitations.accept(table.invitations.get(to=bot.user))
    token = table.invitations.get(to=None).token
    assert client_of(bob).post(f"{table.get_absolute_url()}sit/").status_code == 409
    assert client_of(bob).post(f"{table.get_absolute_url()}join/{token}/").status_code == 409
    invitations.invite(table.pk, alice, [other.user])
    with pytest.raises(TwoHands):
        invitations.accept(table.invitations.get(to=other.user))
    assert table.seats.count() == 2
    own = lobby.create(bob, lobby.Proposal("red", 3, 0), [bot.user])
    with pytest.raises(TwoHands):
        invitations.accept(own.invitations.get(to=bot.user))
    alone = lobby.create(bob, lobby.Proposal("red", 2, 0), [bot.user])  # who else would try it out?
    assert invitations.accept(alone.invitations.get(to=bot.user)).status == "playing"


def test_a_seat_that_was_left_is_not_for_whom_a_bot_at_the_table_belongs_to(alice, bob, charlie):
    bot, _token = api_bots.make(bob, "Roby", FACTS)
    proposal = lobby.Proposal("red", 3, 0, leave_policy="substitute")
    table = lobby.create(alice, proposal, [bot.user])
    invitations.accept(table.invitations.get(to=bot.user))
    match = lobby.join(table.pk, charlie, table.invitations.get(to=None).token)
    number = match.seats.get(user=charlie).number
    client_of(charlie).post(f"{match.get_absolute_url()}resign/", {"version": match.version})
    answer = client_of(bob).post(f"{match.get_absolute_url()}take/{number}/")
    assert (answer.status_code, match.seats.get(number=number).user) == (409, charlie)
