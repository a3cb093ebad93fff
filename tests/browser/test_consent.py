"""Two people and their browsers: a pause is proposed, agreed on and ended, and everything arrives by itself."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import become, this_match
from tests.browser.test_layout import fits
from tests.browser.test_together import ASKED, turn_by_links
from tests.serving import Player, Server
from tests.waiting import wait_for

pytestmark = pytest.mark.browser


@pytest.fixture
def two(site: Server, page: Page, browser, base_url):
    """The browsers of alice and bob on a match of theirs, and its address."""
    with Player(site) as alice, Player(site) as bob:
        url = alice.invite(bob)
        friend = browser.new_context(base_url=base_url).new_page()
        for player, seen in ((alice, page), (bob, friend)):
            become(seen.context, player, site.url)
            seen.goto(url)
        yield page, friend, url
        friend.context.close()


def test_a_pause_by_consent(two, site: Server):
    page, friend, url = two
    slug = url.split("/")[2]
    mover, other = (page, friend) if page.locator("#confirm").count() else (friend, page)
    this_match(page, "Propose a pause")
    expect(page.locator("main").get_by_text("You propose a pause.")).to_be_visible()
    asked = friend.locator(".note", has_text="proposes a pause.")
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="Decline").click()
    expect(asked).to_have_count(0)
    expect(page.locator("main").get_by_text("You propose a pause.")).to_have_count(0)

    this_match(page, "Propose a pause")
    expect(asked).to_be_visible()
    for seen in two[:2]:
        for width in (320, 1280):
            seen.set_viewport_size({"width": width, "height": 800})
            fits(seen)
    asked.get_by_role("button", name="Agree").click()
    for seen in (page, friend):
        expect(seen.locator("main").get_by_text("The match is paused.")).to_be_visible()
        expect(seen.locator("#confirm, #own a[data-plan]")).to_have_count(0)
        expect(seen.locator("#my-turns .badge")).to_have_count(0)
    # However long ago the turn began: no time runs, and nobody is late.
    assert site.ask("SELECT deadline FROM games_match WHERE slug = %s", slug) == [(None,)]
    site.ask("UPDATE games_match SET decision_at = '2026-01-01 00:00:00' WHERE slug = %s", slug)
    fits(page)

    other.get_by_role("button", name="End the pause").click()
    expect(mover.locator("#confirm")).to_be_attached()
    expect(mover.locator("#my-turns .badge")).to_have_text("1")
    expect(mover.locator(".note.call time").first).to_be_visible()
    for number in range(200):
        asked_now = wait_for(lambda: next((seen for seen in (page, friend) if seen.locator(ASKED).count()), None))
        if asked_now.locator("[data-status=finished]").count():
            break
        turn_by_links(asked_now, Random(number))
    for seen in (page, friend):
        expect(seen.locator("[data-status=finished]")).to_be_attached()
        expect(seen.locator("#this-match")).to_have_count(0)


def test_time_is_given_a_move_is_asked_for_and_the_match_called_off(two, site: Server):
    page, friend, url = two
    slug = url.split("/")[2]
    mover, other = (page, friend) if page.locator("#confirm").count() else (friend, page)
    site.ask("UPDATE games_match SET decision_at = datetime(decision_at, '-13 hours') WHERE slug = %s", slug)
    other.reload()
    mover.locator("#own li > a[data-plan]").first.click()
    expect(mover.locator("a.target").first).to_be_visible()
    this_match(other, re.compile("Ask .* to move"))
    # It arrives, and takes back nothing that was picked up.
    expect(mover.locator("main").get_by_text("asks you to move.")).to_be_visible()
    expect(mover.locator("a.target").first).to_be_visible()
    before = mover.locator(".note.call time").first.get_attribute("datetime")
    this_match(other, re.compile("Give .* more time"))
    expect(mover.locator(f".note.call time[datetime='{before}']")).to_have_count(0)
    expect(mover.locator("main").get_by_text("gives you").first).to_be_visible()
    for seen in (mover, other):
        seen.set_viewport_size({"width": 320, "height": 800})
        fits(seen)

    # Once everybody has moved it takes everybody to call the match off.
    for number in range(6):
        if page.locator("#this-match a", has_text="Propose calling off").count():
            break
        turn_by_links(
            wait_for(lambda: next((seen for seen in two[:2] if seen.locator("#confirm").count()), None)), Random(number)
        )
    this_match(page, "Propose calling off", "link")
    page.get_by_role("button", name="Propose it").click()
    friend.locator(".note", has_text="proposes calling the match off.").get_by_role("button", name="Agree").click()
    for seen in (page, friend):
        expect(seen.locator("main").get_by_text("All who played agreed to call this match off")).to_be_visible()
