"""How a match comes to be: created, filled, started; or called off before that."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import engine, registry, verify
from games.chance import commitment, new_entropy, new_seed
from games.clock import Allowance
from games.models import Invitation, Match, Move, Seat, new_slug, stream
from games.now import now
from games.services import rows
from games.services.errors import BadRequest, NotRunning, Refused, StaleMatch
from games.services.leaving import BOT_LEVEL

BOTS = ("Ada", "Bela", "Cyril", "Dora", "Emil", "Flora", "Gustav", "Hana")
"""Names of the bots; a match takes as many as it needs, in this order."""


@dataclass(frozen=True)
class Proposal:
    """What a new match should be."""

    game: str
    seats: int
    bots: int
    options: dict[str, Any] = field(default_factory=dict)
    days: int | None = None
    rated: bool = False
    audience: str = Match.Audience.PUBLIC


def create(user: User, proposal: Proposal) -> Match:
    """A new match with ``user`` on its first seat and bots on the last; it starts at once if that fills it.

    Otherwise it is open and has an invitation by link. Raises BadRequest for
    a game, number of seats or options that do not exist, and Refused for a
    rated match with bots or guests, or without a clock.
    """
    title = registry.all_titles().get(proposal.game)
    if title is None or proposal.seats not in title.game.seat_counts or not 0 <= proposal.bots < proposal.seats:
        raise BadRequest
    try:
        options = asdict(engine.options_from(title.game, proposal.options))
        allowance = Allowance.from_json({"days": proposal.days})
    except (engine.BadOptions, ValueError) as wrong:
        raise BadRequest from wrong
    if proposal.rated and (proposal.bots or user.is_guest or proposal.days is None):
        raise Refused(_("A rated match needs people with accounts on every seat, and a clock."))
    policy = Match.LeavePolicy.END if proposal.seats == 2 else Match.LeavePolicy.BOT
    slug, seed = new_slug(), new_seed()
    with transaction.atomic():
        match = Match.objects.create(
            slug=slug,
            game=title.slug,
            rules_version=title.game.version,
            options=options,
            seat_count=proposal.seats,
            audience=proposal.audience,
            rated=proposal.rated,
            leave_policy=policy,
            allowance=allowance.to_json(),
            seed=seed,
            commitment=commitment(slug, seed),
            created_by=user,
            created_at=now(),
        )
        _sit(match, user, 0)
        for index in range(proposal.bots):
            # Bots take the last numbers, so that people may still join in between.
            number = proposal.seats - proposal.bots + index
            _sit(match, User.objects.bot(BOTS[index]), number, BOT_LEVEL)
        if proposal.bots == proposal.seats - 1:
            _start(match)
        else:
            Invitation.objects.create(match=match, created_at=match.created_at)
    return match


def _sit(match: Match, user: User, joined: int, bot_level: str = "") -> Seat:
    return Seat.objects.create(
        match=match, user=user, number=joined, joined=joined, bot_level=bot_level, entropy=new_entropy()
    )


def _start(match: Match) -> None:
    """Row 1: numbers the seats at random and deals. Inside a transaction, with every seat taken."""
    seats = list(match.seats.order_by("joined"))
    order = verify.seat_order(bytes(match.seed), [bytes(seat.entropy) for seat in seats])
    seats = [seats[joined] for joined in order]
    # Out of each other's way first: a number may be had once.
    for shift in (len(seats), 0):
        for number, seat in enumerate(seats):
            seat.number = number + shift
            seat.save(update_fields=["number"])
    options = engine.options_from(match.rules, match.options)
    state, news = engine.start(match.rules, options, len(seats), stream(match, seats, 1))
    rows.append(match, seats, Move.Kind.START, seat=None, by=Move.By.SERVER, state=state, news=news)


def invitation(match: Match, token: str) -> Invitation:
    """The invitation of this match that the token belongs to. Raises Refused (404) if there is none."""
    for found in match.invitations.all():
        if constant_time_compare(found.token, token):
            return found
    raise UnknownInvitation


class UnknownInvitation(Refused):
    """No such invitation to this match."""

    code = "unknown_invitation"
    status = 404
    sentence = _("This invitation is not valid, or not any more.")


class SeatsTaken(Refused):
    """Somebody else took the last seat."""

    code = "seats_taken"
    sentence = _("All seats of this match are taken.")


class NeedsAccount(Refused):
    """A rated match is between people who can be found again."""

    code = "needs_account"
    sentence = _("This is a rated match: it needs an account.")


def join(match_id: int, user: User, token: str) -> Match:
    """Seats ``user`` by an invitation and starts the match if it is now full; harmless if already seated.

    Raises UnknownInvitation, SeatsTaken or NeedsAccount; then nothing is written.
    """
    match = Match.objects.get(pk=match_id)
    invitation(match, token)
    if match.seats.filter(user=user).exists():
        return match
    if match.rated and user.is_guest:
        raise NeedsAccount
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=match_id)
            if match.status != Match.Status.OPEN:
                raise SeatsTaken
            taken = set(match.seats.values_list("joined", flat=True))
            free = [number for number in range(match.seat_count) if number not in taken]
            if not free:
                raise SeatsTaken
            _sit(match, user, free[0])
            if len(free) == 1:
                _start(match)
    except (IntegrityError, StaleMatch, SeatsTaken):
        if not Seat.objects.filter(match=match_id, user=user).exists():  # else they sent it twice at once
            raise SeatsTaken from None
    return Match.objects.get(pk=match_id)


def cancel(match_id: int, user: User) -> None:
    """Calls off an open match; only who created it may. Raises NotRunning if it has started or ended."""
    cancelled = Match.objects.filter(pk=match_id, created_by=user, status=Match.Status.OPEN).update(
        status=Match.Status.CANCELLED, finished_at=now(), end_reason="cancelled"
    )
    if not cancelled:
        raise NotRunning


def again(match: Match, user: User) -> Match:
    """A new match like this one: the same game, options, pace and bots; friends come in by a new link."""
    bots = sum(1 for seat in match.seats.select_related("user") if seat.user.is_bot)
    proposal = Proposal(
        game=match.game,
        seats=match.seat_count,
        bots=bots,
        options=match.options,
        days=match.clock.days,
        rated=match.rated,
        audience=match.audience,
    )
    return create(user, proposal)
