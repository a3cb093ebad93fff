"""A match that somebody leaves, in browsers: the time runs out, the seat is free, and who sits there then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playing import OVER, take_turn, wait_for_turn
from tests.serving import Server
from tests.waiting import SWEPT, wait_for

pytestmark = pytest.mark.browser


def begin(page: Page, policy: str) -> str:
    """Makes a match of Red in which this happens if somebody leaves; the link that leads to its other seat."""
    page.goto("/new/red/")
    page.get_by_label("Players", exact=True).select_option("2")
    page.get_by_label("How many of them are bots").select_option("0")
    page.get_by_label("Who may watch").select_option("public")
    page.get_by_label("If somebody leaves").select_option(label=policy)
    page.locator("main form button.primary").last.click()
    return page.locator(".copy input").input_value()


def slug(page: Page) -> str:
    """The name of the match on the page."""
    return page.locator("#main").get_attribute("data-slug") or ""


def rows(site: Server, match: str) -> int:
    """How many rows the log of a match has."""
    return int(site.ask("SELECT version FROM games_match WHERE slug = %s", match)[0][0])


def runs_out(site: Server, match: str) -> None:
    """Moves the decision that a match waits for back in time, until it is overdue, and waits for the time-out."""
    moment = datetime.now(UTC)
    begun, due = ((moment - span).strftime("%F %T.%f") for span in (timedelta(days=2, minutes=1), timedelta(minutes=1)))
    before = rows(site, match)
    site.ask("UPDATE games_match SET decision_at = %s, deadline = %s WHERE slug = %s", begun, due, match)
    wait_for(lambda: rows(site, match) > before, SWEPT, "the time-out")


def is_past(site: Server, column: str, match: str) -> None:
    """Moves a moment of a match, or of a seat of it, into the past, and waits for what happens then."""
    before = rows(site, match)
    moment = (datetime.now(UTC) - timedelta(minutes=1)).strftime("%F %T.%f")
    if column == "held_until":
        site.ask("UPDATE games_match SET held_until = %s WHERE slug = %s", moment, match)
    else:
        seats = "vacant_until IS NOT NULL AND match_id = (SELECT id FROM games_match WHERE slug = %s)"
        site.ask(f"UPDATE games_seat SET vacant_until = %s WHERE {seats}", moment, match)
    wait_for(lambda: rows(site, match) > before, SWEPT, "the bot")


def mover_first(one: Page, other: Page) -> tuple[Page, Page]:
    """The pages of two players, that of who is to move first."""
    expect(one.get_by_text("Your turn.").or_(one.get_by_text("Waiting for")).first).to_be_visible()
    return (one, other) if one.get_by_text("Your turn.").count() else (other, one)


def give_up(page: Page) -> None:
    """Gives up the match on the page, as it asks for it."""
    page.goto(page.url.split("?")[0] + "resign/")
    page.get_by_role("button", name="Give up the match").click()
    expect(page.locator("#main[data-match]")).to_be_attached()


@pytest.fixture
def friend(browser: Browser, base_url: str):
    """Another browser."""
    context = browser.new_context(base_url=base_url)
    yield context.new_page()
    context.close()


@pytest.fixture
def stranger(browser: Browser, base_url: str):
    """A third browser, in which nobody has been here yet."""
    context = browser.new_context(base_url=base_url)
    yield context.new_page()
    context.close()


def test_who_ran_out_of_time_comes_back_and_the_next_time_a_bot_plays_on(site: Server, page: Page, friend: Page):
    link = begin(page, "a bot takes the seat")
    friend.goto(link)
    friend.locator("main form button.primary").click()
    slow, other = mover_first(page, friend)
    match = slug(slow)
    runs_out(site, match)
    expect(slow.get_by_text("You have left this match.")).to_be_visible()
    expect(other.get_by_text("Until then who ran out of time may come back.")).to_be_visible()
    slow.goto("/turns/")
    slow.locator("section", has_text="You have left").get_by_role("link").first.click()
    slow.get_by_role("button", name="Come back to your seat").click()
    expect(slow.get_by_text("Your turn.")).to_be_visible()
    expect(other.get_by_text("comes back.").first).to_be_visible()
    # Once more: now the bot plays on.
    runs_out(site, match)
    expect(slow.locator("#confirm")).to_have_count(0)
    expect(slow.get_by_role("button", name="Come back to your seat")).to_have_count(0)
    is_past(site, "held_until", match)
    expect(other.locator(f"#confirm, {OVER}").first).to_be_attached()
    if other.locator(OVER).count() == 0:
        expect(other.get_by_text("left; a bot plays on").first).to_be_visible()
        give_up(other)
    expect(other.get_by_text("The match is over.").or_(other.get_by_text("You have won.")).first).to_be_visible()


def test_a_substitute_takes_the_seat_and_plays_to_the_end(site: Server, page: Page, friend: Page, stranger: Page):
    link = begin(page, "somebody else may, else a bot")
    friend.goto(link)
    expect(friend.get_by_text("For 3 days somebody else may take the seat, then a bot does")).to_be_visible()
    friend.locator("main form button.primary").click()
    slow, other = mover_first(page, friend)
    match = slug(slow)
    runs_out(site, match)
    expect(other.get_by_text("The clock stands still until somebody takes the seat")).to_be_visible()
    expect(slow.get_by_role("button", name="Come back to your seat")).to_be_visible()
    stranger.goto("/lobby/")
    expect(stranger.get_by_role("heading", name="Seats to take over")).to_be_visible()
    stranger.locator(f"a[href^='/match/{match}/take/']").click()
    stranger.get_by_role("button", name="Sit down and play").click()
    expect(stranger.get_by_text("Your turn.")).to_be_visible()
    expect(other.get_by_text("takes over the seat of").first).to_be_visible()
    expect(slow.get_by_text("You watch: what a player hides is hidden from you, too.").first).to_be_visible()
    expect(slow.get_by_role("button", name="Come back to your seat")).to_have_count(0)
    take_turn(stranger, 3)
    for number in range(30):
        if not wait_for_turn(other):
            break
        take_turn(other, number)
        if not wait_for_turn(stranger):
            break
        take_turn(stranger, number)
    for told in (other, stranger, slow):
        expect(told.locator(OVER)).to_be_attached()
        expect(told.get_by_role("heading", name="Places")).to_be_visible()
    slow.goto("/history/")
    expect(slow.get_by_text("you left").first).to_be_visible()


def test_nobody_takes_the_seat_so_a_bot_does(site: Server, page: Page, friend: Page):
    link = begin(page, "somebody else may, else a bot")
    friend.goto(link)
    friend.locator("main form button.primary").click()
    slow, other = mover_first(page, friend)
    match = slug(slow)
    give_up(slow)
    expect(other.get_by_text("left; the seat is free").first).to_be_visible()
    is_past(site, "vacant_until", match)
    expect(other.get_by_text("A bot takes over the seat of").first).to_be_visible()
    expect(other.locator(f"#confirm, {OVER}").first).to_be_attached()
