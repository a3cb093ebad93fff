"""Two people and their browsers: what one does appears at the other's by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import take_turn

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
        expect(other.locator(f"#main:not([data-version='{head}'])")).to_be_attached(timeout=5_000)
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
    page.get_by_role("link", name="Give up the match").click()
    page.locator("main form button").last.click()
    expect(page.locator("[data-status=finished]")).to_be_attached()
    expect(rules.locator("#my-turns .badge")).to_have_count(0)
    expect(rules).not_to_have_title(re.compile(r"^\("))
