"""Time in a browser: a holiday is taken and ended, and after a move the next match is one tap away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.playing import become, planned, turn_of
from tests.serving import Player, Server

pytestmark = pytest.mark.browser


def deadline(page: Page) -> str:
    """Until when the page says the turn may take."""
    return page.locator(".note.call time").get_attribute("datetime") or ""


@pytest.mark.statuses(422)
def test_a_holiday_moves_the_deadline_and_next_leads_on(site: Server, context: BrowserContext, page: Page):
    with Player(site) as alice, Player(site) as bob:
        first, second = alice.invite(bob), alice.invite(bob)
        for url in (first, second):
            turn_of(alice, bob, url)
        become(context, alice, site.url)
        page.goto(first)
        before = deadline(page)

        tomorrow = datetime.now(UTC).date() + timedelta(days=1)
        page.goto("/settings/")
        page.get_by_role("link", name="When my time stands still").click()
        page.get_by_label("First day").fill(str(tomorrow + timedelta(days=2)))
        page.get_by_label("Last day").fill(str(tomorrow))
        page.get_by_role("button", name="Take a holiday").click()
        expect(page.get_by_text("The last day lies before the first.")).to_be_visible()
        expect(page.get_by_text("You have 28 of 28 days left")).to_be_visible()
        page.get_by_label("First day").fill(str(tomorrow))
        page.get_by_role("button", name="Take a holiday").click()
        expect(page.get_by_role("button", name="Take it back")).to_be_visible()

        page.goto(first)
        expect(page.get_by_text("You are away: your turn has 1 d more.").first).to_be_visible()
        assert deadline(page) > before
        page.goto("/settings/rest/")
        page.get_by_role("button", name="Take it back").click()
        expect(page.get_by_text("You have 28 of 28 days left")).to_be_visible()
        page.goto(first)
        expect(page.get_by_text("You are back early: your turn has 1 d less.").first).to_be_visible()
        assert deadline(page) == before

        fields = turn_of(alice, bob, first)
        planned(page, first, fields)
        page.locator("#confirm").click()
        page.get_by_role("link", name="To the next match").click()
        page.wait_for_url(f"**{second}")
        expect(page.get_by_text("Your turn.")).to_be_visible()


@pytest.mark.statuses(422)
def test_windows_are_set_and_refused(page: Page):
    page.goto("/settings/rest/")
    page.get_by_label("The night begins").select_option("22:00")
    page.get_by_label("The night ends").select_option("09:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("A night is at most 10 hours long")).to_be_visible()
    page.get_by_label("The night ends").select_option("07:00")
    page.get_by_label("Sunday").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. It counts from your next turn on.")).to_be_visible()
    expect(page.get_by_label("Sunday")).to_be_checked()
