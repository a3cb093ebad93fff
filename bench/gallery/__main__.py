"""Takes the pictures; see ``bench.gallery``."""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS
from tests.serving import Server

WIDTHS = (320, 390, 768, 1280, 1600)
THEMES = ("light", "dark")
HEIGHTS = {320: 640, 390: 844, 768: 1024, 1280: 800, 1600: 900}


def name_of(scene: str, width: int, theme: str) -> str:
    """The file of a picture."""
    return f"{scene.replace(', ', '-').replace(' ', '-')}--{width}-{theme}.png"


def take(browser: Browser, server: Server, built: dict, width: int, theme: str, folder: Path) -> list[str]:
    """Pictures of every scene in one width and theme; what was wrong with them, in words."""
    wrong: list[str] = []
    for viewer in sorted({who for _url, who in built["scenes"].values()}):
        context = browser.new_context(
            base_url=server.url,
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme=theme,
            reduced_motion="reduce",
            timezone_id="Europe/Prague",
        )
        if viewer:
            context.add_cookies([{"name": "sessionid", "value": built["sessions"][viewer], "url": server.url}])
        page = context.new_page()
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        for scene, (url, who) in built["scenes"].items():
            if who != viewer:
                continue
            page.goto(url, wait_until="load")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wrong.append(f"{scene} at {width} px scrolls sideways")
            page.screenshot(path=folder / name_of(scene, width, theme), full_page=True)
        context.close()
    return wrong


def index(folder: Path, scenes: list[str], widths: list[int], themes: list[str]) -> None:
    """The index page: a row a scene."""
    rows = []
    for scene in scenes:
        cells = "".join(
            f'<td><a href="{name}"><img src="{name}" loading="lazy" height="300" alt="{width} {theme}"></a></td>'
            for theme in themes
            for width in widths
            if (name := name_of(scene, width, theme))
        )
        rows.append(f"<tr><th>{escape(scene)}</th>{cells}</tr>")
    (folder / "index.html").write_text(
        f"<!DOCTYPE html><meta charset='utf-8'><title>Gallery</title><table>{''.join(rows)}</table>"
    )


def main() -> None:
    """Builds the scenes on a server of its own and takes the pictures."""
    parser = argparse.ArgumentParser(prog="python -m bench.gallery", description="Pictures of every page.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a game, 'tables' or 'pages'")
    parser.add_argument("--width", type=int, action="append", choices=WIDTHS)
    parser.add_argument("--theme", action="append", choices=THEMES)
    asked = parser.parse_args()
    widths, themes = asked.width or list(WIDTHS), asked.theme or list(THEMES)
    asked.folder.mkdir(parents=True, exist_ok=True)
    data = Path(tempfile.mkdtemp(prefix="gallery-"))
    server = Server(data)
    code = f"from bench.gallery.scenes import build; build({asked.only!r})"
    built = json.loads(server.manage("shell", "-v0", "-c", code))
    server.start()
    wrong: list[str] = []
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
            for theme in themes:
                for width in widths:
                    wrong += take(browser, server, built, width, theme, asked.folder)
                    print(f"{theme}, {width} px: {len(built['scenes'])} pictures", flush=True)
    finally:
        server.stop()
        shutil.rmtree(data)
    index(asked.folder, list(built["scenes"]), widths, themes)
    print("\n".join(sorted(set(wrong))) or "nothing wrong on any page")


if __name__ == "__main__":
    main()
