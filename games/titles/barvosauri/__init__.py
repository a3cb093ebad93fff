"""Barvosauři: bring both figures onto one colour and earn its card. Pure."""

from pathlib import Path

from games.titles.barvosauri.board import load
from games.titles.barvosauri.bot import eager
from games.titles.barvosauri.rules import Barvosauri

GAMES = (Barvosauri(load(Path(__file__).with_name("board.json"))),)
BOT = eager
