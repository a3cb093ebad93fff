"""The first match, in a browser: from the first click to the last card."""

from __future__ import annotations

import re
from time import monotonic

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import OVER, PATIENCE, take_turn, wait_for_turn

pytestmark = pytest.mark.browser


def test_a_newcomer_plays_a_whole_match(page: Page):
    """Advanced Red with icons against two bots, to the end; then it is in the history and can be replayed."""
    opened = monotonic()
    page.goto("/")
    page.get_by_role("button", name="Play Red against a bot now", exact=True).click()
    expect(page).to_have_url(re.compile(r"/match/\w+/"))
    wait_for_turn(page)
    assert monotonic() - opened < 20  # one click, and it is one's own move
    page.goto("/new/red/")
    page.get_by_label("Players", exact=True).select_option("3")
    page.get_by_label("How many of them are bots").select_option("2")
    page.get_by_label("Advanced").check()
    page.get_by_label(re.compile("icons", re.I)).check()
    page.locator("main form button").last.click()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))
    address = page.url
    turns = 0
    while wait_for_turn(page):
        head = page.locator("[data-version]").first.get_attribute("data-version")
        page.evaluate("scrollTo(0, 200)")
        take_turn(page, turns)
        expect(page.locator(f"[data-version]:not([data-version='{head}'])").first).to_be_attached(timeout=PATIENCE)
        turns += 1
        assert turns < 300
    assert turns  # a match has more than one round, and nobody is out before a turn of their own in all of them
    expect(page.locator(OVER)).to_be_attached()
    expect(page.locator(".note [data-announce]").first).to_be_in_viewport()  # who has scrolled is told how it ended
    expect(page.get_by_role("button", name="Again")).to_be_visible()
    page.goto("/history/")
    entry = page.locator(f"a[href='{address.removeprefix(page.url.split('/history')[0])}']").first
    expect(entry).to_be_visible()
    entry.click()
    expect(page).to_have_url(address)
    page.goto(f"{address}at/1/")
    for _step in range(5):
        shown = page.url
        page.get_by_role("link", name="Next").click()
        expect(page).not_to_have_url(shown)
    expect(page).to_have_url(re.compile(r"/at/6/$"))


def test_three_turns_without_javascript(browser, site):
    context = browser.new_context(java_script_enabled=False, base_url=site.url)
    page = context.new_page()
    turns = 0
    for _match in range(6):
        page.goto("/")
        page.locator("form[action='/play-now/'] button").first.click()
        while wait_for_turn(page) and turns < 3:
            take_turn(page, turns)
            turns += 1
        if turns >= 3:
            break
    assert turns == 3
    context.close()


def test_one_finds_the_matches_again_in_this_browser(page: Page):
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    address = page.url
    page.goto("/turns/")
    expect(page.locator(f"a[href='{address.removeprefix(address.split('/match')[0])}']").first).to_be_visible()
