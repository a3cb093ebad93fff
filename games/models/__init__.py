"""The tables, by what they are about."""

from games.models.invitations import Invitation, Invitations, token_hash
from games.models.matches import OPEN_FOR, SLUG_ALPHABET, SLUG_LENGTH, Match, Move, Seat, new_slug, stream
from games.models.standings import OVERALL, Annulment, Fold, Rating, RatingChange
from games.models.staying import Consent, Departure, Nudge
from games.models.worker import Downtime, Heartbeat

__all__ = [
    "OPEN_FOR",
    "OVERALL",
    "SLUG_ALPHABET",
    "SLUG_LENGTH",
    "Annulment",
    "Consent",
    "Departure",
    "Downtime",
    "Fold",
    "Heartbeat",
    "Invitation",
    "Invitations",
    "Match",
    "Move",
    "Nudge",
    "Rating",
    "RatingChange",
    "Seat",
    "new_slug",
    "stream",
    "token_hash",
]
