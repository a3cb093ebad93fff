"""Whether pieces can be told apart without colours: contrasts computed from the colours as the browser has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from playwright.sync_api import Page

GRAPHIC, TEXT = 3.0, 4.5
"""The least contrast of a sign that is drawn, and of one that is read (WCAG 1.4.11 and 1.4.3)."""


@dataclass(frozen=True)
class Family:
    """Pieces of one sort on a page: where they are, what names their kind, and the signs in them beside the colour.

    ``kind`` is a pattern for the class of the piece or its parent; ``ground`` and ``ink`` are custom properties if the
    colours are not simply those of the element.
    """

    piece: str
    kind: str
    signs: tuple[str, ...]
    ground: str = ""
    ink: str = ""


FAMILIES = {
    "red": (
        Family(".card[class*='c-']", r"\bc-(\w)\b", (".g", ".r")),
        Family(".chip[class*='c-']", r"\bc-(\w)\b", ("svg",)),
    ),
    "barvosauri": (
        Family(".bv-egg li:not(.off) > *", r"\bbv-([A-Z])\b", ("b",)),
        Family(".bv-card:not(.none)", r"\bbv-([A-Z])\b", ("b", "svg", ".r")),
        Family(".bv-chip:not(.bv-round):has(svg)", r"\bbv-([A-Z])\b", ("svg",)),
        Family(".bv-hand li", r"\bbv-([A-Z])\b", (".bv-dino",)),
        Family(".bv-figure", r"\bbv-seat-(\d)\b", ("",)),
    ),
    "power_cards": (
        Family(".pc-mark-of", r"\bpc-(wood|stone|ice|piggy)\b", ("",), "--part", "--mark"),
        Family(".pc-body-of", r"\bpc-(wood|stone|ice|piggy)\b", (".pc-body",), "--part", "--mark"),
    ),
}

KINDS = {"red": 7, "barvosauri": 6, "power_cards": 4}
"""How many colours or materials each game has."""

COLLECT = """([pieces, kind, signs, groundName, inkName]) => {
  const paint = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = paint.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([red, green, blue, alpha], under, opacity) =>
    [red, green, blue].map((part, index) => part * alpha * opacity + under[index] * (1 - alpha * opacity));
  const named = (one, name) => rgba(getComputedStyle(one).getPropertyValue(name));
  const groundOf = (one) => {
    for (let here = one; here; here = here.parentElement) {
      const found = rgba(getComputedStyle(here).backgroundColor);
      if (found[3] === 1) return found;
    }
    return [255, 255, 255, 1];
  };
  const opacityOf = (sign, piece) => {
    let product = 1;
    for (let here = sign; here; here = here.parentElement) {
      product *= Number(getComputedStyle(here).opacity);
      if (here === piece) break;
    }
    return product;
  };
  const signOf = (one, piece, ground) => {
    const style = getComputedStyle(one), drawn = one instanceof SVGElement;
    const inks = inkName ? [named(one, inkName)] : drawn ? [style.fill, style.stroke] : [style.color];
    return {
      mark: drawn ? one.querySelector("use").getAttribute("href") : one.textContent.trim().replace(/\\d/g, ""),
      drawn,
      inks: inks.filter((ink) => ink !== "none")
        .map((ink) => over(Array.isArray(ink) ? ink : rgba(ink), ground, opacityOf(one, piece))),
    };
  };
  return [...document.querySelectorAll(pieces)].filter((one) => one.checkVisibility()).map((one) => {
    const ground = groundName ? named(one, groundName) : groundOf(one);
    return {
      kind: `${one.getAttribute("class")} ${one.parentElement.className}`.match(kind)[1],
      ground: ground.slice(0, 3),
      signs: signs.map((sign) => (sign ? one.querySelector(sign) : one))
        .map((sign) => sign?.checkVisibility() ? signOf(sign, one, ground) : null),
    };
  });
}"""


def _luminance(colour: Iterable[float]) -> float:
    """The relative luminance of a colour, as WCAG defines it."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Iterable[float], other: Iterable[float]) -> float:
    """The contrast of two colours, 1 to 21: all that is left of them in greys."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _read(piece: dict[str, Any]) -> list[str | None]:
    """The marks of a piece that can be seen on its ground, by place; None for a place without."""
    return [
        sign["mark"]
        if sign and max(contrast(ink, piece["ground"]) for ink in sign["inks"]) >= (GRAPHIC if sign["drawn"] else TEXT)
        else None
        for sign in piece["signs"]
    ]


def alike(page: Page, game: str) -> tuple[list[str], set[str]]:
    """The pairs of pieces of different kinds that look the same in greys, and the kinds that were found."""
    faults: set[str] = set()
    found: set[str] = set()
    for family in FAMILIES[game]:
        wanted = [family.piece, family.kind, list(family.signs), family.ground, family.ink]
        seen = {}
        for piece in page.evaluate(COLLECT, wanted):
            marks = _read(piece)
            seen[(piece["kind"], tuple(piece["ground"]), *marks)] = (piece["kind"], piece["ground"], marks)
        for (kind, ground, marks), (other, under, others) in combinations(seen.values(), 2):
            told = any(mark and sign and mark != sign for mark, sign in zip(marks, others, strict=True))
            if kind != other and not told and contrast(ground, under) < GRAPHIC:
                faults.add(f"{family.piece}: {kind} and {other}: {marks} {ground}, {others} {under}")
        found |= {kind for kind, _ground, _marks in seen.values() if "figure" not in family.piece}
    return sorted(faults), found
