"""Two people and their browsers: what one does appears at the other's by itself."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.playing import pick_one, take_turn, this_match, wait_for_turn
from tests.waiting import wait_for

pytestmark = pytest.mark.browser


def test_a_friend_sits_down_by_link_and_moves_arrive_by_themselves(page: Page, browser, base_url):
    page.goto("/new/red/")
    page.get_by_label("Players", exact=True).select_option("2")
    page.get_by_label("How many of them are bots").select_option("0")
    page.locator("main form button").last.click()
    expect(page.locator(".copy input")).to_be_visible()
    link = page.locator(".copy input").input_value()
    context = browser.new_context(base_url=base_url)
    friend = context.new_page()
    friend.goto(link)
    friend.get_by_role("button").last.click()
    expect(friend).to_have_url(re.compile(r"/match/\w+/$"))
    # The one who waited sees the table without doing anything, with all its style.
    expect(page.locator("#own")).to_be_visible()
    expect(page.locator("#main.wide")).to_be_visible()
    expect(page.locator("#main .pile .card.back")).to_be_visible()
    expect(page.locator("#main .area")).to_have_css("display", "grid")
    for turn in range(3):
        if page.locator("[data-status=finished]").count():
            break
        mover, other = (page, friend) if page.locator("#confirm").count() else (friend, page)
        head = other.locator("#main").get_attribute("data-version")
        take_turn(mover, turn)
        expect(other.locator(f"#main:not([data-version='{head}'])")).to_be_attached(timeout=10_000)
        expect(other.locator("#confirm, [data-status=finished]").first).to_be_attached()
    context.close()


def test_the_number_of_waiting_matches_is_kept_up_to_date_on_other_pages(page: Page):
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator("#confirm")).to_be_attached()
    rules = page.context.new_page()
    rules.goto("/rules/")
    expect(rules.locator("#my-turns .badge")).to_have_text("1")
    expect(rules).to_have_title(re.compile(r"^\(1\) "))
    this_match(page, "Give up the match", "link")
    page.locator("main form button").last.click()
    expect(page.locator("[data-status=finished]")).to_be_attached()
    expect(rules.locator("#my-turns .badge")).to_have_count(0)
    expect(rules).not_to_have_title(re.compile(r"^\("))


TELL = """later => document.dispatchEvent(new CustomEvent("match:version", {detail:
  {match: main.dataset.slug, version: Number(main.dataset.version) + later, status: "playing"}}))"""
"""What a socket tells, so many versions from the one shown."""


def picked_up(page: Page) -> None:
    """A match against a bot in which a card with a place to go is picked up."""
    for lot in range(20):
        page.goto("/")
        page.locator("form[action='/play-now/'] button").first.click()
        if wait_for_turn(page):
            pick_one(page, Random(lot))
            if page.locator("a.target").count():
                return
    raise AssertionError("no card had a place")


def test_what_is_told_late_takes_no_card_out_of_the_hand(page: Page):
    picked_up(page)
    held: list[Route] = []
    page.route(page.url.partition("?")[0], lambda route: held.append(route))
    page.evaluate(TELL, -1)
    assert asked(page, held) == 0
    expect(page.locator("#own .picked")).to_be_visible()


def test_what_is_told_while_a_step_is_on_its_way_does_not_call_it_off(page: Page):
    picked_up(page)
    held: list[Route] = []
    page.route(re.compile("plan="), lambda route: held.append(route))
    with page.expect_request(re.compile("plan=")):
        page.locator("a.target").first.click()
    page.evaluate(TELL, 1)
    page.evaluate("() => new Promise((end) => setTimeout(end))")
    held[0].continue_()
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#moved-on")).to_be_visible()


def test_many_moves_at_once_are_fetched_together(page: Page):
    """A page that asked anew at every move of quick bots would show none of them, and keep the site busy with it."""
    for _lot in range(20):
        page.goto("/")
        page.locator("form[action='/play-now/'] button").first.click()
        if wait_for_turn(page):
            break
    held: list[Route] = []
    page.route(page.url, lambda route: held.append(route))
    for later in range(1, 6):
        page.evaluate(TELL, later)
    wait_for(lambda: asked(page, held))
    assert asked(page, held) == 1
    held[0].continue_()
    wait_for(lambda: asked(page, held) == 2)  # for what was told meanwhile, once
    with page.expect_response(page.url):
        held[1].continue_()
    assert asked(page, held) == 2
    expect(page.locator("#confirm")).to_be_attached()


def asked(page: Page, held: list[Route]) -> int:
    """How many requests are held, once the page has had its turn."""
    page.evaluate("() => new Promise((end) => setTimeout(end))")
    return len(held)
