"""Power Cards in a browser: whole matches on its table, by pointer, and the catapult's one motion."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import OVER, PATIENCE, choose, confirm, pick_one, still
from tests.browser.test_layout import fits

pytestmark = pytest.mark.browser

STEPS = "#own a.pc-row, #own a.pc-draw, #own a.pc-place, #own a.pc-button"
PICKS = "#own li:not(.picked) > a.pc-pick"
SMALL = """[...document.querySelectorAll("a.pc-row, a.pc-draw, a.pc-place, a.pc-pick, main summary")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.height < 43.5 || box.width < 43.5);
  }).map((one) => one.outerHTML.slice(0, 120))"""


CHOOSE = "(field, value) => { if (field.tagName === 'SELECT') field.value = value; else field.checked = true; }"


def begin(page: Page, seats: int, **options: str) -> None:
    """Begins a match against bots."""
    page.goto("/new/power_cards/")
    page.locator("select[name=seats]").select_option(str(seats))
    page.locator("select[name=bots]").select_option(str(seats - 1))
    for option, value in options.items():
        page.locator(f"select[name=option_{option}], [name=option_{option}][value='{value}']").evaluate(CHOOSE, value)
    page.locator("main form button.primary").last.click()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))


def wait_for_turn(page: Page) -> bool:
    """Waits until this player is asked, which may take long: bots that win go on by themselves. False at the end."""
    expect(page.locator(f"#confirm, {OVER}").first).to_be_attached(timeout=6 * PATIENCE)
    return page.locator(OVER).count() == 0


def plan(page: Page, chance: Random) -> None:
    """Plans a turn by the pointer alone until it may be confirmed."""
    for _step in range(12):
        if page.locator("#confirm").is_enabled():
            return
        if page.locator(STEPS).count() and (chance.random() < 0.6 or not page.locator(PICKS).count()):
            choose(page, STEPS, chance)
        else:
            pick_one(page, chance, PICKS)
    raise AssertionError("a turn has no end")


@pytest.mark.parametrize(("seats", "width"), [(2, 320), (4, 1280)])
def test_a_whole_match(page: Page, seats: int, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    begin(page, seats, max_rounds="40", build="may" if seats == 2 else "must")
    while not wait_for_turn(page):  # who wins goes on, so that bots may leave nothing to do for the fourth
        begin(page, seats, max_rounds="40", build="must")
    turns = 0
    while wait_for_turn(page):
        if turns % 4 == 0:
            fits(page)
            assert page.evaluate(SMALL) == []
        plan(page, Random(turns))
        confirm(page)
        turns += 1
        assert turns < 300
    expect(page.locator(OVER)).to_be_attached()
    expect(page.get_by_role("button", name="Again")).to_be_visible()
    fits(page)


def test_pictures_are_drawn(page: Page):
    begin(page, 2)
    expect(page.locator("#own .pc-art")).to_be_visible()
    still(page)
    drawn = page.locator("#own .pc-art use").evaluate("use => use.getBBox().width")
    assert drawn > 20


def test_a_plan_says_what_it_means_and_keeps_the_focus(page: Page):
    begin(page, 2)
    while not page.locator("#own a.pc-row").count():
        if wait_for_turn(page):
            plan(page, Random(1))
            confirm(page)
        else:  # the bot has won before it lost a round
            begin(page, 2)
        wait_for_turn(page)
    page.locator("#step-call-wits").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".consequence")).to_contain_text("of the highest wits of all cards, 20")
    expect(page.locator("#main[data-same]")).to_be_attached()
    page.locator("#undo").click()
    expect(page.locator("#step-call-wits")).to_be_visible()
