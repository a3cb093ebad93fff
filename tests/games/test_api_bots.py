"""Bots by API: who makes one, who plays with it, what it may and may not do, and how it ends."""

from __future__ import annotations

import re
from functools import partial

import pytest

from accounts import signup, tokens
from accounts.models import Bot, Token, User
from games import tasks
from games.models import Invitation, Match, Notice, Seat
from games.services import api_bots, invitations, leaving, lobby, substitutes
from games.services.errors import Refused
from tests.api.calling import Program, problem
from tests.client import Client, client_of
from tests.conftest import move, seated
from tests.racing import at_once, outcome

pytestmark = pytest.mark.django_db

PAGE = "/settings/bots/"
FACTS = api_bots.Facts(about="Plays at random.", games=["red"], everybody=True)


def form(name: str = "Roby", **change: str) -> dict[str, str]:
    """What the form of a new bot sends."""
    return {"name": name, "about": "Plays at random.", "games": "red", "everybody": "on", **change}


def bot_of(owner, name: str = "Roby", **change) -> tuple[Bot, Program]:
    """A bot, and the program that plays for it."""
    bot, text = api_bots.make(owner, name, FACTS | change)
    program = Program()
    program.token = text
    return bot, program


def challenged(person, bot, **proposal) -> Match:
    """A match that the person has made for the bot, by the page."""
    facts = {"seats": "2", "bots": "0", "days": "2", "audience": "public", "invite": bot.user.username}
    answer = client_of(person).post("/new/red/", facts | {"option_game": "basic", **proposal})
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.latest("pk")


def facts() -> list:
    """All rows of bots, whole."""
    who = ("pk", "username", "owner", "is_active", "kind")
    return [list(User.objects.order_by("pk").values(*who)), *map(list, (Bot.objects.values(), Token.objects.values()))]


def test_one_is_made_its_token_shown_once_and_plays_for_it_alone(alice):
    client = client_of(alice)
    answer = client.post(PAGE, form())
    html = answer.content.decode()
    bot = Bot.objects.get()
    assert "no-store" in answer["Cache-Control"]  # nor does the browser keep the token
    assert (bot.user.owner, bot.user.kind, bot.user.name) == (alice, "bot", "Bot Roby")
    assert (bot.about, bot.games, bot.everybody) == ("Plays at random.", ["red"], True)
    text = re.search(r"nt_[\w-]{43}", html)[0]
    assert tokens.find(text).user == bot.user
    assert text not in client.get(PAGE).content.decode()
    assert "Bot Roby" in client.get(PAGE).content.decode()
    assert Token.objects.filter(user=alice).count() == 0


def test_the_bot_is_challenged_on_the_page_accepts_by_api_and_moves(alice, bob):
    bot, program = bot_of(bob)
    assert f'href="/new/red/?invite={bot.user.username}"' in client_of(alice).get("/bots/").content.decode()
    match = challenged(alice, bot)
    (asked,) = program.get("/me/invitations").json()["items"]
    answer = program.post(f"/invitations/{asked['id']}/accept")
    assert (answer.status_code, answer.json()["status"]) == (200, "playing")
    match.refresh_from_db()
    seat = match.seats.get(user=bot.user)
    assert (seat.plays_itself, seat.has_player, match.active_bot) == (False, True, False)
    assert match.deadline is not None
    assert "Bot Roby" in client_of(alice).get(match.get_absolute_url()).content.decode()
    if match.active_seat != seat.number:
        match = move(match)
    if match.status == "playing" and match.active_seat == seat.number:
        legal = program.get(f"/matches/{match.slug}/observation").json()["legal"]
        assert legal
        assert [one["id"] for one in program.get("/me/matches").json()["my_turns"]] == [match.slug]
    assert not Notice.objects.filter(user=bot.user, kind="turn").exists()


def test_its_time_runs_out_as_everybodys(clock, alice, bob):
    bot, program = bot_of(bob)
    match = challenged(alice, bot)
    invitations.accept(match.invitations.get(to=bot.user))
    match.refresh_from_db()
    if match.active_seat != match.seats.get(user=bot.user).number:
        match = move(match)
    assert match.status == "playing"
    clock.moment = match.deadline
    clock.forward(minutes=1)
    tasks.deadlines()
    assert match.seats.get(user=bot.user).left_how == "timeout"
    assert program.get("/me/matches").json()["my_turns"] == []


def test_rules_for_whom_it_plays_with(alice, bob):
    bot, _program = bot_of(bob, everybody=False)
    facts = {"seats": "2", "bots": "0", "days": "2", "audience": "public", "invite": "roby"}
    page = "/new/red/"
    cases = [
        (alice, page, {}, "plays only with whom it belongs to"),
        (bob, page, {"rated": "on"}, "plays no rated matches"),
    ]
    for person, address, change, sentence in cases:
        answer = client_of(person).post(address, facts | {"option_game": "basic", **change})
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True), sentence
    with pytest.raises(invitations.CannotInvite, match="cannot_invite") as refused:
        lobby.create(bob, lobby.Proposal("barvosauri", 2, 0), [bot.user])
    assert "does not play this game" in str(refused.value.sentence)
    assert not Match.objects.exists()
    assert client_of(bob).post(page, facts | {"option_game": "basic"}).status_code == 302
    assert "Bot Roby" not in client_of(alice).get("/bots/").content.decode()
    assert "Bot Roby" in client_of(bob).get("/bots/").content.decode()
    assert "Bot Roby" not in Client().get("/bots/").content.decode()


def test_it_sits_down_nowhere_by_itself(alice, bob, charlie):
    bot, program = bot_of(bob)
    listed = lobby.create(alice, lobby.Proposal("red", 2, 0, listed=True))
    token = listed.invitations.get().token
    running = seated(alice, charlie, person_three(), leave_policy="substitute")
    leaving.resign(running.pk, running.seats.get(user=charlie).number, version=running.version)
    vacant = running.seats.get(user=charlie)
    before = list(Seat.objects.order_by("pk").values())
    body = {"game": "red", "seats": 2, "bots": 1}
    problem(program.post("/matches", body), 403, "only_invited")
    problem(program.post(f"/matches/{listed.slug}/join", {}), 403, "only_invited")
    problem(program.post(f"/matches/{listed.slug}/join", {"token": token}), 403, "only_invited")
    for way in (
        partial(lobby.sit, listed.pk, bot.user),
        partial(lobby.join, listed.pk, bot.user, token),
        partial(lobby.create, bot.user, lobby.Proposal("red", 2, 0)),
        partial(lobby.create, bot.user, lobby.Proposal("red", 2, 1)),
        partial(substitutes.take_over, running.pk, vacant.number, bot.user),
    ):
        with pytest.raises(Refused) as refused:
            way()
        assert refused.value.code == "only_invited"
    assert list(Seat.objects.order_by("pk").values()) == before


def person_three() -> User:
    """Somebody else."""
    return User.objects.create(username="dora", kind=User.Kind.PERSON)


def test_what_is_for_people_is_not_for_bots(alice, bob):
    bot, program = bot_of(bob)
    problem(program.post("/lobby/find", {"game": "red"}), 403, "only_invited")
    problem(program.call("PUT", "/players/alice/follow", {}), 403, "needs_scope")
    everything = Program()
    everything.token = tokens.make(bot.user, "all", Token.Scope.values, 30)[1]
    problem(everything.call("PUT", "/players/alice/follow", {}), 403, "needs_account")


def test_twenty_matches_at_once(settings, alice, bob):
    settings.MATCHES_AT_ONCE = settings.MATCHES_AT_ONCE | {"bot": 2}
    bot, program = bot_of(bob)
    asked = []
    for _each in range(3):
        match = challenged(alice, bot)
        asked.append(match.invitations.get(to=bot.user).pk)
    answers = [program.post(f"/invitations/{pk}/accept").status_code for pk in asked]
    assert answers == [200, 200, 409]
    assert Seat.objects.filter(user=bot.user).count() == 2


WRONG = [
    ({"name": ""}, "required"),
    ({"name": "a"}, "2 to 30 characters"),
    ({"name": "bot-ada"}, "taken"),
    ({"name": "Ada"}, "taken"),
    ({"name": "a-d-a"}, "taken"),
    ({"name": "BOB"}, "taken"),
    ({"name": "b0b"}, "taken"),
    ({"name": "admin"}, "taken"),
    ({"name": "Róby"}, "Only letters"),
    ({"name": "x" * 31}, "30"),
    ({"games": "chess"}, "not one of the available choices"),
    ({"games": ""}, "not one of the available choices"),
    ({"about": "x" * 201}, "at most 200"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_what_is_wrong_is_said_and_nothing_made(alice, bob, change, sentence):
    before = facts()
    answer = client_of(alice).post(PAGE, form() | change)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert facts() == before


def test_three_at_most_and_a_person_cannot_take_its_name(alice, bob):
    client = client_of(alice)
    assert [client.post(PAGE, form(f"Roby{number}")).status_code for number in range(4)] == [200, 200, 200, 409]
    assert "as many as one can have" in client.get(PAGE).content.decode()
    assert Bot.objects.count() == 3
    assert not signup.is_free("roby1", None)


def test_strangers_find_nothing_and_change_nothing(alice, charlie, client):
    bot, _program = bot_of(alice)
    guest = User.objects.create_guest()
    before = facts()
    for visitor in (client_of(charlie), client_of(guest), client):
        assert visitor.get(f"{PAGE}{bot.pk}/").status_code == 404
        for what in ("", "token/", "remove/"):
            assert visitor.post(f"{PAGE}{bot.pk}/{what}", form()).status_code == 404
        assert "Bot Roby" not in visitor.get(PAGE).content.decode()
    for visitor in (client_of(guest), client):
        assert visitor.post(PAGE, form("Other")).status_code == 404
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(alice)
    assert forged.post(PAGE, form("Other")).status_code == 403
    assert facts() == before


def test_it_is_changed(alice):
    bot, _program = bot_of(alice)
    client = client_of(alice)
    assert "Plays at random." in client.get(f"{PAGE}{bot.pk}/").content.decode()
    change = {"about": "Thinks.", "games": "power_cards"}
    assert client.post(f"{PAGE}{bot.pk}/", change).status_code == 302
    bot.refresh_from_db()
    assert (bot.about, bot.games, bot.everybody) == ("Thinks.", ["power_cards"], False)
    assert client.post(f"{PAGE}{bot.pk}/", {"games": "chess"}).status_code == 422


def test_a_new_token_ends_the_old_one(alice):
    bot, program = bot_of(alice)
    html = client_of(alice).post(f"{PAGE}{bot.pk}/token/").content.decode()
    problem(program.get("/me"), 401, "bad_token")
    program.token = re.search(r"nt_[\w-]{43}", html)[0]
    assert program.get("/me").status_code == 200


def test_one_that_is_removed_gives_up_its_matches_and_its_token(alice, bob):
    bot, program = bot_of(bob)
    running, waiting = challenged(alice, bot), challenged(alice, bot)
    invitations.accept(running.invitations.get(to=bot.user))
    owner = client_of(bob)
    assert owner.post(f"{PAGE}{bot.pk}/remove/").status_code == 302
    problem(program.get("/me"), 401, "bad_token")
    assert running.seats.get(user=bot.user).left_how == "resign"
    assert waiting.invitations.get(to=bot.user).answer == Invitation.Answer.DECLINED
    assert "Bot Roby plays no more." in owner.get(PAGE).content.decode()
    assert "Bot Roby" not in client_of(bob).get("/bots/").content.decode()
    with pytest.raises(invitations.CannotInvite):
        invitations.named("Roby")
    assert client_of(bob).post(f"{PAGE}{bot.pk}/remove/").status_code == 404
    assert client_of(bob).post(PAGE, form()).status_code == 422  # the name stays with what it has played


def test_it_plays_for_nobody_whose_owner_is_gone(alice):
    _bot, program = bot_of(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    problem(program.get("/me"), 401, "bad_token")
    with pytest.raises(invitations.CannotInvite):
        invitations.named("Roby")
    alice.delete()
    assert not Bot.objects.exists()
    assert not User.objects.exists()


def test_it_cannot_log_in(alice, client):
    bot, _program = bot_of(alice)
    for password in ("", "!", "nt_x"):
        client.post("/account/login/", {"login": "Roby", "password": password})
    assert "_auth_user_id" not in client.session
    assert not bot.user.has_usable_password()
    assert client.get("/player/Roby/").status_code == 404


def test_a_rematch_invites_the_bot_again(alice, bob):
    bot, _program = bot_of(bob)
    match = challenged(alice, bot)
    invitations.accept(match.invitations.get(to=bot.user))
    match.refresh_from_db()
    leaving.resign(match.pk, match.seats.get(user=alice).number, version=match.version)
    answer = client_of(alice).post(f"{match.get_absolute_url()}again/")
    assert answer.status_code == 302
    made = Match.objects.latest("pk")
    assert (made.status, made.seats.count()) == ("open", 1)
    assert made.invitations.filter(to=bot.user).exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_than_three_are_made_and_each_name_once(alice, bob):
    makes = [outcome(partial(api_bots.make, alice, f"Roby{number}", FACTS)) for number in range(5)]
    assert at_once(makes).count("too_many_bots") == 2
    Bot.objects.all().delete()
    same = at_once([outcome(partial(api_bots.make, bob, "Same", FACTS)) for _each in range(3)])
    assert same.count("name_taken") == 2
