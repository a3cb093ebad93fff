"""Chance and records in a browser: bytes for a seat, all draws again from the seed, a file that is brought, a frame."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.checks import AXE, axe_faults, small_targets
from tests.browser.playing import still
from tests.golden import LONGEST
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
    expect(page.locator('[data-check="draws"] output')).to_have_text(re.compile(r"It holds \(draws: \d+\)"))


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
    still(page)
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


SCENE = """
from accounts.models import User
from bench.gallery.scenes import UNUSABLE, session
print(session(User.objects.create(username="Zdena", password=UNUSABLE)))
"""
"""Somebody with an account."""


def test_a_record_is_brought_played_back_and_played_on(page: Page, site: Server, context: BrowserContext) -> None:
    """The longest golden record: it is longer than any other form of this site may be."""
    key = site.manage("shell", "-v0", "-c", SCENE).strip()
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/import/")
    page.get_by_label("The file", exact=True).set_input_files(LONGEST)
    page.get_by_role("button", name="Check it", exact=True).click()
    expect(page.get_by_text("An imported record", exact=False)).to_be_visible()
    whole = page.locator("#replay-slider").get_attribute("max")
    expect(page.get_by_text(f"Move {whole} of {whole}:", exact=True)).to_be_visible()
    page.get_by_role("link", name="Previous move", exact=True).click()
    expect(page.get_by_text(f"Move {int(whole or 0) - 1} of {whole}:", exact=True)).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text(f"Move 1 of {whole}:", exact=True)).to_be_visible()
    still(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert small_targets(page) == []
    page.get_by_role("button", name="Play on", exact=True).click()
    expect(page.get_by_text("This match goes on from move 1 of an imported record.", exact=False)).to_be_visible()
    with page.expect_download() as given:
        page.get_by_role("link", name="Record so far, as you may know it", exact=True).click()
    assert "seed" not in json.loads(given.value.path().read_text("utf-8"))


@pytest.fixture
def elsewhere() -> Iterator[Callable[[str], str]]:
    """Another site with one page: gives its address once it is told what stands there."""
    told: list[bytes] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(told[-1])

        def log_message(self, *_args: object) -> None:
            """Nothing is told."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=server.serve_forever, daemon=True).start()

    def serves(html: str) -> str:
        told.append(html.encode())
        return f"http://127.0.0.1:{server.server_port}/"

    yield serves
    server.shutdown()
    server.server_close()


def test_a_board_stands_in_the_frame_of_another_page_without_script(
    browser: Browser, site: Server, ended: dict[str, str], elsewhere: Callable[[str], str]
) -> None:
    visitor = browser.new_context(java_script_enabled=False)
    page = visitor.new_page()
    told = httpx.get(f"{site.url}/oembed", params={"url": f"{site.url}/match/{ended['red']}/"}).json()
    page.goto(elsewhere(told["html"].replace(told["provider_url"], site.url)))
    inside = page.frame_locator("iframe")
    expect(inside.get_by_role("link", name="Open at Na tahu", exact=True)).to_be_visible()
    expect(inside.get_by_text("The match is over.", exact=True)).to_be_visible()
    assert visitor.cookies() == []
    visitor.close()
