"""The plain table: whole matches of a game that has no other, by pointer, against bots."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import OVER, PATIENCE, choose, wait_for_turn

pytestmark = pytest.mark.browser

SHORT = {"power_cards": ("max_rounds", "40")}
"""For each game the option that makes a match short."""


@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_whole_match_on_the_plain_table(page: Page, game: str, seats: int):
    option, value = SHORT[game]
    page.goto(f"/new/{game}/")
    page.locator("select[name=seats]").select_option(str(seats))
    page.locator("select[name=bots]").select_option(str(seats - 1))
    field = page.locator(f"[name=option_{option}]")
    if field.first.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        page.locator(f"[name=option_{option}][value='{value}']").check()
    page.locator("main form button").last.click()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))
    turns = 0
    while wait_for_turn(page):
        head = page.locator("#main").get_attribute("data-version")
        chance = Random(turns)
        for _step in range(12):
            if page.locator("#confirm").is_enabled():
                break
            choose(page, "a.target.good", chance)
        page.locator("#confirm").click()
        expect(page.locator(f"#main:not([data-version='{head}'])")).to_be_attached(timeout=PATIENCE)
        turns += 1
        assert turns < 300
    assert turns
    expect(page.locator(OVER)).to_be_attached()
    expect(page.get_by_role("button", name="Again")).to_be_visible()
