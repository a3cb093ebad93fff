"""Sticks: who takes the last one loses. A toy that shows what a game needs at the least."""

from games.titles.sticks.rules import Sticks

from games.bots import random_bot

GAMES = (Sticks(),)
BOT = random_bot
