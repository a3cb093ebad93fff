"""Reading what others hold: by every address there is, by plans, by what is kept of a page."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from games import states
from games.models import Match
from tests.accounts.people import PASSWORD, account, log_in
from tests.attacks.addresses import addresses
from tests.client import Client, client_of
from tests.conftest import play_out, seated
from tests.games.ended import unfinished
from tests.games.test_twin_pages import without_chance

pytestmark = pytest.mark.django_db

STREAM = "/api/v1/events"
"""Ends never; see ``tests/games/test_events.py``."""

FOR_ALL = ("/embed/", "/oembed", "/feeds/", "/sw.js", "/manifest.webmanifest")
"""What is the same for everybody, or says for whom it is in its address."""


def every_address(match: Match) -> list[str]:
    """What a visitor of a match may ask for."""
    return [path for path in addresses(slug=match.slug) if path != STREAM]


def body_of(answer: Any) -> bytes:
    """All of an answer."""
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def writings(secret: bytes) -> set[bytes]:
    """How a page could write some bytes."""
    return {secret, secret.hex().encode(), b64encode(secret).rstrip(b"="), str(int.from_bytes(secret, "big")).encode()}


def secrets_of(match: Match) -> set[bytes]:
    """What of a running match leaves the server by no way: the seed, the seats' bytes, the chain, keys of posts."""
    found = writings(bytes(match.seed))
    for seat in match.seats.all():
        found |= writings(bytes(seat.entropy))
    for move in match.moves.all():
        found |= {move.digest.encode(), *({str(move.key).encode(), move.key.hex.encode()} if move.key else ())}
    return found | {match.digest.encode()}


@pytest.mark.usefixtures("unlimited")
def test_what_is_hidden_is_in_no_answer_and_what_is_ones_own_is_kept_by_nobody_between(alice, bob, charlie):
    match = unfinished(alice, bob, rows=5)
    hidden, paths = secrets_of(match), every_address(match)
    of_the_match = [path for path in paths if match.slug in path or path.startswith(FOR_ALL)]
    looked = 0
    for client, asked in ((client_of(alice), paths), (client_of(charlie), of_the_match), (Client(), of_the_match)):
        for path in asked:
            answer = client.get(path)
            body, headers = body_of(answer), dict(answer.items())
            assert not [secret for secret in hidden if secret in body + str(headers).encode()], path
            assert b"<!--" not in body, path
            own = asked is paths and answer.status_code in (200, 302, 405) and not path.endswith(".atom")
            if own and not path.startswith(FOR_ALL):
                kept = headers.get("Cache-Control", "")
                assert "private" in kept or "no-store" in kept, path
            looked += answer.status_code == 200
    assert looked > 80
    over = play_out(match, 3)  # the same search finds them once they are told
    assert bytes(over.seed).hex().encode() in Client().get(f"/match/{over.slug}/record.json").content


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("path", ["/player/alice/matches.atom", "/statistics/red/matches.atom", "/oembed?url={}"])
def test_what_caches_may_keep_for_all_is_the_same_for_all(alice, bob, charlie, settings, path):
    open_to_all = play_out(seated(alice, bob))
    play_out(seated(alice, bob, audience="seated"))
    path = path.format(f"{settings.SITE_URL}{open_to_all.get_absolute_url()}")
    bodies = {body_of(client.get(path)) for client in (Client(), client_of(alice), client_of(bob), client_of(charlie))}
    assert len(bodies) == 1
    assert open_to_all.slug.encode() in bodies.pop()


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_a_plan_says_nothing_to_who_is_not_to_move(alice, bob, charlie, game):
    match = unfinished(alice, bob, rows=3, game=game)
    state = states.load(match, list(match.seats.all()))
    legal = [*match.rules.legal_moves(state)][:3]
    mover = match.seats.get(number=match.active_seat).user
    other = bob if mover == alice else alice
    for client in (client_of(other), client_of(charlie), Client()):
        pages = [
            without_chance(client.get(match.get_absolute_url(), {"v": match.version, "plan": step, "pick": step}))
            for step in (*legal, "P:R7", "take 0", "zz")
        ]
        assert all(page == pages[0] for page in pages)


def test_who_logs_out_leaves_no_page_to_turn_back_to():
    account("ada")
    client = Client()
    log_in(client, "ada", PASSWORD)
    assert "Clear-Site-Data" not in client.get("/account/sessions/")
    answer = client.post("/account/logout/")
    assert (answer.status_code, answer["Clear-Site-Data"]) == (302, '"cache"')
    assert "Clear-Site-Data" not in client.get("/account/login/")
    log_in(client, "ada", PASSWORD)
    assert client.post("/account/sessions/", {"everywhere": "1"})["Clear-Site-Data"] == '"cache"'
