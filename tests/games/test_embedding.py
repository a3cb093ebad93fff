"""Public matches on other sites: a frame without cookies, oEmbed that leads to it, and feeds of what has ended."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import quote
from xml.etree.ElementTree import fromstring

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Match
from games.services import leaving, lobby
from tests.client import Client, client_of
from tests.conftest import play_out, seated
from tests.games.ended import demo, ended, unfinished

pytestmark = pytest.mark.any_database

GAMES = ("red", "barvosauri", "power_cards")
SITE = "https://play.example.org"
ATOM = "{http://www.w3.org/2005/Atom}"
T = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _site(settings):
    settings.SITE_URL = SITE


def frame(match):
    """The address of the board for frames."""
    return f"/embed/match/{match.slug}/"


def asked(client, url, **more):
    """What oEmbed answers about an address."""
    query = "".join(f"&{name}={quote(str(value))}" for name, value in more.items())
    return client.get(f"/oembed?url={quote(url, safe='')}{query}")


@pytest.mark.parametrize("game", GAMES)
def test_a_public_match_may_stand_in_any_frame_and_nothing_else_may(alice, bob, game):
    for stage, match in (("running", unfinished(alice, bob, game=game, rows=5)), ("over", demo(game))):
        answer = Client().get(frame(match))
        assert answer.status_code == 200
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert not answer.has_header("X-Frame-Options")
        html = answer.content.decode()
        assert f'href="{SITE}{match.get_absolute_url()}" target="_blank"' in html
        assert "<script" not in html
        assert "<form" not in html
        assert ('http-equiv="refresh"' in html) == (stage == "running")
        page = client_of(alice).get(match.get_absolute_url())
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
        assert page["X-Frame-Options"] == "DENY"


def test_no_cookie_is_set_or_read_and_who_is_logged_in_sees_what_all_see(alice, bob):
    match = unfinished(alice, bob, options={"game": "advanced"}, rows=8)
    alice.refresh_from_db()
    before = alice.seen_at
    client = client_of(alice)
    client.cookies["csrftoken"] = "x" * 32
    seen = client.get(frame(match))
    nobody = Client().get(frame(match))
    assert seen.content == nobody.content
    for answer in (seen, nobody, asked(client, SITE + match.get_absolute_url())):
        assert not answer.cookies
    with CaptureQueriesContext(connection) as found:
        client.get(frame(match))
    assert not [one for one in found if "session" in one["sql"]]
    alice.refresh_from_db()
    assert alice.seen_at == before
    own = client.get(match.get_absolute_url()).content.decode()
    assert 'id="own"' in own
    assert 'id="own"' not in nobody.content.decode()


@pytest.mark.parametrize("audience", ["link", "seated"])
def test_what_not_everybody_may_watch_is_not_embedded_for_anybody(alice, bob, audience):
    for match in (seated(alice, bob, audience=audience), play_out(seated(alice, bob, audience=audience))):
        for client in (Client(), client_of(alice)):
            assert client.get(frame(match)).status_code == 404
            assert asked(client, SITE + match.get_absolute_url()).status_code == 404
        assert "oembed" not in client_of(alice).get(match.get_absolute_url()).content.decode()


def test_what_has_not_begun_or_was_called_off_is_not_embedded(alice, bob):
    waiting = lobby.create(alice, lobby.Proposal("red", 2, 0, listed=True))
    off = seated(alice, bob)
    leaving.call_off(off.pk, off.seats.get(user=alice).number, version=off.version)
    for match in (waiting, off):
        assert Client().get(frame(match)).status_code == 404
        assert asked(Client(), SITE + match.get_absolute_url()).status_code == 404
    missing = Client().get("/embed/match/aaaaaaaaaa/")
    hidden = Client().get(frame(seated(alice, bob, audience="seated")))
    assert missing.status_code == hidden.status_code == 404
    assert missing["X-Frame-Options"] == "DENY"


def test_a_page_leads_to_oembed_and_that_to_the_frame(alice, bob, client):
    match = seated(alice, bob)
    html = client.get(match.get_absolute_url()).content.decode()
    links = {
        kind: html.split(f'type="{kind}+oembed" href="')[1].split('"')[0] for kind in ("application/json", "text/xml")
    }
    found = client.get(unescape(links["application/json"]).removeprefix(SITE)).json()
    assert (found["type"], found["version"], found["provider_url"]) == ("rich", "1.0", SITE)
    assert f'src="{SITE}{frame(match)}"' in found["html"]
    xml = client.get(unescape(links["text/xml"]).removeprefix(SITE))
    assert xml["Content-Type"] == "text/xml; charset=utf-8"
    assert {one.tag: one.text for one in fromstring(xml.content)} == {k: str(v) for k, v in found.items()}
    for tail in ("at/1/", "log/", "?plan=x", "#own"):
        assert asked(client, SITE + match.get_absolute_url() + tail).json() == found


def test_frames_are_no_larger_than_there_is_room(alice, bob, client):
    url = SITE + seated(alice, bob).get_absolute_url()
    for asks, gets in ((300, 300), (10, 240), (5000, 640), ("x", 640), ("-1", 640), ("9" * 20, 640)):
        found = asked(client, url, maxwidth=asks).json()
        assert found["width"] == gets
        assert f'width="{gets}"' in found["html"]
    assert asked(client, url, maxheight=300).json()["height"] == 300


@pytest.mark.parametrize(
    "url", ["", "x", "https://evil.example/match/{slug}/", "javascript:alert(1)", "//[", SITE, SITE + "/turns/",
            SITE + "/match/{slug}/resign/", SITE + "/match/aaaaaaaaaa/", "ftp://play.example.org/match/{slug}/",
            "https://play.example.org@evil.example/match/{slug}/", "/match/{slug}/"],
)  # fmt: skip
def test_addresses_that_are_no_match_of_ours_are_not_found(alice, bob, client, url):
    match = seated(alice, bob)
    assert asked(client, url.format(slug=match.slug)).status_code == 404


def test_other_formats_are_not_implemented(alice, bob, client):
    url = SITE + seated(alice, bob).get_absolute_url()
    assert asked(client, url, format="yaml").status_code == 501
    assert client.get("/oembed").status_code == 404
    assert client.post("/oembed").status_code == 405
    assert client.post(frame(Match.objects.get())).status_code == 405


def test_names_cannot_break_out_of_the_frame(person, alice, client):
    match = seated(alice, person('"><script>alert(1)</script>'))
    found = asked(client, SITE + match.get_absolute_url())
    assert "<script" not in found.json()["html"]
    assert "<script>alert" not in client.get(frame(match)).content.decode()
    assert fromstring(asked(client, SITE + match.get_absolute_url(), format="xml").content) is not None


def entries(answer):
    """The entries of a feed: address, title and when each was changed."""
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = fromstring(answer.content)
    return [
        (one.find(f"{ATOM}link").get("href"), one.find(f"{ATOM}title").text, one.find(f"{ATOM}updated").text)
        for one in root.findall(f"{ATOM}entry")
    ]


def test_feeds_have_what_ended_in_public_and_nothing_else(alice, bob, charlie, client):
    first = ended([alice, bob], [1, 2], T)
    second = ended([bob, alice], [1, 2], T + timedelta(hours=1), game="barvosauri")
    others = ended([bob, charlie], [1, 2], T + timedelta(hours=2))
    for audience in ("link", "seated"):
        ended([alice, bob], [1, 2], T, audience=audience)
    seated(alice, bob)
    for visitor in (client, client_of(alice)):
        found = entries(visitor.get("/player/alice/matches.atom"))
        assert [url for url, _title, _at in found] == [SITE + one.get_absolute_url() for one in (second, first)]
        assert found[1][1:] == ("Red: alice, bob", "2026-11-20T12:00:00+00:00")
        found = entries(visitor.get("/statistics/red/matches.atom"))
        assert [url for url, _title, _at in found] == [SITE + one.get_absolute_url() for one in (others, first)]
    assert b"Won by alice." in client.get("/player/alice/matches.atom").content


@pytest.mark.parametrize("profile", ["players", "hidden"])
def test_a_profile_that_not_everybody_sees_has_no_feed(alice, bob, client, profile):
    ended([alice, bob], [1, 2], T)
    alice.profile = profile
    alice.save()
    missing = client.get("/player/nobody/matches.atom")
    for visitor in (client, client_of(bob), client_of(alice)):
        assert visitor.get("/player/alice/matches.atom").status_code == missing.status_code == 404
    own = client_of(alice).get("/player/alice/").content.decode()
    assert "matches.atom" not in own
    assert 'href="/player/bob/matches.atom"' in client.get("/player/bob/").content.decode()


def test_a_feed_is_asked_again_cheaply_and_by_any_case(alice, bob, client):
    answer = client.get("/player/alice/matches.atom")
    assert entries(answer) == []
    again = client.get("/player/alice/matches.atom", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    ended([alice, bob], [1, 2], T)
    assert client.get("/player/alice/matches.atom", headers={"If-None-Match": answer["ETag"]}).status_code == 200
    assert client.get("/player/ALICE/matches.atom")["Location"] == "/player/alice/matches.atom"
    assert client.get("/statistics/chess/matches.atom").status_code == 404


def test_fetching_a_feed_is_no_visit(alice, client):
    before = type(alice).objects.get(pk=alice.pk).seen_at
    type(alice).objects.update(seen_at=T)
    client_of(alice).get("/player/alice/matches.atom")
    assert type(alice).objects.get(pk=alice.pk).seen_at == T != before


def test_frames_and_oembed_cost_the_same_early_and_late(alice, bob, charlie, client):
    counts = []
    for users, rows in (((alice, bob), 3), ((alice, bob, charlie), 30)):
        match = unfinished(*users, options={"game": "advanced"}, rows=rows)
        client.get(frame(match))
        for url in (frame(match), f"/oembed?url={quote(SITE + match.get_absolute_url(), safe='')}"):
            with CaptureQueriesContext(connection) as found:
                assert client.get(url).status_code == 200
            counts.append(len(found))
    assert counts[:2] == counts[2:]
    assert counts[0] <= 8
    assert counts[1] <= 3


def test_oembed_is_json_that_any_page_may_fetch(alice, bob, client):
    answer = asked(client, SITE + seated(alice, bob).get_absolute_url())
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert json.loads(answer.content)["cache_age"] > 0
