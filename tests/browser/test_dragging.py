"""Dragging pieces: what it does, how it is given up, and that it is in nobody's way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.playing import PATIENCE, become, still
from tests.serving import Player
from tests.waiting import wait_for

pytestmark = pytest.mark.browser

HAND = "#own .hand li[data-piece]"


@pytest.fixture
def table(page: Page) -> Page:
    """A page at a match against a bot, asked for a turn."""
    page.set_viewport_size({"width": 1280, "height": 1200})
    page.goto("/")
    page.locator("form[action='/play-now/'] button").first.click()
    expect(page.locator(HAND).first).to_be_visible(timeout=PATIENCE)
    still(page)
    return page


def middle(place: Locator) -> tuple[float, float]:
    """The middle of an element, in the window."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lift(page: Page, piece: Locator) -> str:
    """Takes a piece up with the mouse, once it lies still; its id. Its places are lit then."""
    still(page)
    name = piece.get_attribute("data-piece") or ""
    x, y = middle(piece)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y - 12, steps=3)
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator(f"a[data-drop='{name}']").first).to_be_visible()
    return name


def drop(page: Page, place: Locator) -> None:
    """Lets what is held fall on the middle of an element."""
    page.mouse.move(*middle(place), steps=4)
    page.mouse.up()


def planned(page: Page, step: str) -> None:
    """The step was chosen, and nothing is held any more. Whether it can lead is another question."""
    expect(page).to_have_url(re.compile(rf"[?]v=\d+&plan={step}$"))
    expect(page.locator(".ghost, .lifted, .aimed, .dragging")).to_have_count(0)


@pytest.mark.parametrize("zone", [".tray[data-zone]", ".canvas[data-zone]", "a.target"])
def test_a_card_is_dragged_to_its_place(table: Page, zone: str):
    name = lift(table, table.locator(HAND).nth(2))
    drop(table, table.locator(zone).first)
    planned(table, f"{'C' if 'canvas' in zone else 'P'}:{name}")
    # The page stays as it can be used: the next card is dragged as well.
    if table.locator(HAND).count():
        lift(table, table.locator(HAND).first)
        table.keyboard.press("Escape")
        table.mouse.up()
    expect(table.locator(".ghost")).to_have_count(0)


def test_dropped_elsewhere_or_given_up_it_goes_back(table: Page):
    url = table.url
    for give_up in (False, True):
        lift(table, table.locator(HAND).first)
        if give_up:
            table.keyboard.press("Escape")
            expect(table.locator(".ghost")).to_have_count(0)
            table.mouse.up()
        else:
            drop(table, table.locator(".opponents"))
        expect(table.locator(".ghost, .lifted, a.target")).to_have_count(0)
        assert table.url == url
        assert table.locator("#undo").count() == 0


def test_what_was_dropped_before_the_page_answered_still_arrives(table: Page):
    held: list[Route] = []
    table.route(re.compile("pick="), lambda route: held.append(route))
    piece = table.locator(HAND).first
    name = piece.get_attribute("data-piece")
    x, y = middle(piece)
    table.mouse.move(x, y)
    table.mouse.down()
    table.mouse.move(*middle(table.locator(".canvas")), steps=6)
    table.mouse.up()
    expect(table.locator(".ghost")).to_have_count(1)
    wait_for(lambda: table.evaluate("true") and held, what="the request is held")
    held[0].continue_()
    planned(table, f"C:{name}")


def test_nothing_moves_while_a_card_is_dragged(table: Page):
    before = table.locator(HAND).evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().x)")
    lift(table, table.locator(HAND).first)
    after = table.locator(HAND).evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().x)")
    assert before == after
    table.keyboard.press("Escape")
    table.mouse.up()


def test_a_click_is_still_a_click(table: Page):
    table.locator(HAND).first.locator("a").click()
    expect(table.locator("#own .picked")).to_have_count(1)
    expect(table.locator(".ghost")).to_have_count(0)


PIECES = {"barvosauri": ".bv-waiting [data-piece]", "power_cards": ".pc-won [data-piece]"}
"""Of the other games: figures that are to be placed, and won cards that may be built."""


@pytest.mark.parametrize("game", PIECES)
def test_pieces_of_the_other_games_are_dragged(page: Page, site, game: str):
    with Player(site) as mine, Player(site) as other:
        mine.begin()
        url = mine.invite(other, game)
        mark = {"barvosauri": 'data-piece="figure"', "power_cards": 'class="pc-pick" data-plan'}[game]
        while mark not in mine.client.get(url).text:
            if mine.client.get(url + "version.json").json()["status"] == "finished":
                url = mine.invite(other, game)  # one of them won before there was anything to choose
            for player in (mine, other):
                if (fields := player.turn(url)) and mark not in mine.client.get(url).text:
                    assert player.send(url, fields) == 302
        become(page.context, mine, site.url)
    page.set_viewport_size({"width": 1280, "height": 1200})
    page.goto(url)
    name = lift(page, page.locator(PIECES[game]).first)
    drop(page, page.locator(f"a[data-drop='{name}']").first)
    expect(page).to_have_url(re.compile("[?]v=\\d+&plan="))
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator(".ghost, .lifted, .aimed, .dragging")).to_have_count(0)


TOUCH = """([selector, moves, rest]) => new Promise(async (end) => {
  const piece = document.querySelector(selector);
  const box = piece.getBoundingClientRect();
  const at = (name, x, y) => (document.elementFromPoint(x, y) ?? document.body).dispatchEvent(new PointerEvent(name,
    {bubbles: true, cancelable: true, pointerId: 7, isPrimary: true, pointerType: "touch", clientX: x, clientY: y}));
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  at("pointerdown", x, y);
  if (rest) while (!document.querySelector(".ghost")) await new Promise(requestAnimationFrame);
  at("pointermove", x + moves, y - moves);
  end(document.querySelectorAll(".ghost").length);
  at("pointercancel", x, y);
})"""


def test_a_finger_lifts_a_card_by_resting_on_it_and_scrolls_otherwise(table: Page):
    assert table.evaluate(TOUCH, [HAND, 20, False]) == 0
    assert table.evaluate(TOUCH, [HAND, 20, True]) == 1
    expect(table.locator(".ghost")).to_have_count(0)
