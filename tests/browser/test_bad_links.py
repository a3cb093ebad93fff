"""Bad connections, made by a proxy between the page and the site: nothing is lost, and the page says how things are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playing import become, planned, turn_of
from tests.proxy import Proxy
from tests.serving import Player, Server

pytestmark = pytest.mark.browser

OFFLINE_WITHIN = 30_000
CURRENT_WITHIN = 10_000
RECOVERED_WITHIN = 70_000
"""Milliseconds after a dead link, after its return, and after losses that nobody notices at once."""


@contextmanager
def behind(browser: Browser, server: Server) -> Iterator[tuple[Proxy, Player, Player, str, Page]]:
    """A proxy before the server, two people with a match, its address, and the first one's page behind the proxy."""
    proxy = Proxy(server.port)
    context = browser.new_context(base_url=proxy.url)
    with Player(server) as alice, Player(server) as bob:
        url = alice.invite(bob, "power_cards")
        become(context, alice, proxy.url)
        page = context.new_page()
        page.goto(url)
        yield proxy, alice, bob, url, page
        context.close()
    proxy.stop()


def at(page: Page, version: int, timeout: int) -> None:
    """Waits until the page shows that version, without having been loaded anew."""
    expect(page.locator(f"#main[data-version='{version}']")).to_be_attached(timeout=timeout)
    assert page.evaluate("window.untouched")


def test_o30_a_turn_confirmed_without_a_connection_is_kept_and_counts_once(browser, site):
    with behind(browser, site) as (proxy, alice, bob, url, page):
        fields = turn_of(alice, bob, url)
        version = int(fields["version"])
        planned(page, url, fields)
        page.evaluate("window.untouched = true")
        plan = page.locator("#plan").inner_text()
        proxy.refuse()
        page.locator("#confirm").click()
        expect(page.locator("#unsent")).to_be_visible()
        expect(page.locator("#offline")).to_be_visible(timeout=OFFLINE_WITHIN)
        assert page.locator("#plan").inner_text() == plan
        assert bob.client.get(url + "version.json").json()["version"] == version
        proxy.restore()
        expect(page.locator("#offline")).to_be_hidden(timeout=CURRENT_WITHIN)
        page.locator("#confirm").click()
        at(page, version + 1, CURRENT_WITHIN)
        # Now the answer is what gets lost: the turn is made, the page cannot know, and sending it again is harmless.
        fields = turn_of(alice, bob, url)
        version = int(fields["version"])
        planned(page, url, fields)
        page.evaluate("window.untouched = true")
        proxy.stall()
        page.locator("#confirm").click()
        expect(page.locator("#unsent")).to_be_visible()
        assert bob.client.get(url + "version.json").json()["version"] == version + 1
        proxy.restore()
        page.locator("#confirm").click()
        at(page, version + 1, CURRENT_WITHIN)
        expect(page.locator("[role=alert]")).to_have_count(0)


def test_o30_a_page_behind_a_dead_link_says_so_and_is_current_soon_after(browser, site):
    with behind(browser, site) as (proxy, alice, bob, url, page):
        fields = turn_of(bob, alice, url)
        before = int(fields["version"])
        page.evaluate("window.untouched = true")
        at(page, before, CURRENT_WITHIN)
        proxy.stall()  # half-open: nobody is told that the connection is dead
        assert bob.send(url, fields) == 302
        expect(page.locator("#offline")).to_be_visible(timeout=OFFLINE_WITHIN)
        at(page, before, 0)
        proxy.restore()
        at(page, before + 1, CURRENT_WITHIN)
        expect(page.locator("#offline")).to_be_hidden(timeout=CURRENT_WITHIN)


@pytest.fixture
def server(tmp_path, redis):
    """The site with its channel layer on Redis."""
    server = Server(tmp_path / "var", REDIS_URL=redis.url)
    server.start()
    yield server
    server.stop()


BURST = """
from games import live
match = Match.objects.get(slug="{}").pk
for _each in range(300):
    live.announce(match)
"""


def test_o29_whatever_is_lost_on_the_way_the_page_shows_the_last_version(browser, server, redis):
    with behind(browser, server) as (proxy, alice, bob, url, page):
        page.evaluate("window.untouched = true")
        burst = BURST.format(url.split("/")[2])
        players, chance = [alice, bob], Random(1)

        def somebody_moves() -> int:
            chance.shuffle(players)
            fields = turn_of(players[0], players[1], url)
            assert players[0].send(url, fields) == 302
            return int(fields["version"]) + 1

        proxy.stall()
        server.manage("shell", "-v0", "-c", burst)
        version = somebody_moves()
        proxy.restore()
        at(page, version, RECOVERED_WITHIN)

        server.manage("shell", "-v0", "-c", burst)
        proxy.cut()
        at(page, somebody_moves(), RECOVERED_WITHIN)

        redis.kill()
        redis.start()
        # The first hint after Redis is back goes nowhere; in earnest the page finds out by asking.
        at(page, somebody_moves(), RECOVERED_WITHIN)
