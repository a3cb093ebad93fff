"""Faults reported on comparable sites, in a browser, each by its number in our collection."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.playing import become, planned, turn_of
from tests.serving import Player

pytestmark = pytest.mark.browser


def begun(page: Page, alice: Player, bob: Player) -> str:
    """A match of two in which the page's browser is alice's; its address."""
    url = alice.invite(bob, "power_cards")
    become(page.context, alice, str(alice.client.base_url))
    return url


def version(player: Player, url: str) -> int:
    """At which version the match is."""
    return int(player.client.get(url + "version.json").json()["version"])


def test_o01_enter_and_clicks_send_a_turn_once(page: Page, site):
    posts: list[str] = []
    page.on("request", lambda sent: posts.append(sent.url) if sent.method == "POST" and "/match/" in sent.url else None)
    with Player(site) as alice, Player(site) as bob:
        url = begun(page, alice, bob)
        fields = turn_of(alice, bob, url)
        planned(page, url, fields)
        # All within one task of the page, faster than any hand: Enter on the button, and a double click.
        page.evaluate(
            "() => { const button = document.getElementById('confirm');"
            " for (let i = 0; i < 4; i += 1) button.click(); button.form.requestSubmit(); }"
        )
        expect(page.locator(f"#main[data-version='{int(fields['version']) + 1}']")).to_be_attached()
        assert len(posts) == 1
        fields = turn_of(alice, bob, url)
        planned(page, url, fields)
        page.locator("#confirm").focus()
        page.keyboard.press("Enter")
        page.locator("body").press("Enter")
        expect(page.locator(f"#main[data-version='{int(fields['version']) + 1}']")).to_be_attached()
        assert version(alice, url) == int(fields["version"]) + 1
        assert len(posts) == 2


@pytest.mark.statuses(409)
def test_o03_an_old_tab_is_told_that_the_match_has_moved_on(page: Page, site):
    with Player(site) as alice, Player(site) as bob:
        url = begun(page, alice, bob)
        old = turn_of(alice, bob, url)
        planned(page, url, old)
        assert alice.send(url, old) == 302  # the other tab
        now = turn_of(alice, bob, url)
        expect(page.locator("#moved-on")).to_be_visible()
        page.locator("#confirm").click()
        expect(page.locator("[role=alert]")).to_contain_text("The match has moved on.")
        expect(page.locator(f"#main[data-version='{now['version']}']")).to_be_attached()
        assert version(alice, url) == int(now["version"])


def test_o18_a_restored_tab_shows_what_was_drawn_and_no_second_chance(page: Page, site, context: BrowserContext):
    with Player(site) as alice, Player(site) as bob:
        url = begun(page, alice, bob)
        fields = turn_of(alice, bob, url)
        planned(page, url, fields)
        tab = page.url
        page.locator("#confirm").click()
        after = int(fields["version"]) + 1
        expect(page.locator(f"#main[data-version='{after}']")).to_be_attached()
        page.reload()
        restored = context.new_page()
        restored.goto(tab)
        for shown in (page, restored):
            expect(shown.locator(f"#main[data-version='{after}']")).to_be_attached()
        assert version(alice, url) == after
