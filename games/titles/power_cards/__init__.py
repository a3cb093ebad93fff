"""Power Cards: name what your top card is best at, win all top cards, build, and aim the piggy. Pure."""

from games.titles.power_cards.bot import sharp
from games.titles.power_cards.deck import DECK
from games.titles.power_cards.rules import PowerCards
from games.titles.power_cards.wishes import WISHES as WISHES

GAMES = (PowerCards(DECK),)
BOT = sharp
