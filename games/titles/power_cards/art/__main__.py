"""Writes the sprite."""

from games.titles.power_cards.art.sprite import FILE, sprite

FILE.write_text(sprite(), encoding="utf-8")
