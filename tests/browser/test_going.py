"""Going about a site with a pointer: forms are sent once, and Back goes back a step of the plan."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import this_match

pytestmark = pytest.mark.browser


def test_back_goes_through_the_states_of_a_plan(page: Page):
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator("#confirm")).to_be_attached()
    address = page.url
    page.locator("#own li > a[data-plan]").first.click()
    expect(page.locator("a.target").first).to_be_visible()
    picked = page.url
    page.locator("a.target").first.click()
    expect(page.locator("#undo")).to_be_visible()
    assert page.url not in (address, picked)
    page.go_back()
    expect(page).to_have_url(picked)
    expect(page.locator("a.target").first).to_be_visible()
    expect(page.locator("#undo")).to_have_count(0)
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.locator("a.target")).to_have_count(0)
    page.go_forward()
    expect(page.locator("a.target").first).to_be_visible()


def test_back_goes_through_a_replay(page: Page):
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator("#confirm")).to_be_attached()
    this_match(page, "Give up the match", "link")
    page.locator("main form button").last.click()
    expect(page.locator("[data-status=finished]")).to_be_attached()
    end = page.url
    page.locator("#replay-previous").click()
    expect(page.locator("#replay-next")).to_be_visible()
    assert page.url != end
    page.go_back()
    expect(page).to_have_url(end)
    expect(page.locator("#replay-next")).to_have_count(0)
    expect(page.get_by_role("button", name="Again")).to_be_visible()


def test_a_double_click_starts_one_match(page: Page):
    page.goto("/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/play-now/") else None)
    page.locator("form[action='/play-now/'] button").first.dblclick()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))
    assert len(sent) == 1
    page.goto("/turns/")
    expect(page.locator(".row")).to_have_count(1)
    # Who comes back to the form may send it again.
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))
    page.goto("/turns/")
    expect(page.locator(".row")).to_have_count(2)
