"""Chance in a browser: it adds bytes to a seat, and draws a match that is over again from nothing but its seed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import AXE, axe_faults, small_targets
from tests.serving import Server

pytestmark = pytest.mark.browser

VECTORS = """async () => {
  const own = document.querySelector('script[src*="verify"]').src;
  const { Stream, commitment } = await import(own.replace(/verify[^/]*$/, "chance.js"));
  const seed = Uint8Array.from({ length: 32 }, (_none, at) => at);
  const seats = ["a", "b"].map((letter) => new TextEncoder().encode(letter.repeat(16)));
  const rolls = new Stream(seed, seats, 2);
  const faces = [];
  for (let at = 0; at < 12; at += 1) faces.push(await rolls.roll(6));
  return [
    await commitment("abc123", seed),
    faces.join(" "),
    (await new Stream(seed, seats, 1).shuffle("abcdefghijklmnopqrstuvwxyz")).join(""),
    (await new Stream(seed, [], 0).shuffle("ABCD")).join(""),
  ];
}"""


@pytest.fixture(scope="module")
def ended(site: Server) -> dict[str, str]:
    """A finished demo match of each game, by its slug."""
    ask = (
        "import json; from games.models import Match; print(json.dumps(dict("
        "Match.objects.filter(status='finished').order_by('-pk').values_list('game', 'slug'))))"
    )
    found: dict[str, str] = json.loads(site.manage("shell", "-v0", "-c", ask))
    return found


@pytest.mark.parametrize("game", ["red", "barvosauri", "power_cards"])
def test_the_page_verifies_a_match_in_the_browser(page: Page, ended: dict[str, str], game: str) -> None:
    page.goto(f"/match/{ended[game]}/verify/")
    expect(page.locator("#verdict")).to_have_text("All of it holds.")
    expect(page.locator('#checks [data-holds="true"]')).to_have_count(5)
    expect(page.locator('[data-check="draws"] output')).to_have_text(re.compile(r"It holds \(\d+\)"))


def test_the_published_test_vectors_come_out(page: Page, ended: dict[str, str]) -> None:
    page.goto(f"/match/{ended['red']}/verify/")
    table = [line.split("|")[2].strip(" `") for line in Path("docs/chance.md").read_text("utf-8").splitlines()
             if line.startswith("|")][2:]  # fmt: skip
    assert page.evaluate(VECTORS) == table[:4]


@pytest.mark.parametrize("spoilt", ["seed", "draw", "commitment", "name"])
def test_what_was_changed_does_not_hold(page: Page, ended: dict[str, str], spoilt: str) -> None:
    """The site itself tries to deceive: the browser sees it."""
    url = f"/match/{ended['barvosauri']}/verify/"

    def changed(route):
        value = route.fetch().json()
        if spoilt == "seed":
            value["seed"] = ("0" if value["seed"][0] != "0" else "1") + value["seed"][1:]
        elif spoilt == "name":
            value["seats"][0]["name"] += "x"
        elif spoilt == "commitment":
            value["commitment"] = value["commitment"][::-1]
        else:
            value["rows"][-1]["draws"][-1]["gives"] = -1
        route.fulfill(json=value)

    page.route("**/draws.json" if spoilt == "draw" else "**/record.json", changed)
    page.goto(url)
    expect(page.locator("#verdict")).to_have_text("It does not hold. Please tell us.")
    expect(page.locator('#checks [data-holds="false"]')).to_have_count(1)


def test_the_page_is_fit_for_phones_and_screen_readers(page: Page, ended: dict[str, str]) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"/match/{ended['red']}/verify/")
    expect(page.locator("#verdict")).to_have_text("All of it holds.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert small_targets(page) == []
    page.evaluate(AXE.read_text("utf-8"))
    assert axe_faults(page) == []


def test_the_browser_adds_bytes_of_its_own_to_the_seat_it_takes(page: Page, site: Server) -> None:
    page.goto("/")
    sent = page.locator('form[action="/play-now/"] input[name="entropy"]').first.input_value()
    assert len(bytes.fromhex(sent)) == 16
    page.get_by_role("button", name="Play Red against a bot now", exact=True).click()
    expect(page.locator("main[data-match]")).to_be_attached()
    slug = page.locator("main").get_attribute("data-slug")
    seats = f"Seat.objects.filter(match__slug='{slug}')"
    ask = f"from games.models import Seat; print([bytes(seat.entropy).hex() for seat in {seats}])"
    assert sent in site.manage("shell", "-v0", "-c", ask)
    page.goto("/")
    again = page.locator('form[action="/play-now/"] input[name="entropy"]').first.input_value()
    assert again != sent
