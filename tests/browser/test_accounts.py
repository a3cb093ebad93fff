"""Accounts in a browser: a guest signs up by a code and keeps the match, logs in elsewhere, resets, comes along."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import take_turn, wait_for_turn
from tests.browser.test_layout import fits
from tests.journeys import PASSWORD

pytestmark = pytest.mark.browser

NEW_PASSWORD = "seven grey herons wait"
CODE = re.compile(r"[A-Z]{4}-[A-Z]{4}")


def begin(page: Page) -> str:
    """One click to a match; its address without the host."""
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page).to_have_url(re.compile(r"/match/\w+/"))
    return re.sub(r"^https?://[^/]+", "", page.url)


def enter_code(page: Page) -> None:
    """Reads the latest mail in another tab and enters its code here."""
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Read the mail here").click()
    tab = opened.value
    code = CODE.search(tab.locator("article").first.inner_text())
    tab.close()
    assert code
    page.get_by_label("Code").fill(code[0])
    page.get_by_role("button", name="Go on").click()


def has(page: Page, match: str) -> None:
    """The list of turns has the match."""
    page.goto("/turns/")
    expect(page.locator(f"a[href='{match}']").first).to_be_visible()


def log_in(page: Page, name: str, password: str) -> None:
    """Logs in by the form."""
    page.goto("/account/login/")
    page.get_by_label("User name or e-mail").fill(name)
    page.get_by_label("Password").fill(password)
    page.locator("main form button").first.click()
    expect(page).to_have_url(re.compile(r"/turns/$"))


def test_from_guest_to_account_and_back_in_from_elsewhere(page: Page, browser, site):
    name = f"Zdenka-{secrets.token_hex(3)}"
    first = begin(page)
    if wait_for_turn(page):
        take_turn(page, 1)
    page.locator(".top .me").click()
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("User name").fill(name)
    page.get_by_label("E-mail").fill(f"{name}@example.org")
    page.get_by_label("Password (optional)").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()
    page.goto(first)
    expect(page.locator(".top .me")).to_contain_text("Guest")
    page.goto("/account/")
    page.get_by_role("link", name="Enter the code").click()
    enter_code(page)
    expect(page).to_have_url(re.compile(r"/turns/$"))
    expect(page.locator(".top .me")).to_contain_text(name)
    page.goto(first)
    expect(page.locator(".top .me")).to_contain_text(name)

    with browser.new_context(base_url=site.url) as context:
        other = context.new_page()
        second = begin(other)
        log_in(other, name, PASSWORD)
        expect(other.get_by_text("that you began in this browser")).to_be_visible()
        for match in (first, second):
            other.goto(match)
            expect(other.locator(".top .me")).to_contain_text(name)
            assert other.locator("#own, [data-status=finished]").count() > 0
        other.goto("/account/sessions/")
        expect(other.locator("button[name=end]")).to_have_count(2)

    with browser.new_context(base_url=site.url, java_script_enabled=False) as context:
        third = context.new_page()
        third.goto("/account/login/")
        third.get_by_role("link", name="I have forgotten my password").click()
        third.get_by_label("E-mail").fill(f"{name}@example.org")
        third.get_by_role("button", name="Mail me a code").click()
        enter_code(third)
        third.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
        third.get_by_label("New password, again").fill(NEW_PASSWORD)
        third.get_by_role("button", name="Save and log in").click()
        expect(third.locator(".top .me")).to_contain_text(name)

    page.goto("/turns/")
    expect(page.locator(".top .me")).to_contain_text("Log in")
    log_in(page, name.lower(), NEW_PASSWORD)
    page.goto("/account/")
    page.get_by_role("button", name="Log out").click()
    expect(page.locator(".top .me")).to_contain_text("Log in")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_pages_of_accounts_fit(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("", "login/", "signup/", "login/code/", "reset/"):
        page.goto(f"/account/{path}")
        fits(page)
    page.goto("/account/reset/")
    page.get_by_label("E-mail").fill(f"{secrets.token_hex(20)}@a-very-long-name-of-a-host.example.org")
    page.get_by_role("button", name="Mail me a code").click()
    expect(page.get_by_label("Code")).to_be_visible()
    fits(page)
    page.goto("/dev/mail/")
    fits(page)
