"""How a match comes to be."""

from __future__ import annotations

import pytest

from accounts.models import User
from games import tasks
from games.models import Match
from games.services import lobby
from games.services.errors import BadRequest, NotRunning, Refused
from games.services.invitations import UnknownInvitation
from games.services.lobby import NotListed, Proposal
from games.services.seating import SeatsTaken
from tests.client import Client
from tests.conftest import move, seated


def test_a_match_full_of_bots_starts_at_once(alice):
    match = Match.objects.get(pk=lobby.create(alice, Proposal("red", 4, 3)).pk)
    assert (match.status, match.version, match.seats.count()) == ("playing", 1, 4)
    assert match.seats.exclude(bot_level="").count() == 3
    assert not match.invitations.exists()


def test_a_match_with_friends_waits_for_them(alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 3, 0))
    token = match.invitations.get().token
    assert match.status == "open"
    assert lobby.join(match.pk, bob, token).status == "open"
    assert lobby.join(match.pk, bob, token).seats.count() == 2
    assert lobby.join(match.pk, charlie, token).status == "playing"


def test_a_friend_takes_the_seat_between_person_and_bot(alice, bob):
    match = lobby.create(alice, Proposal("red", 3, 1))
    match = lobby.join(match.pk, bob, match.invitations.get().token)
    assert match.status == "playing"
    assert {seat.user.kind for seat in match.seats.all()} == {"person", "bot"}


def test_the_last_seat_is_had_once(alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 2, 0))
    token = match.invitations.get().token
    lobby.join(match.pk, bob, token)
    with pytest.raises(SeatsTaken):
        lobby.join(match.pk, charlie, token)
    assert match.seats.count() == 2


def test_an_invitation_is_for_its_own_match(alice, bob):
    first, second = (lobby.create(alice, Proposal("red", 2, 0)) for _each in range(2))
    for token in (first.invitations.get().token, "", "x" * 32):
        with pytest.raises(UnknownInvitation):
            lobby.join(second.pk, bob, token)
    assert second.seats.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"seats": 1},
        {"seats": 5},
        {"bots": -1},
        {"bots": 2},
        {"days": 4},
        {"options": {"game": "expert"}},
        {"options": {"icons": "yes"}},
        {"options": {"icons": 1}},
        {"options": {"colour": "red"}},
    ],
)
def test_what_does_not_exist_is_refused(alice, wrong):
    with pytest.raises(BadRequest):
        lobby.create(alice, Proposal(**{"game": "red", "seats": 2, "bots": 0, **wrong}))
    assert not Match.objects.exists()


@pytest.mark.parametrize("proposal", [{"bots": 1, "days": 2}, {"bots": 0, "days": None}])
def test_a_rated_match_needs_people_and_a_clock(alice, proposal):
    with pytest.raises(Refused):
        lobby.create(alice, Proposal("red", 2, rated=True, **proposal))


def test_a_guest_plays_unrated(db, alice):
    guest = User.objects.create_guest()
    with pytest.raises(Refused):
        lobby.create(guest, Proposal("red", 2, 0, days=2, rated=True))
    match = lobby.create(alice, Proposal("red", 2, 0, days=2, rated=True))
    with pytest.raises(Refused):
        lobby.join(match.pk, guest, match.invitations.get().token)


def test_only_the_creator_calls_off_and_only_before_the_start(alice, bob):
    match = lobby.create(alice, Proposal("red", 2, 0))
    with pytest.raises(NotRunning):
        lobby.cancel(match.pk, bob)
    lobby.cancel(match.pk, alice)
    with pytest.raises(SeatsTaken):
        lobby.join(match.pk, bob, match.invitations.get().token)
    running = lobby.create(alice, Proposal("red", 2, 1))
    with pytest.raises(NotRunning):
        lobby.cancel(running.pk, alice)


def test_leaving_before_the_start_frees_the_seat_and_takes_the_bytes_along(alice, bob, charlie):
    match = lobby.create(alice, Proposal("red", 3, 0))
    token = match.invitations.get().token
    lobby.join(match.pk, bob, token)
    gathered = Match.objects.get(pk=match.pk).gathered
    client = Client()
    client.force_login(bob)
    assert b"Leave this match" in client.get(f"/match/{match.slug}/leave/").content
    assert client.post(f"/match/{match.slug}/leave/")["Location"] == "/turns/"
    assert b"You have left the match: your seat is free." in client.get("/turns/").content
    match.refresh_from_db()
    assert [seat.user for seat in match.seats.all()] == [alice]
    assert match.gathered > gathered
    lobby.leave(match.pk, bob)
    lobby.join(match.pk, charlie, token)
    assert lobby.join(match.pk, bob, token).status == "playing"
    assert client.post(f"/match/{match.slug}/leave/").status_code == 409
    assert match.seats.count() == 3


def test_who_made_a_match_calls_it_off_instead_of_leaving(alice):
    match = lobby.create(alice, Proposal("red", 3, 0))
    client = Client()
    client.force_login(alice)
    assert client.get(f"/match/{match.slug}/leave/")["Location"] == f"/match/{match.slug}/cancel/"
    assert client.post(f"/match/{match.slug}/leave/").status_code == 409
    assert match.seats.count() == 1
    assert client.post(f"/match/{match.slug}/cancel/").status_code == 302
    assert b"You called this match off before it began." in client.get(match.get_absolute_url()).content
    assert b"You called this match off" in client.get("/turns/").content
    assert b"alice called this match off before it began." in Client().get(match.get_absolute_url()).content


def test_what_found_no_players_is_taken_down_visibly(clock, alice, bob):
    match = lobby.create(alice, Proposal("red", 3, 0, listed=True, options={"game": "advanced"}))
    lobby.join(match.pk, bob, match.invitations.get().token)
    client = Client()
    client.force_login(bob)
    clock.forward(days=13, hours=23)
    assert tasks.open_tables() == 0
    assert f"{match.waits_until:%Y-%m-%dT%H:%M:%S}".encode() in client.get(match.get_absolute_url()).content
    clock.forward(hours=1)
    assert tasks.open_tables() == 1
    assert tasks.open_tables() == 0
    match.refresh_from_db()
    assert (match.status, match.end_reason) == ("cancelled", "unfilled")
    assert b"found no players in time" in client.get(match.get_absolute_url()).content
    assert b"found no players in time" in client.get("/turns/").content
    with pytest.raises(SeatsTaken):
        lobby.sit(match.pk, User.objects.create_guest())
    # Another try: like this one, and who sat there is asked again.
    answer = client.post(f"/match/{match.slug}/again/")
    second = Match.objects.get(rematch_of=match)
    assert answer["Location"] == second.get_absolute_url()
    assert (second.options, second.seat_count, second.listed, second.created_by) == (match.options, 3, True, bob)
    assert second.invitations.get(to=alice).fate(clock()) == "waiting"
    clock.forward(days=7, seconds=1)
    assert b"found no players in time" not in client.get("/turns/").content


def test_a_match_that_ran_is_not_taken_down(clock, alice, bob):
    match = lobby.create(alice, Proposal("red", 2, 0))
    lobby.join(match.pk, bob, match.invitations.get().token)
    clock.forward(days=30)
    assert tasks.open_tables() == 0
    assert not lobby.close_unfilled(match.pk)


def test_anybody_sits_down_at_a_match_of_the_lobby(alice, client):
    match = lobby.create(alice, Proposal("red", 2, 0, listed=True))
    hidden = lobby.create(alice, Proposal("red", 2, 0))
    page = client.get("/lobby/").content.decode()
    assert f"/match/{match.slug}/sit/" in page
    assert hidden.slug not in page
    assert client.post(f"/match/{hidden.slug}/sit/").status_code == 404
    with pytest.raises(NotListed):
        lobby.sit(hidden.pk, User.objects.create_guest())
    assert not hidden.seats.exclude(user=alice).exists()
    assert client.post(f"/match/{match.slug}/sit/")["Location"] == match.get_absolute_url()
    match.refresh_from_db()
    assert match.status == "playing"
    assert match.seats.exclude(user=alice).get().user.is_guest
    assert match.slug not in client.get("/lobby/").content.decode()
    assert client.post(f"/match/{match.slug}/sit/").status_code == 302
    assert Client().post(f"/match/{match.slug}/sit/").status_code == 409


def test_a_guest_cannot_sit_down_at_a_rated_match_and_none_is_made(alice, bob):
    match = lobby.create(alice, Proposal("red", 2, 0, days=2, rated=True, listed=True))
    client = Client()
    assert b"needs an account" in client.get("/lobby/").content
    assert client.post(f"/match/{match.slug}/sit/").status_code == 409
    assert not User.objects.filter(kind="guest").exists()
    client.force_login(bob)
    assert client.post(f"/match/{match.slug}/sit/").status_code == 302
    assert match.seats.count() == 2


def test_the_lobby_marks_my_own_match_and_does_not_offer_it(alice):
    match = lobby.create(alice, Proposal("red", 2, 0, listed=True))
    client = Client()
    client.force_login(alice)
    page = client.get("/lobby/").content.decode()
    assert "you sit there" in page
    assert f"/match/{match.slug}/sit/" not in page
    assert match.get_absolute_url() in page


def test_what_stands_in_the_lobby_cannot_be_hidden(alice):
    with pytest.raises(Refused):
        lobby.create(alice, Proposal("red", 2, 0, listed=True, audience="seated"))
    client = Client()
    client.force_login(alice)
    fields = {"seats": 2, "bots": 0, "days": 2, "audience": "seated", "listed": "anybody", "option_game": "basic"}
    answer = client.post("/new/red/", fields)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["listed"]
    # Where bots take every other seat there is nothing to list: it is said, for a bot would be there unasked.
    refused = client.post("/new/red/", {**fields, "audience": "public", "bots": 1})
    assert refused.status_code == 422
    assert b"No seat is free for anybody: choose more players or fewer bots." in refused.content
    assert not Match.objects.exists()


def offered(query: str) -> set[str]:
    """The matches that the lobby offers, by their slugs."""
    answer = Client().get(f"/lobby/?{query}")
    assert answer.status_code == 200
    return {table["match"].slug for table in answer.context["tables"]}


def test_the_lobby_shows_what_is_asked_for(alice):
    def listed(game, seats, **more):
        return lobby.create(alice, Proposal(game, seats, 0, listed=True, **more)).slug

    basic = listed("red", 2, days=2, rated=True)
    advanced = listed("red", 3, options={"game": "advanced", "icons": True})
    cards = listed("power_cards", 4, days=7)
    assert offered("") == {basic, advanced, cards}
    assert offered("game=red") == {basic, advanced}
    assert offered("game=red&option_game=advanced") == {advanced}
    assert offered("game=red&option_icons=no") == {basic}
    assert offered("game=red&option_icons=yes") == {advanced}
    assert offered("days=7") == {cards}
    assert offered("days=no") == {advanced}
    assert offered("seats=3") == {advanced}
    assert offered("rated=yes") == {basic}
    assert offered("rated=no&game=red") == {advanced}
    assert offered("seats=2&days=7") == set()
    # What no form of ours offers is no wish.
    every = {basic, advanced, cards}
    for query in ("game=chess", "days=x", "seats=99", "rated=maybe", "option_icons=yes", "status=finished"):
        assert offered(query) == every, query
    assert offered("game=red&option_game=expert&option_icons=1") == {basic, advanced}


@pytest.mark.parametrize(
    ("query", "status"), [("before=x", 400), ("before=-1", 400), ("before=9", 200), ("game=%00", 400)]
)
def test_a_page_of_the_lobby_that_no_link_leads_to(client, db, query, status):
    assert client.get(f"/lobby/?{query}").status_code == status


def test_the_lobby_has_pages_and_keeps_what_was_asked_for(alice):
    slugs = [lobby.create(alice, Proposal("red", 2, 0, listed=True)).slug for _each in range(23)]
    lobby.create(alice, Proposal("red", 3, 0, listed=True))
    first = Client().get("/lobby/?seats=2&game=red")
    assert [table["match"].slug for table in first.context["tables"]] == slugs[:2:-1]
    second = Client().get(first.context["next_url"])
    assert [table["match"].slug for table in second.context["tables"]] == slugs[2::-1]
    assert second.context["next_url"] == ""


def test_what_is_being_played_is_shown_by_game_and_in_pages(clock, alice, bob, client):
    slugs = []
    for _each in range(22):
        clock.forward(minutes=1)
        slugs.append(seated(alice, bob).slug)
    other = seated(alice, bob, game="power_cards")
    hidden = [seated(alice, bob, audience=audience).slug for audience in ("link", "seated")]
    first = client.get("/watch/?game=red")
    assert [card.match.slug for card in first.context["page"]] == slugs[:1:-1]
    second = client.get(first.context["next_url"])
    assert [card.match.slug for card in second.context["page"]] == slugs[1::-1]
    everything = client.get("/watch/").content.decode()
    assert other.slug in everything
    assert not any(slug in everything for slug in hidden)
    assert client.get("/watch/?game=chess").context["game"] == ""
    assert client.get("/watch/?before=x").status_code == 400
    # The one that moved last is on top.
    clock.forward(minutes=1)
    moved = Match.objects.get(slug=slugs[0])
    move(moved)
    assert client.get("/watch/").context["page"][0].match == moved
    page = client.get("/watch/")
    assert page.context["page"][0].moves == 1
    told = page.content.decode()
    assert "1 move<small>last:" in told
    assert "no move yet<small>begun:" in told
    assert "0 moves" not in told


def offer(client):
    """Fills in the form for a match that anybody may join; the status of the answer."""
    fields = {"seats": "2", "bots": "0", "days": "2", "listed": "anybody", "audience": "public", "option_game": "basic"}
    return client.post("/new/red/", fields).status_code


def test_nobody_fills_the_lobby_alone(alice, settings):
    settings.LIMITS = {**settings.LIMITS, "listed": (2, 86400)}
    client = Client()
    client.force_login(alice)
    assert [offer(client) for _each in range(3)] == [302, 302, 429]
    assert client.post("/play-now/").status_code == 302
    guests = [Client(REMOTE_ADDR="10.0.0.7") for _each in range(3)]
    assert [offer(guest) for guest in guests] == [302, 302, 429]
    assert Match.objects.filter(listed=True).count() == 4
    assert offer(Client(REMOTE_ADDR="10.0.0.8")) == 302
