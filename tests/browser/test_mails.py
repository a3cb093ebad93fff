"""Mails in a browser: read, followed to the board by who is logged out, moved from, and switched off."""

from __future__ import annotations

import re
import secrets

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import still, take_turn
from tests.browser.test_layout import fits
from tests.waiting import wait_for

pytestmark = pytest.mark.browser

ASK = """
from datetime import UTC, datetime
from accounts.models import User
from games.models import Choice, Match
from games.services import lobby, turns
user = User.objects.create(username="{name}", email="{name}@example.org", password="!")
User.objects.filter(pk=user.pk).update(seen_at=datetime(2026, 1, 1, tzinfo=UTC))
Choice.objects.create(user=user, kind="turn", channel="mail", mode="instant")
lobby.create(user, lobby.Proposal("red", 2, 1, days=7, audience="seated"))
"""


@pytest.mark.parametrize(("width", "theme"), [(320, "light"), (1280, "dark")])
def test_from_the_mail_to_the_move(page: Page, site, width, theme):
    name = f"Jana-{secrets.token_hex(3)}"
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=theme)
    site.manage("shell", "-c", ASK.format(name=name))

    def arrived() -> bool:
        page.goto("/dev/mail/")
        return page.locator("article", has_text=f"{name}@example.org").count() == 1

    wait_for(arrived, 60)
    mail = page.locator("article", has_text=f"{name}@example.org")
    expect(mail).to_contain_text("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    fits(page)
    mail.get_by_role("link", name="As HTML").click()
    letter = page.url
    expect(page.locator("h2")).to_contain_text("Your turn has begun")
    still(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Look and move").click()
    expect(page).to_have_url(re.compile(r"/match/\w+/$"))
    expect(page.locator("main")).to_contain_text(f"You are here as {name} by the link of a mail")
    fits(page)
    take_turn(page, 1)
    expect(page.locator("main")).to_contain_text("You are here as")
    page.goto("/turns/")
    expect(page.locator("header")).to_contain_text("Log in")
    page.goto(letter)
    page.get_by_role("link", name="Switch these mails off").click()
    expect(page.locator("main")).to_contain_text("your turn begins")
    fits(page)
    page.get_by_role("button", name="Switch them off").click()
    expect(page.locator("h1")).to_have_text("You get no such mails any more")
    [(mode,)] = site.ask(
        "SELECT mode FROM games_choice JOIN accounts_user ON accounts_user.id = user_id WHERE username = %s", name
    )
    assert mode == "off"
