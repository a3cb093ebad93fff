"""The tables, by what they are about."""

from games.models.invitations import Invitation, Invitations, token_hash
from games.models.matches import OPEN_FOR, SLUG_ALPHABET, SLUG_LENGTH, Match, Move, Seat, new_slug, stream
from games.models.notices import Channel, Choice, Delivery, Device, Feed, MatchChoice, Notice
from games.models.people import Favourite, Follow
from games.models.rankings import Ranking, RankingRun, RatingWeek, week_of
from games.models.records import Record
from games.models.standings import OVERALL, Annulment, Fold, Rating, RatingChange
from games.models.staying import Consent, Departure, Nudge
from games.models.tallies import Achievement, Pace, Statistic
from games.models.webhooks import Webhook, WebhookPost
from games.models.worker import Downtime, Heartbeat

__all__ = [
    "OPEN_FOR",
    "OVERALL",
    "SLUG_ALPHABET",
    "SLUG_LENGTH",
    "Achievement",
    "Annulment",
    "Channel",
    "Choice",
    "Consent",
    "Delivery",
    "Departure",
    "Device",
    "Downtime",
    "Favourite",
    "Feed",
    "Fold",
    "Follow",
    "Heartbeat",
    "Invitation",
    "Invitations",
    "Match",
    "MatchChoice",
    "Move",
    "Notice",
    "Nudge",
    "Pace",
    "Ranking",
    "RankingRun",
    "Rating",
    "RatingChange",
    "RatingWeek",
    "Record",
    "Seat",
    "Statistic",
    "Webhook",
    "WebhookPost",
    "new_slug",
    "stream",
    "token_hash",
    "week_of",
]
