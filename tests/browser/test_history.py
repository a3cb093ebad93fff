"""Looking back in a browser: the history is narrowed down, kept and taken along; its people are met and followed."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from bench.gallery.visiting import WIDER
from tests.browser.playing import still
from tests.serving import Server

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


SCENE = """
from accounts.models import User
from bench.gallery.scenes import UNUSABLE, advance, match, session
from games.services import favourites, following

zuzana, marek, vit = (User.objects.create(username=name, password=UNUSABLE) for name in ("Zuzana", "Marek", "Vit"))
for game, other in (("barvosauri", marek), ("red", vit), ("barvosauri", marek), ("power_cards", vit)):
    advance(match(game, [zuzana, other]), 10_000)
    following.follow(zuzana, other)
favourites.star(zuzana.seats.filter(match__game="barvosauri").latest("match_id").match, zuzana)
print(session(zuzana))
"""
"""Zuzana has played four matches, two of them with Marek, of which one is a favourite, and follows the others."""


@pytest.fixture(scope="module")
def session(site: Server) -> str:
    """The key of a session of hers."""
    return site.manage("shell", "-v0", "-c", SCENE).strip()


@pytest.fixture
def zuzana(site: Server, session: str, context: BrowserContext, page: Page) -> Page:
    """Her phone."""
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page.set_viewport_size(PHONE)
    return page


def narrow(page: Page, **chosen: str) -> None:
    """Fills the filter in and shows what it finds."""
    if page.locator("details.filter[open] form").count() == 0:
        page.get_by_text("Filter", exact=True).click()
    for label, value in chosen.items():
        field = page.get_by_label(label.replace("_", " "), exact=True)
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Show", exact=True).click()


def test_a_history_is_narrowed_down_kept_and_taken_along(zuzana: Page, tmp_path: Path):
    page = zuzana
    page.goto("/history/")
    expect(page.locator(".row")).to_have_count(4)
    narrow(page, Played_with="marek")
    expect(page.locator(".row")).to_have_count(2)
    still(page)
    assert page.evaluate(WIDER) == 0

    page.locator(".row .star button[aria-pressed=false]").first.click()
    expect(page.locator(".row .star button[aria-pressed=true]")).to_have_count(2)
    expect(page.get_by_label("Played with")).to_have_value("marek")
    narrow(page, Played_with="", Favourites="only favourites", Which_game="Barvosauři")
    expect(page.locator(".row")).to_have_count(2)
    expect(page.get_by_label("Figures", exact=False).or_(page.get_by_label("Board", exact=False)).first).to_be_visible()

    with page.expect_download() as found:
        page.get_by_role("link", name="Table (CSV)").click()
    file = tmp_path / found.value.suggested_filename
    found.value.save_as(file)
    assert file.name == "na-tahu-Zuzana.csv"
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["opponents"] for row in rows] == ["Marek", "Marek"]
    assert {row["favourite"] for row in rows} == {"yes"}


@pytest.mark.statuses(400)
def test_what_there_is_not_is_said_at_its_field(zuzana: Page):
    page = zuzana
    page.goto("/history/")
    narrow(page, Played_with="nobody-here")
    expect(page.locator(".field", has=page.get_by_label("Played with"))).to_contain_text("No player of that name")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".row")).to_have_count(4)


def test_from_a_match_to_its_player_who_is_followed_and_invited(zuzana: Page):
    page = zuzana
    page.goto("/history/?opponent=Marek")
    page.locator(".row .main-link").first.click()
    page.locator("#main").get_by_role("link", name="Marek", exact=True).click()
    expect(page.get_by_role("heading", name="Marek", exact=True)).to_be_visible()
    expect(page.get_by_text("You have played 2 matches together.")).to_be_visible()
    page.get_by_role("button", name="Unfollow").click()
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    page.goto("/following/")
    expect(page.get_by_role("link", name="Vit", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Marek", exact=True)).to_have_count(0)
    page.goto("/player/marek/")
    page.get_by_role("button", name="Follow", exact=True).click()
    page.get_by_role("link", name="By game").click()
    expect(page.get_by_role("heading", name="Zuzana and Marek")).to_be_visible()
    page.goto("/player/Marek/")
    page.get_by_role("link", name="Invite to a match").click()
    expect(page.get_by_label("Invite by name")).to_have_value("Marek")
