"""The pictures: one for every card, no two alike, and the file is what the kit draws."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from games.titles.power_cards.art.sprite import FILE, sprite
from games.titles.power_cards.deck import DECK

SYMBOL = "{http://www.w3.org/2000/svg}symbol"


@pytest.fixture(scope="module")
def symbols() -> dict[str, ElementTree.Element]:
    """The pictures of the file, by card."""
    return {symbol.attrib["id"]: symbol for symbol in ElementTree.fromstring(FILE.read_text("utf-8"))}


def test_the_file_is_what_the_kit_draws() -> None:
    assert FILE.read_text("utf-8") == sprite()


def test_every_card_has_its_picture(symbols: dict[str, ElementTree.Element]) -> None:
    assert list(symbols) == list(DECK)
    outlines = {tuple(shape.attrib.get("d", "") for shape in symbol.iter()) for symbol in symbols.values()}
    assert len(outlines) == len(DECK)
    assert {symbol.tag for symbol in symbols.values()} == {SYMBOL}


def test_a_picture_is_drawn_with_shapes_and_attributes_only(symbols: dict[str, ElementTree.Element]) -> None:
    tags = {shape.tag.split("}")[1] for symbol in symbols.values() for shape in symbol.iter()}
    assert tags == {"symbol", "g", "path", "circle", "ellipse", "rect"}
    assert not re.search(r"style|script|href|[{}]|\bon[a-z]+=", FILE.read_text("utf-8"))
