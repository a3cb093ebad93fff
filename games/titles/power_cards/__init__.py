"""Power Cards: name what your top card is best at, win all top cards, build, and aim the piggy. Pure."""

from games.titles import Draw
from games.titles.power_cards.bot import sharp
from games.titles.power_cards.deck import DECK
from games.titles.power_cards.rules import PowerCards
from games.titles.power_cards.wishes import WISHES as WISHES
from games.wording import mark as _

GAMES = (PowerCards(DECK),)
BOT = sharp

DRAWS = {
    "left": Draw(
        _("The card that is left over when all are dealt"),
        "card",
        tuple(DECK),
        lambda news: news["pot"][0] if news["what"] == "dealt" and len(news["pot"]) == 1 else None,
    )
}
