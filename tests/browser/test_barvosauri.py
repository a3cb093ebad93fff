"""The table of Barvosauři: whole matches by pointer, at every width, and one turn by keyboard alone."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.playing import OVER, PATIENCE, confirm, still, wait_for_turn

pytestmark = pytest.mark.browser

WIDTHS = {2: 390, 3: 768, 4: 1280}
BOARD = ".bv-egg a, .bv-open a, .bv-choices a"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """[...document.querySelectorAll(".area a, .acts :is(a, button)")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.height < 43.5 || box.width < 43.5;
  }).map((one) => one.outerHTML.slice(0, 120))"""
COVERED = """[...document.querySelectorAll(".bv-egg a")].filter((link) => {
    const box = link.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return top && !link.contains(top) && !top.closest(".acts");
  }).map((one) => one.id)"""


def begin(page: Page, seats: int) -> None:
    """A quick match against bots, up to the first turn of this player."""
    page.goto("/new/barvosauri/")
    page.locator("select[name=seats]").select_option(str(seats))
    page.locator("select[name=bots]").select_option(str(seats - 1))
    page.locator("[name=option_goal_colors][value='4']").check()
    page.locator("main form button").last.click()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))


def fits(page: Page) -> None:
    """No scroll sideways, no target too small for a thumb, nothing that lies over a space."""
    still(page)
    assert page.evaluate(WIDER) <= 0
    assert page.evaluate(SMALL) == []
    assert page.evaluate(COVERED) == []


def offers(page: Page, best: bool) -> Locator:
    """What to click next: where the picked piece may go, what earns something (if ``best``), or anything."""
    for selector in (".area a[data-drop]", *([".bv-choices a.good"] if best else []), BOARD):
        links = page.locator(selector)
        if links.count():
            return links
    raise AssertionError("nothing to click")


@pytest.mark.parametrize(("seats", "most"), [(2, 300), (3, 5), (4, 5)])
def test_a_match_by_pointer(page: Page, seats: int, most: int):
    """At several widths; the match of two goes to its end."""
    page.set_viewport_size({"width": WIDTHS[seats], "height": 800})
    begin(page, seats)
    turns = 0
    while turns < most and wait_for_turn(page):
        chance = Random(turns)
        while not page.locator("#confirm").is_enabled():
            links = offers(page, best=turns > 3)
            before = page.url
            links.nth(chance.randrange(links.count())).click()
            expect(page).not_to_have_url(before)
            if turns < 4:
                fits(page)
        expect(page.locator("#confirm")).to_be_in_viewport()
        confirm(page)
        turns += 1
    assert turns
    if most > 5:
        expect(page.locator(OVER)).to_be_attached()
        expect(page.get_by_role("button", name="Again")).to_be_visible()
        fits(page)


def test_the_board_is_large_enough_on_the_smallest_phone(page: Page):
    page.set_viewport_size({"width": 320, "height": 640})
    begin(page, 4)
    assert wait_for_turn(page)
    fits(page)


def test_a_turn_by_keyboard_keeps_the_place(page: Page):
    begin(page, 2)
    for _turn in range(2):  # both figures are placed
        assert wait_for_turn(page)
        head = page.locator("#main").get_attribute("data-version")
        page.locator(".bv-egg .lit a").first.focus()
        page.keyboard.press("Enter")
        if page.locator("#confirm").is_disabled():
            expect(page.locator("#undo")).to_be_visible()
        for _step in range(6):
            if page.locator("#confirm").is_enabled():
                break
            before = page.url
            # A card that is picked is left alone: chosen again it would be put back, and so on for ever.
            page.locator(".bv-choices a, .bv-open li:not(.picked) a").first.focus()
            page.keyboard.press("Enter")
            expect(page).not_to_have_url(before)
        page.locator("#confirm").focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#main:not([data-version='{head}'])")).to_be_attached(timeout=PATIENCE)
    assert wait_for_turn(page)
    mine = page.locator(".bv-egg .mine a").first
    name = mine.get_attribute("id")
    mine.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{name}[aria-current]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{name}:not([aria-current])")).to_be_focused()
