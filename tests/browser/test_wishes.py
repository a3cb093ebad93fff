"""Automatic moves in a browser: a player wishes for one, time goes by, it is made and told to that player only."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.playing import become
from tests.serving import Player, Server

pytestmark = pytest.mark.browser

TOLD = "It was played for you, as you wished."
PATIENCE = 60_000
"""Milliseconds for the next sweep and for the page to show what it did."""


def test_a_wish_is_granted_and_told_to_its_player_only(
    site: Server, browser: Browser, context: BrowserContext, page: Page
):
    with Player(site) as alice, Player(site) as bob:
        url = alice.invite(bob, "power_cards")
        player, other = (alice, bob) if alice.turn(url) else (bob, alice)
        become(context, player, site.url)
        rival = browser.new_context(base_url=site.url)
        become(rival, other, site.url)
        across = rival.new_page()
        across.goto(url)
        page.goto(url)
        page.locator("#wishes summary").click()
        page.get_by_label("Always name the property with my best share").check()
        page.locator("#wishes").get_by_role("button", name="Save").click()
        expect(page.locator("#wishes summary")).to_have_text("Automatic moves on")
        page.locator("#wishes summary").click()
        expect(page.get_by_label("Always name the property with my best share")).to_be_checked()
        expect(page.get_by_label("Make my move if I have only one")).not_to_be_checked()

        # Some minutes go by.
        site.ask("UPDATE games_match SET auto_at = decision_at WHERE slug = %s", url.split("/")[2])
        expect(page.get_by_text(TOLD).first).to_be_visible(timeout=PATIENCE)
        expect(page.locator("#since-title")).to_have_text(re.compile("Since you last moved yourself|So far"))
        expect(across.locator("#main:not([data-version='1'])")).to_be_attached(timeout=PATIENCE)
        expect(across.get_by_text(TOLD)).to_have_count(0)
        across.goto(url + "log/")
        expect(across.get_by_text(TOLD)).to_have_count(0)
        expect(across.locator(".log > li")).to_have_count(2)
        page.goto(url + "log/")
        expect(page.get_by_text(TOLD)).to_have_count(1)
        rival.close()
