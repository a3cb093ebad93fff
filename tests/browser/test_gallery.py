"""A part of the gallery, looked at by machine: nothing complains, and everybody can read and hit what is there.

``python -m bench.gallery`` has all of it, for the eyes.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from bench.gallery.visiting import WIDER, Gallery, Look, gallery, visit
from tests.browser.checks import AXE, axe_faults, small_targets
from tests.browser.pieces import KINDS, alike

pytestmark = pytest.mark.browser

GAMES = ("red", "barvosauri", "power_cards")

TABLES = tuple(
    f"{game} {seats} {state}" for game in GAMES for seats in (2, 4) for state in ("plan whole", "waiting", "finished")
)
PAGES = (
    "front, nobody",
    "dashboard, empty",
    "dashboard, many",
    "lobby",
    "find an opponent",
    "statistics",
    "for programs",
    "history",
    "history, filtered",
    "profile",
    "head to head",
    "following",
    "rankings",
    "changes of a rating",
    "rated match",
    "settings",
    "webhooks",
    "bots",
    "own bots",
    "sign up",
    "open match",
    "red new match",
    "bring a record",
    "record, to play on",
    "chance verified",
    "embedded",
    *(f"{game} rules" for game in GAMES),
)

ALL = (*TABLES, *PAGES)
LOOKS = {
    Look(320, "light"): ALL,
    Look(1280, "dark"): ALL,
    Look(320, "dark"): ALL[::3],
    Look(1280, "light"): ALL[1::3],
    Look(1280, "light", "more"): ALL[2::6],
    Look(320, "dark", "more"): ALL[5::6],
}
"""Who looks at what: every scene on a phone and on a desk, light and dark; the other looks at a part of them."""


BAR = "(document.querySelector('.acts')?.getBoundingClientRect().height ?? 0) / innerHeight"
"""How much of the screen is covered by the bar of the plan."""


@pytest.fixture(scope="module")
def site():
    """The site with the scenes of the gallery instead of the demo data."""
    with gallery(many=12) as built:
        yield built


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_nothing_is_wrong_with_what_is_seen(browser: Browser, site: Gallery, look: Look):
    wrong = []
    for scene, page, complaints in visit(browser, site, look, LOOKS[look], AXE.read_text()):
        wrong += [f"{scene}: {fault}" for fault in (*complaints, *small_targets(page), *axe_faults(page))]
        if page.evaluate(BAR) > 0.25:
            wrong.append(f"{scene}: the plan's bar covers more than a quarter of the screen")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_pieces_are_told_apart_without_their_colours(browser: Browser, site: Gallery, game: str):
    scenes = [f"{game} 4 {state}" for state in ("my turn", "finished")] + [f"{game} rules"]
    wrong: list[str] = []
    found: set[str] = set()
    for look in (Look(320, "light"), Look(1280, "dark"), Look(1280, "light", "more")):
        for scene, page, _complaints in visit(browser, site, look, scenes):
            page.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
            faults, kinds = alike(page, game)
            wrong += [f"{scene}, {look}: {fault}" for fault in faults]
            found |= kinds
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(found) == KINDS[game]


COVERED = """() => {
  const first = document.querySelector("#own .hand li").getBoundingClientRect();
  return first.top + 40 - Math.min(innerHeight, document.querySelector(".acts").getBoundingClientRect().top);
}"""
"""Pixels by which the number and symbol of the first card of the hand are under the plan's bar."""

PIECES = {"red": "#own .card", "barvosauri": ".bv-card:not(.none)", "power_cards": ".pc-head .pc-art"}


def test_on_a_phone_the_first_card_of_the_hand_is_seen_above_the_button(browser: Browser, site: Gallery):
    scenes = [f"red {seats} {state}" for seats in (2, 4) for state in ("start", "my turn")]
    for scene, page, _complaints in visit(browser, site, Look(390, "light"), scenes):
        assert page.evaluate(COVERED) <= 0, scene


BELOW = """(own) => {
  const bar = document.querySelector(".acts").getBoundingClientRect().top;
  return [...document.querySelectorAll(own)].filter((one) => one.getBoundingClientRect().bottom > bar + 1)
    .map((one) => one.textContent.trim().replace(/\\s+/g, " "));
}"""
"""What can be chosen and lies under the bar or below the screen."""

OWN = {"red": "#own .hand li", "barvosauri": ".bv-choices a", "power_cards": "#own a.pc-row"}


@pytest.mark.parametrize("game", GAMES)
def test_on_a_desk_all_that_can_be_chosen_is_in_the_first_screen(browser: Browser, site: Gallery, game: str):
    for _scene, page, _complaints in visit(browser, site, Look(1280, "light"), [f"{game} 4 my turn"]):
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.locator(OWN[game]).count() > 1
        assert page.evaluate(BELOW, OWN[game]) == []


@pytest.mark.parametrize("game", GAMES)
def test_large_pieces_are_larger_in_every_game(browser: Browser, site: Gallery, game: str):
    for scene, page, _complaints in visit(browser, site, Look(1280, "light"), [f"{game} 2 waiting"]):
        before = page.locator(PIECES[game]).first.bounding_box()
        page.evaluate("document.documentElement.dataset.size = 'large'")
        after = page.locator(PIECES[game]).first.bounding_box()
        assert before, scene
        assert after, scene
        assert after["height"] >= 1.15 * before["height"], scene
        assert page.evaluate(WIDER) <= 0, scene
