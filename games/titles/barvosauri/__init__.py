"""Barvosauři: bring both figures onto one colour and earn its card. Pure."""

from pathlib import Path

from games.titles import Draw
from games.titles.barvosauri.board import COLOURS, load
from games.titles.barvosauri.bot import eager
from games.titles.barvosauri.rules import Barvosauri
from games.wording import mark as _

GAMES = (Barvosauri(load(Path(__file__).with_name("board.json"))),)
BOT = eager

DRAWS = {
    "rolled": Draw(
        _("The die"), "colour", tuple(COLOURS), lambda news: news["colour"] if news["what"] == "rolled" else None
    )
}
