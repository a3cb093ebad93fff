"""Notices in a browser: the bell counts by itself, what is chosen holds, and it can be read what was sent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import become
from tests.browser.test_layout import fits
from tests.serving import Player, Server
from tests.waiting import SWEPT, wait_for

pytestmark = pytest.mark.browser

WITH_ACCOUNT = (
    "from accounts.models import User; user = User.objects.filter(kind='guest').latest('pk');"
    "user.kind = 'person'; user.username = user.email = '{name}@example.org'; user.username = '{name}'; user.save()"
)


def account(site: Server, player: Player, name: str) -> None:
    """Makes the player somebody with an address, as signing up does."""
    player.begin()
    site.manage("shell", "-v", "0", "-c", WITH_ACCOUNT.format(name=name))


def give_up(player: Player, url: str) -> None:
    """Gives the match up."""
    form = player.page(f"{url}resign/").form(field="version")
    assert player.client.post(f"{url}resign/", data=form.fields).status_code == 302


@pytest.mark.statuses(422)
def test_from_the_bell_to_what_was_sent(page: Page, site: Server):
    bell = page.locator("#my-notices")
    with Player(site) as alice, Player(site) as bob:
        account(site, alice, "alice_of_the_bell")
        url, other = alice.invite(bob), alice.invite(bob)
        become(page.context, alice, str(alice.client.base_url))

        page.goto("/settings/notices/")
        page.get_by_label("by mail").nth(5).select_option("instant")
        page.locator("select[name=turn_mail]").select_option("off")
        page.locator("select[name=quiet_from]").select_option(label="22:00")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Quiet hours need a beginning and an end; or neither.")).to_be_visible()
        page.locator("select[name=quiet_to]").select_option(label="07:00")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        expect(page.locator("select[name=ended_mail]")).to_have_value("instant")
        expect(page.locator("select[name=turn_mail]")).to_have_value("off")
        expect(page.locator("select[name=turn_push]")).to_have_count(0)  # the site has no key for pushes
        expect(page.locator("select[name=quiet_to]")).to_have_value("420")
        page.get_by_role("button", name="Make the addresses").click()
        calendar = re.compile(r"/feeds/[0-9a-f]{32}/deadlines\.ics$")
        expect(page.get_by_label("For a calendar")).to_have_value(calendar)

        page.goto(other)
        page.locator("#match-notices summary").click()
        page.locator("#notice-mode").select_option("mute")
        page.locator("#match-notices button").click()
        expect(page.locator("#match-notices summary")).to_have_text("Notices of this match: nothing of this match")

        page.goto("/lobby/")
        expect(bell).to_be_empty()
        give_up(bob, url)
        expect(bell).to_have_text("1")
        give_up(bob, other)
        expect(bell).to_have_text("2")

        page.locator("a.bell").click()
        expect(page.get_by_text("you have won").first).to_be_visible()
        expect(page.locator(".told-of .row", has_text="you have won").locator(".tag")).to_have_count(2)
        expect(bell).to_be_empty()

        page.get_by_role("link", name="What was sent to me").click()
        muted = page.get_by_text("not sent: you have muted the match")
        wait_for(lambda: page.reload() and muted.count(), SWEPT)
        for width in (320, 390, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            for path in ("/notices/", "/notices/deliveries/", "/settings/notices/"):
                page.goto(path)
                fits(page)
