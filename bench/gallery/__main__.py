"""Takes the pictures; see ``bench.gallery``."""

from __future__ import annotations

import argparse
import shutil
from html import escape
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.gallery.visiting import HEIGHTS, Look, gallery, visit
from tests.browser.conftest import FLAGS

THEMES = ("light", "dark")


def name_of(scene: str, look: Look) -> str:
    """The file of a picture."""
    return f"{scene.replace(', ', '-').replace(' ', '-')}--{look}.png"


def index(folder: Path, scenes: list[str], looks: list[Look]) -> None:
    """The index page: a row a scene."""
    rows = []
    for scene in scenes:
        cells = "".join(
            f'<td><a href="{name}"><img src="{name}" loading="lazy" height="300" alt="{look}"></a></td>'
            for look in looks
            if (name := name_of(scene, look))
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
    parser.add_argument("--width", type=int, action="append", choices=HEIGHTS)
    parser.add_argument("--theme", action="append", choices=THEMES)
    asked = parser.parse_args()
    looks = [Look(width, theme) for theme, width in product(asked.theme or THEMES, asked.width or HEIGHTS)]
    asked.folder.mkdir(parents=True, exist_ok=True)
    wrong: set[str] = set()
    with gallery(asked.only) as built, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for look in looks:
            for scene, page, complaints in visit(browser, built, look, built.scenes):
                page.screenshot(path=asked.folder / name_of(scene, look), full_page=True)
                wrong.update(f"{scene}, {look}: {complaint}" for complaint in complaints)
            print(f"{look}: {len(built.scenes)} pictures", flush=True)
        browser.close()
    index(asked.folder, list(built.scenes), looks)
    print("\n".join(sorted(wrong)) or "nothing wrong on any page")


if __name__ == "__main__":
    main()
