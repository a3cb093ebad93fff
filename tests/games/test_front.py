"""The front page: one click to a match of every game, and what it claims leads to where it is shown."""

from __future__ import annotations

import re

import pytest

from games import registry
from games.models import Match
from tests.client import Client, client_of
from tests.conftest import play_out, seated

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", registry.all_titles())
def test_one_click_begins_a_match_of_any_game(client, slug):
    button = re.search(f'<button[^>]*form="play"[^>]*value="{slug}"', client.get("/").content.decode())
    assert button is not None
    answer = client.post("/play-now/", {"game": slug})
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert (match.game, match.status) == (slug, Match.Status.PLAYING)


def test_a_game_there_is_not_is_not_begun(client):
    for game in ("", "nothing", "../red", "RED"):
        assert client.post("/play-now/", {"game": game}).status_code == 404
    assert not Match.objects.exists()


def test_every_claim_leads_to_what_shows_it(alice, bob):
    over = seated(alice, bob, audience=Match.Audience.PUBLIC)
    play_out(over)
    html = Client().get("/").content.decode()
    claims = html[html.index('id="different"') : html.index("</ul>", html.index('id="different"'))]
    links = re.findall(r'href="([^"]+)"', claims)
    assert f"/match/{over.slug}/verify/" in links
    assert len(links) == 5
    for link in links:
        assert Client().get(link).status_code == 200, link


def test_who_is_to_move_is_led_to_their_turns(alice, bob):
    match = seated(alice, bob)
    for seat in match.seats.all():
        html = client_of(seat.user).get("/").content.decode()
        assert ("1 match waits for you." in html) == (seat.number == match.active_seat)
