"""The kit of parts that creatures are made of. Pure.

A shape is SVG text with places for paint: ``{a}`` the creature's colour,
``{b}`` its shade, ``{c}`` its light, ``{k}`` ink, ``{w}`` white. Pictures are 120
wide and 100 high and stand on the ground at 92.
"""

from __future__ import annotations

import colorsys

INK, WHITE = "#20242c", "#fffdf8"

Palette = dict[str, str]


def tones(hue: int, saturation: int, light: int) -> Palette:
    """The paints of a creature: its colour, a darker and a lighter one, ink and white."""

    def tone(more: int, lightness: int) -> str:
        parts = colorsys.hls_to_rgb(hue / 360, lightness / 100, min(saturation + more, 100) / 100)
        return "#" + "".join(f"{round(part * 255):02x}" for part in parts)

    shade, shine = max(light - 17, 12), min(light + 25, 93)
    return {"a": tone(0, light), "b": tone(0, shade), "c": tone(10, shine), "k": INK, "w": WHITE}


def symbol(name: str, palette: Palette, *shapes: str) -> str:
    """A picture of the sprite."""
    drawn = "".join(shapes).format_map(
        {paint: f'fill="{colour}"' for paint, colour in palette.items()} | _lines(palette)
    )
    return f'<symbol id="{name}" viewBox="0 0 120 100">{drawn}</symbol>'


def _lines(palette: Palette) -> dict[str, str]:
    """The same paints for lines: ``{a_}``."""
    return {f"{paint}_": f'stroke="{colour}"' for paint, colour in palette.items()}


def ground(x: float = 60, wide: float = 40) -> str:
    """The shadow that a creature stands on."""
    return f'<ellipse cx="{x:g}" cy="92" rx="{wide:g}" ry="5" {{k}} opacity=".13"/>'


def round_(x: float, y: float, wide: float, high: float | None = None, paint: str = "a", turn: float = 0) -> str:
    """An ellipse around a point; turned by degrees."""
    turned = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
    if high is None or high == wide:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{wide:g}" {{{paint}}}/>'
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{wide:g}" ry="{high:g}" {{{paint}}}{turned}/>'


def block(x: float, y: float, wide: float, high: float, edge: float = 4, paint: str = "a", turn: float = 0) -> str:
    """A box with round corners; turned about its middle by degrees."""
    turned = f' transform="rotate({turn:g} {x + wide / 2:g} {y + high / 2:g})"' if turn else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{edge:g}" {{{paint}}}{turned}/>'


def shape(path: str, paint: str = "a") -> str:
    """Any outline."""
    return f'<path d="{path}" {{{paint}}}/>'


def line(path: str, paint: str = "b", wide: float = 2.5) -> str:
    """A line with round ends."""
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{path}" fill="none" {{{paint}_}} stroke-width="{wide:g}" {ends}/>'


def legs(top: float, wide: float, *places: float, paint: str = "b") -> str:
    """Legs from a height down to the ground, by their middles."""
    return "".join(block(x - wide / 2, top, wide, 92 - top, wide / 2.2, paint) for x in places)


def eye(x: float, y: float, size: float = 5, look: float = 0.35) -> str:
    """An open eye that looks to the right, or with a negative ``look`` to the left."""
    pupil = size * 0.56
    gleam = round_(x + size * look + pupil * 0.35, y - pupil * 0.4, pupil * 0.32, paint="w") if size >= 4 else ""
    return round_(x, y, size, paint="w") + round_(x + size * look, y, pupil, paint="k") + gleam


def eyes(left: float, right: float, y: float, size: float = 5, look: float = 0.3) -> str:
    """Two open eyes."""
    return eye(left, y, size, look) + eye(right, y, size, look)


def bead(x: float, y: float, size: float = 2.4) -> str:
    """A small dark eye with a gleam."""
    return round_(x, y, size, paint="k") + round_(x + size * 0.3, y - size * 0.35, size * 0.35, paint="w")


def asleep(x: float, y: float, wide: float = 5) -> str:
    """A closed eye."""
    return line(f"M{x - wide:g} {y:g}q{wide:g} {wide * 0.9:g} {wide * 2:g} 0", "k", 2.2)


def smile(x: float, y: float, wide: float = 5, paint: str = "k") -> str:
    """A mouth."""
    return line(f"M{x - wide:g} {y:g}q{wide:g} {wide * 0.9:g} {wide * 2:g} 0", paint, 2)


def cheeks(left: float, right: float, y: float, size: float = 3.5) -> str:
    """Two rosy spots."""
    return "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="#e8607a" opacity=".45"/>' for x in (left, right))


def dots(paint: str, *spots: tuple[float, float, float]) -> str:
    """Spots: x, y, size."""
    return "".join(round_(x, y, size, paint=paint) for x, y, size in spots)


def whiskers(left: float, right: float, y: float, paint: str = "b") -> str:
    """Two on each side."""
    return line(
        f"M{left:g} {y:g}l-11-2M{left:g} {y + 3.5:g}l-10 4M{right:g} {y:g}l11-2M{right:g} {y + 3.5:g}l10 4", paint, 1.6
    )
