"""Red: end your turn in the lead under the rule in force, or change the rule. Pure."""

from games.titles.red.bot import thrifty
from games.titles.red.rules import Red

GAMES = (Red(),)
BOT = thrifty
