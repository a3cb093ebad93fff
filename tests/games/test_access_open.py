"""Who may do what with a match that waits for players: every address, method and role, all cells."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.urls import get_resolver

from accounts.models import User
from games.models import Match
from games.services import invitations, lobby
from games.services.lobby import Proposal
from tests.client import Client
from tests.conftest import post_body

ROLES = ("anonymous", "guest", "maker", "seated", "left", "stranger", "invited", "uninvited")
"""The one uninvited was invited until it was withdrawn; the maker invited both."""

WATCH = "200 200 200 200 200 200 200 200"
HIDDEN = "404 404 200 200 404 404 404 404"
NOBODY = "404 404 404 404 404 404 404 404"
FORM = "405 405 405 405 405 405 405 405"
SEATED = "404 404 409 409 404 404 404 404"
MAKER = "404 404 302 404 404 404 404 404"
INVITED = "404 404 404 404 404 404 302 404"
STARTED = "409 409 409 409 409 409 409 409"
COME_IN = "200 200 302 302 200 200 200 200"
ANYBODY = "302 302 302 302 302 302 302 302"

ROUTES = {
    # name: (address, GET and HEAD, POST)
    "match": ("", WATCH, SEATED),
    "version": ("version.json", WATCH, FORM),
    "log": ("log/", WATCH, FORM),
    "replay": ("at/1/", NOBODY, FORM),
    "record": ("record.json", WATCH, FORM),
    "verify": ("verify/", NOBODY, FORM),
    "draws": ("verify/draws.json", NOBODY, FORM),
    "resign": ("resign/", SEATED, SEATED),
    "cancel": ("cancel/", "404 404 200 404 404 404 404 404", MAKER),
    "take_over": ("take/0/", STARTED, STARTED),
    "come_back": ("return/", FORM, SEATED),
    "wishes": ("wishes/", FORM, SEATED),
    "match_notices": ("notices/", FORM, "404 404 302 302 404 404 404 404"),
    "unlink": ("unlink/", FORM, ANYBODY),
    "leave": ("leave/", "404 404 302 200 404 404 404 404", "404 404 409 302 404 404 404 404"),
    "propose": ("propose/cancel/", SEATED, SEATED),
    "agree": ("agree/cancel/", FORM, SEATED),
    "decline_proposal": ("decline/pause/", FORM, SEATED),
    "withdraw_proposal": ("withdraw/pause/", FORM, SEATED),
    "resume": ("resume/", FORM, SEATED),
    "give": ("give/", FORM, SEATED),
    "nudge": ("nudge/", FORM, SEATED),
    "again": ("again/", FORM, SEATED),
    "star": ("star/", FORM, "404 409 409 409 409 409 409 409"),
    "unstar": ("unstar/", FORM, "404 302 302 302 302 302 302 302"),
    "sit": ("sit/", FORM, NOBODY),
    "join": ("join/{token}/", COME_IN, ANYBODY),
    "new_link": ("link/", FORM, MAKER),
    "withdraw_link": ("link/withdraw/", FORM, MAKER),
    "invite": ("invite/", FORM, "404 404 302 302 404 404 404 404"),
    "accept": ("/invitation/{pk}/accept/", FORM, INVITED),
    "decline": ("/invitation/{pk}/decline/", FORM, INVITED),
    "withdraw": ("/invitation/{pk}/withdraw/", FORM, MAKER),
}
"""For a match that is seen by who has the link, and is not in the lobby."""

DIFFERENCES = {
    "link": {},
    "public": {"sit": ("sit/", FORM, ANYBODY)},  # this one stands in the lobby
    "seated": {
        "match": ("", HIDDEN, SEATED),
        "version": ("version.json", HIDDEN, FORM),
        "log": ("log/", HIDDEN, FORM),
        "record": ("record.json", HIDDEN, FORM),
        "take_over": ("take/0/", SEATED, SEATED),
        "star": ("star/", FORM, SEATED),
        "unstar": ("unstar/", FORM, "404 404 302 302 404 404 404 404"),
    },
}
"""What is otherwise for each audience."""


@pytest.fixture
def people(alice, bob, charlie, person):
    """Who plays which role; nobody has no user."""
    names = {"maker": alice, "seated": bob, "stranger": charlie, "guest": User.objects.create_guest()}
    return names | {role: person(role) for role in ("left", "invited", "uninvited")}


def gathering(people, audience):
    """An open match for four with one free seat, in which each has their role."""
    match = lobby.create(people["maker"], Proposal("red", 4, 0, audience=audience, listed=audience == "public"))
    token = match.invitations.get().token
    for role in ("seated", "left"):
        lobby.join(match.pk, people[role], token)
    lobby.leave(match.pk, people["left"])
    invitations.invite(match.pk, people["maker"], [people["invited"], people["uninvited"]])
    invitations.withdraw(match.invitations.get(to=people["uninvited"]))
    return match, token


def test_every_address_with_a_match_in_it_stands_in_the_table():
    patterns = get_resolver().url_patterns[0].url_patterns
    names = {one.name for one in patterns if str(one.pattern).startswith(("match/", "invitation/"))}
    assert names == set(ROUTES)


def cells(people, audience, method):
    """What each route answered each role, as the table has it; each cell on its own."""
    match, token = gathering(people, audience)
    asked = match.invitations.get(to=people["invited"])
    clients = {role: Client() for role in ROLES}
    for role, user in people.items():
        clients[role].force_login(user)
    body = post_body(match, ["PASS"]) | {"names": "charlie", "proposal": "1"}
    found = {}
    for name, (address, *_expected) in ROUTES.items():
        address = address.format(token=token, pk=asked.pk)
        url = address if address.startswith("/") else match.get_absolute_url() + address
        statuses = []
        for client in clients.values():
            with transaction.atomic():
                cookies = client.cookies.copy()
                answer = getattr(client, method)(url, *([body] if method == "post" else []))
                statuses.append(str(answer.status_code))
                client.cookies = cookies
                transaction.set_rollback(True)
        found[name] = " ".join(statuses)
    return found


@pytest.mark.parametrize("method", ["get", "head", "post"])
@pytest.mark.parametrize("audience", Match.Audience.values)
def test_o20_every_route_and_role_is_as_the_table_says(people, audience, method):
    expected = {name: cell[2 if method == "post" else 1] for name, cell in {**ROUTES, **DIFFERENCES[audience]}.items()}
    assert cells(people, audience, method) == expected


@pytest.mark.any_database
@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_other_methods_are_for_nobody(people, method):
    found = cells(people, "public", method)
    assert {status for row in found.values() for status in row.split()} <= {"405", "415"}


def test_ids_of_one_match_are_worth_nothing_in_another(people, alice, bob):
    match, token = gathering(people, "link")
    other = lobby.create(bob, Proposal("red", 2, 0))
    client = Client()
    client.force_login(people["stranger"])
    assert client.post(f"/match/{other.slug}/join/{token}/").status_code == 404
    client.force_login(bob)
    asked = match.invitations.get(to=people["invited"])
    assert client.post(f"/invitation/{asked.pk}/withdraw/").status_code == 404
    assert asked.fate(asked.created_at) == "waiting"
    assert other.seats.count() == 1
