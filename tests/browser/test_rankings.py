"""Rankings in the browser: a real rated match, its arithmetic, the ranking, and how a rating went."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.playing import this_match
from tests.browser.test_finding import browsers as browsers

pytestmark = pytest.mark.browser

SURE = """
from games.models import Rating, RankingRun
from games.services import rankings
from games.now import now
from datetime import timedelta
Rating.objects.filter(user__username__in={names!r}).update(sigma=3, sure_until=now() + timedelta(days=90))
RankingRun.objects.update(newest=2**40)
rankings.refresh()
"""
"""Makes ratings sure, as many matches would."""


def rated_match(winner, loser, name: str) -> None:
    """A rated match, which the second gives up."""
    winner.goto("/new/red/")
    winner.get_by_label("Players", exact=True).select_option("2")
    winner.get_by_label("How many of them are bots").select_option("0")
    winner.get_by_label("Invite by name").fill(name)
    winner.get_by_label("Rated").check()
    winner.locator("main form button").last.click()
    expect(winner.locator("#seats")).to_be_visible()
    loser.goto("/turns/")
    loser.get_by_role("button", name="Accept").click()
    expect(loser.locator("#own")).to_be_visible()
    this_match(loser, "Give up the match", "link")
    loser.get_by_role("button", name="Give up the match").click()
    expect(loser.get_by_text("gave up the match")).to_be_visible()


def test_a_rated_match_shows_its_sums_and_the_rankings_show_who_won(browsers, site):
    wilma, linus = browsers("wilma-wins", "linus-loses")
    rated_match(wilma, linus, "linus-loses")
    expect(wilma.get_by_text("The ratings follow in a moment.")).to_be_visible()
    # Nobody touches the page: it is told when the result is rated.
    sums = wilma.locator(".sums").first
    expect(sums).to_contain_text("Expected place 1.5, reached place 1.", timeout=60_000)
    expect(sums.get_by_role("row", name=re.compile("wilma-wins.*1500.*1605"))).to_contain_text("+105")
    wilma.locator("summary", has_text="All games").click()
    expect(wilma.locator(".sums").nth(1)).to_contain_text("linus-loses")

    site.manage("shell", "-v0", "-c", SURE.format(names=("wilma-wins", "linus-loses")))
    wilma.get_by_role("link", name="Rankings").first.click()
    expect(wilma.get_by_text("Your rank is 1 of 2.")).to_be_visible()
    expect(wilma.locator(".ladder tbody tr.me")).to_contain_text("wilma-wins")
    wilma.get_by_role("link", name="Red, basic").click()
    wilma.locator("summary", has_text="All time · Ranked").click()
    wilma.get_by_role("link", name="This quarter").click()
    wilma.get_by_role("link", name="Around me").click()
    expect(wilma).to_have_url(re.compile(r"/rankings/red/\?period=quarter&around=me$"))
    expect(wilma.locator(".ladder tbody tr")).to_have_count(2)

    rated_match(linus, wilma, "wilma-wins")
    expect(linus.locator(".sums").first).to_be_visible(timeout=60_000)
    linus.goto("/rankings/")
    linus.locator(".ladder").get_by_role("link", name="linus-loses").click()
    charts = linus.get_by_role("img", name=re.compile("Rating in .*: from 1500 to 1[0-9]{3}, between 1395 and"))
    expect(charts).to_have_count(2)
    linus.get_by_role("link", name="Every change").last.click()
    rows = linus.locator(".ladder tbody tr")
    expect(rows).to_have_count(2)
    rows.last.get_by_role("link").click()
    expect(linus.get_by_role("heading", name="Ratings")).to_be_visible()
