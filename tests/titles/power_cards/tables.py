"""The tables that the tests of Power Cards play at: every combination of options and seats, and some of them."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import product

from games.titles.power_cards import GAMES
from games.titles.power_cards.state import Options

_CHOICES = [tuple(field.metadata.get("choices", (False, True))) for field in fields(Options)]
EVERY = [(Options(*values), seats) for values in product(*_CHOICES) for seats in GAMES[-1].seat_counts]
SOME = random.Random(3).sample(EVERY, 14)
