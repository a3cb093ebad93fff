"""The pictures of Power Cards: creatures put together from a kit of parts, written to one sprite. Pure.

The sprite is ``static/power_cards/creatures.svg``, one symbol a card. After
a change here ``python -m games.titles.power_cards.art`` writes it anew.
"""
