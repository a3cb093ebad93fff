"""Two people in two browsers and a bot play each game to its end, while a third looks on."""

from __future__ import annotations

import re
from random import Random
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import OVER, confirm, wait_for_turn
from tests.reading import Page as Read, chosen_turn
from tests.waiting import wait_for

pytestmark = pytest.mark.browser

SHORT = {
    "red": {},
    "barvosauri": {"goal_colors": "4", "harvest": "both", "board": "tight", "stall_rounds": "15"},
    "power_cards": {"max_rounds": "40"},
}
"""For each game the options that make a match short."""

ASKED = f"#confirm, {OVER}"
"""What a page shows to who is to move, and to all at the end."""


def begin(page: Page, game: str) -> str:
    """Makes a match of three with one bot and a free seat; the link that leads to the seat."""
    page.goto(f"/new/{game}/")
    page.locator("[name=seats]").select_option("3")
    page.locator("[name=bots]").select_option("1")
    for name, value in SHORT[game].items():
        field = page.locator(f"[name=option_{name}]")
        if field.first.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            page.locator(f"[name=option_{name}][value='{value}']").check()
    page.locator("main form button.primary").last.click()
    return page.locator(".copy input").input_value()


def turn_by_links(page: Page, chance: Random) -> None:
    """Plays a turn that the page's own links lead to."""
    address = urlsplit(page.url).path
    # Like a browser, asks again when an idle connection was closed just now.
    form = chosen_turn(lambda url: Read(page.request.get(url, max_retries=2).text()), address, chance)
    assert form is not None
    version, steps = form.fields["version"], form.fields["steps"].replace("; ", ";")
    page.goto(f"{address}?v={version}&plan={steps}")
    expect(page.locator("#confirm")).to_be_enabled()
    confirm(page)


@pytest.mark.parametrize("game", SHORT)
def test_two_people_and_a_bot_play_to_the_end(page: Page, browser, base_url, game):
    link = begin(page, game)
    friend, stranger = (browser.new_context(base_url=base_url).new_page() for _each in range(2))
    friend.goto(link)
    friend.locator("main form button.primary").click()
    expect(friend).to_have_url(re.compile(r"/match/\w+/$"))
    expect(page.locator("#main[data-status=playing]")).to_be_attached()
    stranger.goto(friend.url)
    # Who looks on has no cards of their own, no plan, and none of the cards that the two hold in their hands.
    expect(stranger.locator("#main[data-status=playing]")).to_be_attached()
    assert stranger.locator("#own .hand, #confirm, a[data-plan]").count() == 0
    if game == "red":
        hands = [card.get_attribute("data-card") for seen in (page, friend) for card in seen.locator(".hand li").all()]
        assert len(hands) == 14
        shown = stranger.content()
        assert not any(f'data-card="{card}"' in shown for card in hands)
    for seen in (page, friend, stranger):
        seen.evaluate("window.untouched = true")
    for number in range(200):
        mover = wait_for(lambda: next((seen for seen in (page, friend) if seen.locator(ASKED).count()), None))
        if mover.locator(OVER).count():
            break
        other = friend if mover is page else page
        head = other.locator("#main").get_attribute("data-version")
        turn_by_links(mover, Random(number))
        # It arrives by itself: the page was never loaded anew.
        expect(other.locator(f"#main:not([data-version='{head}'])")).to_be_attached(timeout=10_000)
    for seen in (page, friend, stranger):
        assert not wait_for_turn(seen)
    assert stranger.evaluate("window.untouched")
    assert re.search(r"place|won|win", page.locator("main").inner_text(), re.I)
    for seen in (friend, stranger):
        seen.context.close()
