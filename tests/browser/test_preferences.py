"""Preferences in a browser: colours, the zone that it tells once, and turns that are sent unasked."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playing import PATIENCE, pick_one, still, wait_for_turn
from tests.waiting import wait_for

pytestmark = pytest.mark.browser

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
SCHEME = "getComputedStyle(document.documentElement).colorScheme"


def save(page: Page, **choices: str | bool) -> None:
    """Changes these fields of the settings and saves."""
    page.goto("/settings/")
    for name, value in choices.items():
        if name == "theme":
            page.locator(f"[name=theme][value={value}]").check()
        elif name == "confirm":
            page.locator("[name=confirm]").set_checked(bool(value))
        else:
            page.locator(f"select[name={name}]").select_option(str(value))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    still(page)


def play_now(page: Page) -> str:
    """Begins a match against a bot and waits for the turn; its address."""
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator("#confirm")).to_be_attached(timeout=PATIENCE)
    return page.url


def test_the_colours_follow_the_choice(page: Page):
    page.emulate_media(color_scheme="light")
    page.goto("/")
    light = page.evaluate(BACKGROUND)
    save(page, theme="dark")
    dark = page.evaluate(BACKGROUND)
    assert dark != light
    assert page.evaluate(SCHEME) == "dark"
    page.emulate_media(color_scheme="dark")
    save(page, theme="light")
    assert page.evaluate(BACKGROUND) == light
    assert page.evaluate(SCHEME) == "light"
    save(page, theme="auto")
    assert page.evaluate(BACKGROUND) == dark


def test_the_zone_is_told_once_and_then_times_are_in_it(browser: Browser, base_url: str):
    context = browser.new_context(base_url=base_url, timezone_id="Asia/Kathmandu")
    page = context.new_page()
    told: list[str] = []
    page.on("request", lambda sent: told.append(sent.post_data or "") if sent.url.endswith("/zone/") else None)
    page.goto("/")
    assert told == []  # nobody yet
    address = play_now(page)
    wait_for(lambda: page.goto("/rules/") and page.locator("html").get_attribute("data-zone"))  # the next page knows it
    count = len(told)
    assert re.search("zone=Asia%2FKath?mandu", told[0])  # browsers keep some old names
    page.goto("/turns/")
    page.goto("/settings/")
    expect(page.locator("select[name=zone]")).to_have_value(re.compile("Asia/Kath?mandu"))
    assert len(told) == count
    save(page, zone="America/New_York")
    page.goto(address)
    when = page.locator("time.past").first
    shown = """time => new Intl.DateTimeFormat("en", {hour: "2-digit", minute: "2-digit", hourCycle: "h23",
        timeZone: "America/New_York"}).format(new Date(time.dateTime))"""
    expect(when).to_have_text(re.compile(rf"\b{when.evaluate(shown)}$"))
    expect(when).to_have_attribute("title", re.compile(r" E[SD]T$"))
    context.close()


def discard(page: Page) -> bool:
    """Puts a card that then leads on the canvas, by pointer; False if none does."""
    cards = page.locator("#own .cards li:not(.dim) > a[data-plan]")
    for name in cards.evaluate_all("links => links.map((link) => link.id)"):
        page.locator(f"[id='{name}']").click()
        expect(page.locator(f"#own .picked > [id='{name}']")).to_be_visible()
        if page.locator("a.target.good[href*='C:']").count():
            page.locator("a.target.good[href*='C:']").click()
            return True
    return False


@pytest.mark.parametrize("confirm", [True, False])
def test_a_complete_turn_is_sent_by_itself_for_who_wants_it(page: Page, confirm: bool):
    save(page, confirm=confirm)
    sent: list[str] = []
    page.on(
        "request", lambda request: sent.append(request.post_data) if "steps=" in (request.post_data or "") else None
    )
    for _match in range(20):
        play_now(page)
        head = f"[data-version='{page.locator('#main').get_attribute('data-version')}']"
        sent.clear()
        if discard(page):
            break
    if confirm:
        expect(page.locator("#confirm")).to_be_enabled()
        expect(page.locator(f"#main{head}")).to_be_attached()
        assert sent == []
        return
    expect(page.locator(f"#main:not({head})")).to_be_attached()
    assert len(sent) == 1
    assert "steps=C" in sent[0]
    # Going back to the plan sends nothing.
    page.go_back()
    expect(page.locator("#main:not([data-bot])")).to_be_attached(timeout=PATIENCE)
    assert len(sent) == 1


def test_what_is_opened_or_costs_the_round_is_asked_about(page: Page):
    save(page, confirm=False)
    sent: list[str] = []
    address = play_now(page)
    version = page.locator("#main").get_attribute("data-version")
    page.on("request", lambda request: sent.append(request.url) if "steps=" in (request.post_data or "") else None)
    page.locator("[id='step-PASS']").click()
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator(".consequence.warn")).to_be_visible()
    page.reload()
    expect(page.locator("#confirm")).to_be_enabled()
    page.go_back()
    expect(page.locator("#confirm")).to_be_disabled()
    pick_one(page, Random(1))
    for link in page.locator("a.target").evaluate_all("links => links.map((link) => link.href)"):
        page.goto(link)
        page.wait_for_load_state("networkidle")
    assert sent == []
    assert page.url.startswith(address)
    assert page.locator("#main").get_attribute("data-version") == version
    assert wait_for_turn(page)
