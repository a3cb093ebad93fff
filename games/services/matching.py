"""An opponent for whoever asks for one: the table in the lobby that fits best, or a new one that others find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, When

from accounts.models import User
from games import engine, registry
from games.clock import Allowance
from games.models import Fold, Match, Rating
from games.ratings import Skill
from games.services import capacity, lobby, seating, wanted
from games.services.errors import BadRequest
from games.services.lobby import Proposal
from games.titles import Title

NEAR = 200
"""Ratings that differ by less are near enough: among those who has waited longest is first."""

CANDIDATES = 200
"""So many tables that wait longest are looked at, after one's own."""

SEATS = 2


@dataclass(frozen=True)
class Search:
    """What somebody wants to play: a game, in one of its families, at a pace."""

    game: str
    family: str
    days: int | None = None
    bank: tuple[int, int, int] | None = None
    rated: bool = False


def find(user: User, search: Search, entropy: bytes | None = None) -> Match:
    """The match at which ``user`` sits now: begun, if somebody waited for one like it, else open and in the lobby.

    Asked again while it waits, it is the same. Raises BadRequest for what does not exist, and what sitting down or
    making a match raises: NeedsAccount, TooManyTimeOuts, TooManyMatches.
    """
    title = registry.all_titles().get(search.game)
    if title is None or search.family not in title.families or SEATS not in title.game.seat_counts:
        raise BadRequest
    try:
        Allowance.from_json({"days": search.days, "bank": search.bank, "rests": True})
    except ValueError as wrong:
        raise BadRequest from wrong
    bank = {"allowance__bank__0": search.bank[0]} if search.bank else {"allowance__bank": None}
    clock = {"allowance__days": search.days, **bank}
    if search.rated and (user.is_guest or (search.days is None and search.bank is None)):
        raise seating.NeedsAccount
    with transaction.atomic():
        capacity.hold(user)
        # Of two who search at once the second finds the table of the first.
        list(Fold.objects.select_for_update().filter(pk=Fold.objects.get_or_create(name=f"find {title.slug}")[0].pk))
        for match in _candidates(user, search, title, clock):
            if match.created_by_id == user.pk:
                return match
            try:
                return lobby.sit(match.pk, user, entropy)
            except (seating.SeatsTaken, wanted.NotWanted, lobby.NotListed):
                continue  # somebody was quicker, or it is for others
        proposal = Proposal(
            game=title.slug,
            seats=SEATS,
            bots=0,
            options=options_of(title, search.family),
            days=search.days,
            bank=search.bank,
            rests=True,
            rated=search.rated,
            listed=True,
        )
        return lobby.create(user, proposal, entropy=entropy)


def _candidates(user: User, search: Search, title: Title, clock: dict[str, Any]) -> list[Match]:
    """The tables that fit: the user's own, then by how near the ratings are, and of those as near the oldest first."""
    tables = Match.objects.filter(status=Match.Status.OPEN, listed=True, game=title.slug, seat_count=SEATS)
    tables = tables.filter(**clock, rated=search.rated).annotate(taken=Count("seats")).filter(taken__lt=SEATS)
    own_first = Case(When(created_by=user, then=0), default=1)
    tables = tables.order_by(own_first, "pk")[:CANDIDATES]
    found = [match for match in tables if title.family(match.options) == search.family]
    makers = [match.created_by_id for match in found]
    ratings = Rating.objects.filter(family=search.family, user__in=[user.pk, *(pk for pk in makers if pk)])
    shown = {row.user_id: row.skill.shown for row in ratings}
    mine = shown.get(user.pk, Skill().shown)

    def order(match: Match) -> tuple[bool, int, int]:
        away = abs(shown.get(match.created_by_id or 0, Skill().shown) - mine)
        return match.created_by_id != user.pk, away // NEAR, match.pk

    return sorted(found, key=order)


def options_of(title: Title, family: str) -> dict[str, Any]:
    """The options of a family that differ least from the usual ones: the first that are rated in it."""
    return next(options for options in _all_options(title) if title.family(options) == family)


def _all_options(title: Title) -> Iterator[dict[str, Any]]:
    """All options of a title, the usual ones first."""
    usual = asdict(engine.options_from(title.game, {}))
    offered = []
    for option in fields(title.game.Options):
        values = option.metadata.get("choices") or (False, True)
        offered.append(sorted(values, key=lambda value, name=option.name: value != usual[name]))
    for values in product(*offered):
        yield dict(zip(usual, values, strict=True))
