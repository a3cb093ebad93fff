"""Red: end your turn in the lead under the rule in force, or change the rule. Pure."""

from collections.abc import Mapping
from typing import Any

from games.titles import Draw
from games.titles.red.bot import thrifty
from games.titles.red.leading import COLOURS
from games.titles.red.rules import Red
from games.titles.red.wishes import WISHES as WISHES
from games.wording import mark as _

GAMES = (Red(),)
BOT = thrifty

DRAWS = {
    "first": Draw(
        _("The colour that the first seat began with"),
        "colour",
        tuple(COLOURS),
        lambda news: news["palettes"][0][0] if news["what"] == "dealt" and news["round"] == 1 else None,
    )
}
"""Of the first deal only: later ones lack the cards that were won."""

FAMILIES = {"red": _("Red, basic"), "red-advanced": _("Red, advanced")}
"""Who goes out last and who collects most points are games of their own to be good at."""


def family(options: Mapping[str, Any]) -> str:
    """In which of them a match with these options is rated."""
    return "red-advanced" if options.get("game") == "advanced" else "red"
