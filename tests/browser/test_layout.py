"""What holds for every page: no scrolling sideways, no empty space below, targets that a thumb meets."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import still

pytestmark = pytest.mark.browser

SIZES = (320, 390, 768, 1280)

PAGES = (
    "/",
    "/turns/",
    "/history/",
    "/settings/",
    "/settings/rest/",
    "/lobby/",
    "/lobby/?game=power_cards",
    "/watch/",
    "/new/red/",
    "/new/power_cards/",
    "/rules/red/",
    "/rules/barvosauri/",
)

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LOWER = """document.documentElement.scrollHeight
  - Math.max(innerHeight, document.querySelector(".foot").getBoundingClientRect().bottom + scrollY)"""
SMALL = """[...document.querySelectorAll("main a.btn, main button, main select, main .cards a")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.height < 43.5 || box.width < 43.5);
  }).map((one) => one.outerHTML.slice(0, 120))"""


def fits(page: Page) -> None:
    """The page, once its pieces have arrived, has no scroll sideways, ends with its foot, and has no small target."""
    still(page)
    assert page.evaluate(WIDER) <= 0, page.url
    assert abs(page.evaluate(LOWER)) <= 2, page.url
    assert page.evaluate(SMALL) == [], page.url


@pytest.mark.parametrize("width", SIZES)
def test_every_page_fits(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        page.goto(path)
        fits(page)
    page.goto("/")
    for link in page.locator("a[href^='/match/']").evaluate_all("links => links.map((link) => link.href)"):
        page.goto(link)
        fits(page)
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator("#confirm")).to_be_attached()
    fits(page)
    page.locator("#own li > a[data-plan]").first.click()
    expect(page.locator("a.target").first).to_be_visible()
    fits(page)


APART = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return box("#my-turns .badge").right <= box(".top .bell svg").left;
  }"""
CUT = """[...document.querySelectorAll("aside details.panel, aside details.panel *")]
  .filter((one) => one.clientHeight && one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.outerHTML.slice(0, 80))"""
COVERED = """[...document.querySelectorAll("#own .asked li:not(.dim)")].filter((one) => {
    const box = one.getBoundingClientRect();
    const line = box.bottom - parseFloat(getComputedStyle(one.firstElementChild, "::after").bottom);
    return [...document.querySelectorAll("#own .asked li")].some((other) => {
      const top = other.getBoundingClientRect().top;
      return top > box.top + 1 && top < line;
    });
  }).length"""


def test_styles_of_one_game_leave_the_pictures_of_another_alone(page: Page):
    """The front page has the styles of all games."""
    page.goto("/")
    assert page.locator(".picture .bv-face").evaluate("face => face.getBBox().width") == 22


def test_what_stands_close_together_covers_nothing(page: Page):
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator("#confirm")).to_be_attached()
    # On a desk the rules of the game stand beside the table, all of them.
    page.set_viewport_size({"width": 1280, "height": 800})
    still(page)
    assert page.evaluate(CUT) == []
    # On a phone the hand has several rows; what is underlined in one is not covered by the next.
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        still(page)
        assert page.locator("#own .asked li:not(.dim)").count() > 0
        assert page.evaluate(COVERED) == 0
    # In the bar the number of turns stands beside the bell.
    assert page.evaluate(APART)


def test_a_missing_page_is_told_in_our_own_words(page: Page, site):
    answer = page.request.get("/match/aaaaaaaaaa/")
    assert answer.status == 404
    assert "Na tahu" in answer.text()
