"""``python -m bench.gallery.pictures``: the pictures of the README, one of each table, into ``docs/``."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from bench.gallery.visiting import Look, gallery, visit
from tests.browser.conftest import FLAGS

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"

SCREEN: ViewportSize = {"width": 1280, "height": 960}

SCENES = {"red": "red 4 plan whole", "barvosauri": "barvosauri 4 plan whole", "power_cards": "power_cards 4 my turn"}
"""By game the scene that shows its table best."""


def main() -> None:
    """Takes them."""
    look = Look(1280, "light")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for game, wanted in SCENES.items():
            with gallery(game) as built:
                for _scene, page, _complaints in visit(browser, built, look, {wanted: built.scenes[wanted]}):
                    page.set_viewport_size(SCREEN)
                    page.screenshot(path=DOCS / f"{game}.png")
        browser.close()


if __name__ == "__main__":
    main()
