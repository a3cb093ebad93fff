"""Looking back: since my last move, by itself or by hand, by slider and by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playing import become
from tests.serving import Player

pytestmark = pytest.mark.browser

ROWS = 7


def shown(page: Page, number: int) -> None:
    """The replay shows this row, and says above the board which one it is."""
    expect(page.locator("#replay-slider")).to_have_value(str(number))
    expect(page.locator(".looking")).to_contain_text(f"Move {number} of ")


def version(page: Page) -> int:
    """The newest version that the page knows."""
    return int(page.locator("#main").get_attribute("data-version") or 0)


def played(mine: Player, other: Player) -> str | None:
    """A match of two with some rows behind it that asks ``mine``; None if it was over before."""
    url = mine.invite(other)
    for _turn in range(40):
        turns = mine.turn(url), other.turn(url)
        head = mine.client.get(url + "version.json").json()["version"]
        if turns == (None, None) or (turns[0] and head >= ROWS):
            return url if turns[0] else None
        for player, fields in zip((mine, other), turns, strict=True):
            assert fields is None or player.send(url, fields) == 302
    return None


@pytest.fixture(scope="module")
def going_on(site) -> Iterator[tuple[Player, str]]:
    """A player who is asked in a match that has been going on for a while, and its address."""
    with Player(site) as mine, Player(site) as other:
        mine.begin()
        url = next(filter(None, (played(mine, other) for _try in range(20))))
        yield mine, url


@pytest.fixture
def watched(page: Page, base_url: str, going_on: tuple[Player, str]) -> str:
    """The address of that match, at which the page is."""
    mine, url = going_on
    become(page.context, mine, base_url)
    page.goto(url)
    expect(page.locator("#play-back")).to_be_visible()
    return url


def test_since_my_last_move_is_played_back_by_itself(page: Page, watched: str):
    head = version(page)
    assert page.locator(".since li").count() == 1
    page.locator("#play-back").click()
    shown(page, head - 1)
    assert page.url.endswith(f"{watched}at/{head - 1}/")
    # It goes on to the present, where nothing is looked back at any more.
    shown(page, head)
    expect(page.locator("#confirm")).to_be_attached()
    expect(page).to_have_url(re.compile(rf"{watched}$"))
    # One step back from there is the replay, two are the table.
    page.go_back()
    shown(page, head)
    page.go_back()
    expect(page.locator("#play-back")).to_be_visible()


def test_playing_stops_and_goes_on_when_told(page: Page, watched: str):
    head = version(page)
    page.goto(f"{watched}at/2/")
    button = page.locator("#replay-play")
    word = button.locator("span:not([hidden])")
    expect(word).to_have_text("Play")
    button.click()
    expect(word).to_have_text("Pause")
    shown(page, 3)
    expect(button).to_be_focused()
    button.press("Enter")
    expect(word).to_have_text("Play")
    page.evaluate("window.rest = new Promise((end) => setTimeout(end, 2000))")
    page.evaluate("window.rest")  # longer than a row would take
    shown(page, 3)
    button.press("Enter")
    shown(page, 4)
    assert version(page) == head


def test_slider_and_keys_jump_and_the_newest_wish_wins(page: Page, watched: str):
    head = version(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/at/" in request.url else None)
    page.keyboard.press("ArrowLeft")  # not a replay yet: the key is left alone
    slider = page.locator("#replay-slider")
    slider.fill("3")
    shown(page, 3)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    shown(page, 2)
    expect(slider).to_be_focused()
    slider.blur()
    page.keyboard.press("ArrowRight")
    shown(page, 3)
    page.keyboard.press("Home")
    shown(page, 1)
    page.keyboard.press("ArrowLeft")
    asked.clear()
    for _press in range(20):
        page.keyboard.press("ArrowRight")
    shown(page, head)
    assert len(asked) < head
    page.keyboard.press("Home")
    shown(page, 1)
    page.keyboard.press("End")
    expect(page.locator("#confirm")).to_be_attached()
    assert page.url.endswith(watched)


def test_who_wants_no_motion_steps_by_hand(page: Page, watched: str):
    page.emulate_media(reduced_motion="reduce")
    head = version(page)
    page.locator("#play-back").click()
    shown(page, head - 1)
    expect(page.locator("#replay-play")).to_be_hidden()
    page.evaluate("window.rest = new Promise((end) => setTimeout(end, 2000))")
    page.evaluate("window.rest")
    shown(page, head - 1)
    page.locator("#replay-next").click()
    shown(page, head)


def test_without_script_the_links_do_it(browser: Browser, page: Page, watched: str, base_url: str):
    head = version(page)
    state = page.context.storage_state()
    context = browser.new_context(base_url=base_url, java_script_enabled=False, storage_state=state)
    plain = context.new_page()
    plain.goto(watched)
    plain.locator("#play-back").click()
    assert plain.url.endswith(f"{watched}at/{head - 1}/")
    expect(plain.locator("#replay-slider, #replay-play").first).to_be_hidden()
    plain.locator("#replay-next").click()
    expect(plain.locator(".looking")).to_contain_text(f"Move {head} of {head}:")
    context.close()
