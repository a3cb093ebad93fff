"""What the page of a match weighs, and that nothing on it jumps when a rival's move arrives."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.playing import become, turn_of
from tests.serving import Player

pytestmark = pytest.mark.browser

FIRST, UPDATE = 150_000, 15_000
"""Bytes, compressed: of a first visit with all its files, and of what a move brings."""

SHIFTS = """window.shifts = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts += one.value; })
    .observe({type: "layout-shift", buffered: true});"""
HEIGHT = "document.querySelector('.board').getBoundingClientRect().top"


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_the_page_is_light_and_stands_still_when_a_move_arrives(page: Page, site, game: str):
    with Player(site) as mine, Player(site) as other:
        mine.begin()
        url = mine.invite(other, game)
        assert mine.send(url, turn_of(mine, other, url)) == 302
        become(page.context, mine, site.url)
        files: list[Response] = []
        page.on("response", lambda answer: files.append(answer))
        page.goto(url, wait_until="networkidle")
        weights = {file.url: len(gzip.compress(file.body(), 6)) for file in files if file.status == 200}
        assert sum(weights.values()) < FIRST, weights
        while other.turn(url) is None and (fields := mine.turn(url)):
            assert mine.send(url, fields) == 302
        page.goto(url)
        page.evaluate(SHIFTS)
        before, head = page.evaluate(HEIGHT), page.locator("#main").get_attribute("data-version")
        theirs = other.turn(url)
        assert theirs is not None
        with page.expect_response(lambda response: response.url.endswith(url)) as told:
            assert other.send(url, theirs) == 302
        assert len(gzip.compress(told.value.body(), 6)) < UPDATE
        expect(page.locator(f"#main:not([data-version='{head}'])")).to_be_attached()
        page.evaluate("new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))")
        assert page.evaluate("window.shifts") < 0.02
        # Parts that were exchanged are not counted there: the table itself must stand where it stood.
        assert abs(page.evaluate(HEIGHT) - before) <= 24
