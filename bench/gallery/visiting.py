"""A site full of scenes, and a browser that goes through them and notes what complains.

Used for the pictures (``bench.gallery``) and by the tests that look at them.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page

from tests.serving import Server

HEIGHTS = {320: 640, 390: 844, 768: 1024, 1280: 800, 1600: 900}
"""The widths of the screens looked at, each with its height."""

MANY = 300
"""Running matches of the one who has many."""

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Pixels by which a page can be scrolled sideways."""

REPORTS = """window.cspReports = [];
  document.addEventListener("securitypolicyviolation", 
    ({ violatedDirective, blockedURI }) => cspReports.push(`${violatedDirective} ${blockedURI}`));"""


@dataclass(frozen=True)
class Look:
    """How somebody's browser shows pages."""

    width: int
    theme: Literal["light", "dark"]
    contrast: Literal["more", "no-preference"] = "no-preference"

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}" + ("-contrast" if self.contrast == "more" else "")


@dataclass(frozen=True)
class Gallery:
    """A running site: its scenes by name, each an address and who looks at it, and everybody's session."""

    server: Server
    scenes: dict[str, tuple[str, str]]
    sessions: dict[str, str]


@contextmanager
def gallery(only: str = "", many: int = MANY) -> Iterator[Gallery]:
    """A gallery on a server of its own, which is gone afterwards; ``only``: a game, "tables" or "pages"."""
    with tempfile.TemporaryDirectory(prefix="gallery-") as data:
        server = Server(Path(data))
        code = f"from bench.gallery.scenes import build; build({only!r}, {many})"
        built: dict[str, Any] = json.loads(server.manage("shell", "-v0", "-c", code, seconds=600))
        scenes = {name: (url, who) for name, (url, who) in built["scenes"].items()}
        server.start()
        try:
            yield Gallery(server, scenes, built["sessions"])
        finally:
            server.stop()


def visit(
    browser: Browser, gallery: Gallery, look: Look, scenes: Collection[str], script: str = ""
) -> Iterator[tuple[str, Page, list[str]]]:
    """Goes through the scenes: the name of each, the page that shows it, and what has complained on it so far.

    Complaints are errors and warnings of the console, errors of scripts, requests to others, reports of the content
    policy and a page that scrolls sideways. ``script`` runs on every page before anything else.
    """
    for viewer in sorted({gallery.scenes[scene][1] for scene in scenes}):
        context = browser.new_context(
            base_url=gallery.server.url,
            viewport={"width": look.width, "height": HEIGHTS[look.width]},
            color_scheme=look.theme,
            contrast=look.contrast,
            reduced_motion="reduce",
            timezone_id="Europe/Prague",
        )
        context.add_init_script(REPORTS + script)
        if viewer:
            cookie = {"name": "sessionid", "value": gallery.sessions[viewer], "url": gallery.server.url}
            context.add_cookies([cookie])
        page = context.new_page()
        wrong = _listen(page, gallery.server.url)
        for scene in scenes:
            url, who = gallery.scenes[scene]
            if who != viewer:
                continue
            wrong.clear()
            page.goto(url, wait_until="load")
            wrong += page.evaluate("cspReports")
            if page.evaluate(WIDER) > 0:
                wrong.append("scrolls sideways")
            yield scene, page, wrong
        context.close()


def _listen(page: Page, own: str) -> list[str]:
    """A list to which everything is added that complains on the page from now on."""
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda sent: None if sent.url.startswith((own, "data:")) else wrong.append(sent.url))
    return wrong
