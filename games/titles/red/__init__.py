"""Red: end your turn in the lead under the rule in force, or change the rule. Pure."""

from games.titles.red.bot import thrifty
from games.titles.red.rules import Red
from games.titles.red.wishes import WISHES as WISHES

GAMES = (Red(),)
BOT = thrifty
