"""Chance that can be checked: seats add bytes, the fingerprint is shown from the start, the draws afterwards."""

from __future__ import annotations

import json
import re

import pytest

from games.chance import Stream, commitment
from games.models import Invitation, Match, Seat
from games.services import lobby, seating
from games.services.errors import BadRequest
from games.services.lobby import Proposal
from tests.client import Client, client_of
from tests.conftest import seated
from tests.games.doors import FIELDS, Doors
from tests.games.ended import demo
from tests.games.leaving import gives_up

pytestmark = pytest.mark.any_database

OWN = "00112233445566778899aabbccddeeff"


def test_the_bytes_of_the_browser_become_those_of_the_seat_by_every_door(alice, bob, charlie):
    old = gives_up(seated(alice, bob), alice)
    doors = Doors(alice, charlie, bob, old)
    client = client_of(alice)
    found = {}
    for url, fields in doors.posts().items():
        if "/take/" in url:
            continue  # a seat that is taken over keeps the bytes it has
        known = set(Seat.objects.values_list("pk", flat=True))
        assert client.post(url, fields | {"entropy": OWN}).status_code == 302, url
        found[url] = [bytes(seat.entropy).hex() for seat in Seat.objects.exclude(pk__in=known).filter(user=alice)]
    assert list(found.values()) == [[OWN]] * 5, found
    assert client.post("/play-now/", {"entropy": OWN}).status_code == 302
    match = Match.objects.latest("pk")
    assert {bytes(seat.entropy).hex() == OWN for seat in match.seats.all()} == {True, False}
    answer = client.post("/find/", {"kind": "red:red", "days": "2", "entropy": OWN})
    assert bytes(Seat.objects.get(match__slug=answer["Location"].split("/")[2]).entropy).hex() == OWN


def test_without_script_the_server_draws_them(alice):
    client = client_of(alice)
    for entropy in ({}, {"entropy": ""}):
        client.post("/play-now/", entropy)
    drawn = [bytes(seat.entropy) for seat in Seat.objects.filter(user=alice)]
    assert len(set(drawn)) == 2
    assert {len(one) for one in drawn} == {16}


@pytest.mark.parametrize("entropy", ["x" * 32, OWN[:-1], OWN + "0", OWN.upper(), f" {OWN}", "0", "\u0660" * 32])
def test_other_bytes_are_refused_and_nothing_is_made(client, alice, bob, entropy):
    match = lobby.create(bob, Proposal("red", 2, 0, listed=True))
    lobby_url = f"{match.get_absolute_url()}sit/"
    join = f"{match.get_absolute_url()}join/{match.invitations.get(to=None).token}/"
    before = (Match.objects.count(), Seat.objects.count())
    for visitor in (client, client_of(alice)):
        for url, fields in (("/play-now/", {}), ("/new/red/", FIELDS), (lobby_url, {}), (join, {})):
            assert visitor.post(url, fields | {"entropy": entropy}).status_code == 400, url
    assert (Match.objects.count(), Seat.objects.count()) == before
    assert not Invitation.objects.filter(answer="accepted").exists()
    with pytest.raises(BadRequest):
        seating.sit(match, alice, 1, entropy=b"short")


def test_who_chooses_bytes_does_not_choose_the_draws(alice):
    """The seed of the server is in every draw: the same bytes give other draws each time."""
    dealt = set()
    for _time in range(5):
        match = lobby.create(alice, Proposal("red", 2, 1), entropy=bytes(16))
        dealt.add(json.dumps(match.moves.get(number=1).news, sort_keys=True))
    assert len(dealt) > 1


PAGES = {"the open match": "", "the invitation": "join", "the running match": "run"}


@pytest.mark.parametrize("page", PAGES)
def test_the_fingerprint_is_shown_before_anybody_adds_bytes(alice, bob, page):
    match = lobby.create(alice, Proposal("red", 2, 0))
    link = match.invitations.get(to=None)
    if page == "the running match":
        lobby.join(match.pk, bob, link.token)
    url = match.get_absolute_url() + (f"join/{link.token}/" if page == "the invitation" else "")
    html = Client().get(url).content.decode()
    assert commitment(match.slug, bytes(match.seed)) in html
    if page != "the running match":
        assert ('name="entropy"' in html) == (page == "the invitation")


def test_every_form_that_takes_a_seat_has_a_place_for_bytes(alice, bob, charlie):
    listed = lobby.create(bob, Proposal("red", 2, 0, listed=True))
    lobby.create(bob, Proposal("red", 2, 0), [alice])
    ended = gives_up(seated(alice, charlie), alice)
    client = client_of(alice)
    for url in ("/", "/new/red/", "/find/", "/lobby/", "/turns/", listed.get_absolute_url(), ended.get_absolute_url()):
        forms = re.findall(r"<form[^>]*>.*?</form>", client.get(url).content.decode(), re.DOTALL)
        seat = re.compile(r'action="[^"]*/(play-now|sit|accept|again|red)/"|class="form"')
        taking = [form for form in forms if 'method="post"' in form and seat.search(form.split(">")[0])]
        assert taking, url
        assert all('<input type="hidden" name="entropy"' in form for form in taking), url


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_what_a_match_drew_is_told_once_it_is_over(db, client, game):
    match = demo(game)
    page = client.get(match.get_absolute_url() + "verify/")
    assert page.status_code == 200
    html = page.content.decode()
    assert match.commitment in html
    assert "python3 -m games.verify" in html
    assert "Not proven" in html
    drawn = json.loads(client.get(match.get_absolute_url() + "verify/draws.json").content)
    assert drawn["id"] == match.slug
    seats = [bytes(seat.entropy) for seat in match.seats.all()]
    for row in drawn["rows"]:
        stream = Stream(bytes(match.seed), seats, row["row"])
        for draw in row["draws"]:
            gives = stream.roll(draw["roll"]) if "roll" in draw else list(stream.shuffle(range(draw["shuffle"])))
            assert gives == draw["gives"]
    assert drawn["rows"][0]["draws"] == [
        {"shuffle": match.seat_count, "gives": [seat.joined for seat in match.seats.all()]}
    ]
    assert f"{match.get_absolute_url()}verify/" in client.get(match.get_absolute_url()).content.decode()
