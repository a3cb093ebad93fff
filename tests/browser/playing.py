"""How a person plays Red with a pointer: pick a card, choose where it goes, confirm. And how one plays without looking:
a player without a browser finds the turns, a page is only shown them."""

from __future__ import annotations

from random import Random
from re import Pattern
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page, expect

from tests.serving import Player
from tests.waiting import wait_for

OVER = "[data-status=finished]"
PATIENCE = 45_000
"""Milliseconds for bots to move and the page to show it."""


def still(page: Page) -> None:
    """Waits until all styles are there and nothing moves of itself: before, things lie where they will not stay."""
    page.wait_for_load_state("load")
    wait_for(lambda: page.evaluate("document.getAnimations().length") == 0)


def wait_for_turn(page: Page) -> bool:
    """Waits until this player is asked; False if the match is over instead."""
    expect(page.locator(f"#confirm, {OVER}").first).to_be_attached(timeout=PATIENCE)
    return page.locator(OVER).count() == 0


def confirm(page: Page) -> None:
    """Confirms the turn and waits until the page shows what came of it."""
    head = page.locator("#main").get_attribute("data-version")
    page.locator("#confirm").click()
    expect(page.locator(f"#main:not([data-version='{head}'])")).to_be_attached(timeout=PATIENCE)


def this_match(page: Page, name: str | Pattern[str], role: Literal["button", "link"] = "button") -> None:
    """Clicks what may be done about the match beside moving."""
    if page.locator("#this-match:not([open])").count():
        page.locator("#this-match > summary").click()
    page.get_by_role(role, name=name).click()


def take_turn(page: Page, number: int) -> str:
    """Plays one turn that may be played, by pointer only; the text of the plan that was confirmed.

    ``number`` varies which cards are tried. The page shows the new row then. Gives up the round where no card can lead.
    """
    chance = Random(number)
    for _attempt in range(60):
        if page.locator("#confirm").is_enabled():
            break
        if page.locator("a.target.good").count():
            choose(page, "a.target.good", chance)
        elif page.locator("a.offer.good").count():
            choose(page, "a.offer.good", chance)
        elif page.locator("#own .cards li:not(.dim):not(.picked) > a[data-plan]").count():
            pick_one(page, chance)
        else:
            choose(page, "[id='step-PASS']", chance)
    plan = page.locator("#plan").inner_text()
    expect(page.locator("#confirm")).to_be_enabled()
    confirm(page)
    return plan


def choose(page: Page, selector: str, chance: Random) -> None:
    """Clicks one of the offers and waits until the plan shows it."""
    offers = page.locator(selector)
    before = page.locator("#plan").inner_text()
    offers.nth(chance.randrange(offers.count())).click()
    expect(page.locator("#plan")).not_to_have_text(before)


def pick_one(
    page: Page, chance: Random, selector: str = "#own .cards li:not(.dim):not(.picked) > a[data-plan]"
) -> None:
    """Picks up one of the cards and waits until its places are offered, not those of one picked up before."""
    cards = page.locator(selector)
    card = cards.nth(chance.randrange(cards.count()))
    name = card.get_attribute("id")
    card.click()
    expect(page.locator(f"#own .picked > [id='{name}']")).to_be_visible()


def become(context: BrowserContext, player: Player, url: str) -> None:
    """Makes a browser that of the player, for the site at ``url``."""
    cookies = player.client.cookies.items()
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies])


def turn_of(wanted: Player, other: Player, url: str) -> dict[str, str]:
    """Plays the other's turns until ``wanted`` is asked; the fields of the turn that is wanted now."""
    while (fields := wanted.turn(url)) is None:
        theirs = other.turn(url)
        assert theirs is not None, "neither of them is asked"
        assert other.send(url, theirs) == 302
    return fields


def planned(page: Page, url: str, fields: dict[str, str]) -> None:
    """Opens the page of a match with this turn planned."""
    page.goto(f"{url}?{urlencode({'v': fields['version'], 'plan': fields['steps']})}")
    expect(page.locator("#confirm")).to_be_enabled()
