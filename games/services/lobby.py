"""How a match comes to be: created and filled; or left, called off or given up before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import engine, registry
from games.chance import commitment, new_seed
from games.clock import Allowance
from games.models import OPEN_FOR, Invitation, Match, new_slug
from games.now import now
from games.services import capacity, invitations, seating, wanted
from games.services.errors import BadRequest, NotRunning, Refused
from games.services.leaving import BOT_LEVEL
from games.titles import Title

BOTS = ("Ada", "Bela", "Cyril", "Dora", "Emil", "Flora", "Gustav", "Hana")
"""Names of the bots; a match takes as many as it needs, in this order."""


def usual_policy(seats: int) -> str:
    """What happens when somebody leaves a match of so many, where nothing else was chosen."""
    return Match.LeavePolicy.END if seats == 2 else Match.LeavePolicy.BOT


@dataclass(frozen=True)
class Proposal:
    """What a new match should be."""

    game: str
    seats: int
    bots: int
    options: dict[str, Any] = field(default_factory=dict)
    days: int | None = None
    bank: tuple[int, int, int] | None = None
    rests: bool = False
    rated: bool = False
    audience: str = Match.Audience.PUBLIC
    listed: bool = False
    leave_policy: str = ""  # as usual for the number of seats
    rating_from: int | None = None  # whom the lobby offers it to, see ``wanted``
    rating_to: int | None = None
    finish_share: int | None = None

    @property
    def waits(self) -> bool:
        """Whether a seat is left for somebody else."""
        return self.bots < self.seats - 1


def create(
    user: User,
    proposal: Proposal,
    people: Sequence[User] = (),
    rematch_of: Match | None = None,
    entropy: bytes | None = None,
) -> Match:
    """A new match with ``user`` on its first seat and bots on the last; it starts at once if that fills it.

    ``entropy`` is what the user's browser adds to the draws, if it does (see ``seating.sit``).

    Otherwise it is open, has an invitation by link, and ``people`` are invited
    by name; who is listed stands in the lobby. Raises BadRequest for a game,
    number of seats or options that do not exist; Refused for a rated match with
    bots or guests or without a clock, or for one that only its players may see
    and that is listed or where others may take over seats; CannotInvite for
    people who cannot be invited; OnlyInvited for a bot; TooManyTimeOuts; TooManyMatches.
    """
    title, options, allowance, policy = _agreed(user, proposal)
    waits = proposal.waits
    listed = proposal.listed and waits
    slug, seed = new_slug(), new_seed()
    with transaction.atomic():
        if waits:
            capacity.hold(user)
            capacity.check(user)
        match = Match.objects.create(
            slug=slug,
            game=title.slug,
            rules_version=title.game.version,
            options=options,
            seat_count=proposal.seats,
            audience=proposal.audience,
            listed=listed,
            rated=proposal.rated,
            rating_from=proposal.rating_from if listed else None,
            rating_to=proposal.rating_to if listed else None,
            finish_share=proposal.finish_share if listed else None,
            rematch_of=rematch_of,
            leave_policy=policy,
            allowance=allowance.to_json(),
            seed=seed,
            commitment=commitment(slug, seed),
            created_by=user,
            created_at=now(),
        )
        seating.sit(match, user, 0, entropy=entropy)
        for index in range(proposal.bots):
            # Bots take the last numbers, so that people may still join in between.
            number = proposal.seats - proposal.bots + index
            seating.sit(match, User.objects.bot(BOTS[index]), number, BOT_LEVEL)
        if waits:
            invitations.make_link(match, user)
        else:
            seating.start(match)
        if people:
            invitations.invite(match.pk, user, people)
    return match


def _agreed(user: User, proposal: Proposal) -> tuple[Title, dict[str, Any], Allowance, str]:
    """The game, its options, the clock and what happens when somebody leaves. Raises as ``create`` does."""
    title = registry.all_titles().get(proposal.game)
    if title is None or proposal.seats not in title.game.seat_counts or not 0 <= proposal.bots < proposal.seats:
        raise BadRequest
    try:
        options = asdict(engine.options_from(title.game, proposal.options))
        allowance = Allowance.from_json({"days": proposal.days, "bank": proposal.bank, "rests": proposal.rests})
    except (engine.BadOptions, ValueError) as wrong:
        raise BadRequest from wrong
    if proposal.rated and (proposal.bots or user.is_guest or allowance.none):
        raise Refused(_("A rated match needs people with accounts on every seat, and a clock."))
    if proposal.listed and proposal.waits and proposal.audience == Match.Audience.SEATED:
        raise Refused(_("A match in the lobby cannot be hidden from everybody but its players."))
    if user.is_bot:
        raise seating.OnlyInvited
    policy = proposal.leave_policy or usual_policy(proposal.seats)
    if policy not in Match.LeavePolicy.values:
        raise BadRequest
    if policy == Match.LeavePolicy.SUBSTITUTE and proposal.audience == Match.Audience.SEATED:
        raise Refused(_("Where only the players may watch, nobody else finds a seat to take over."))
    if (proposal.rating_from or 0) > (wanted.HIGHEST if proposal.rating_to is None else proposal.rating_to):
        raise BadRequest
    return title, options, allowance, policy


class NotListed(Refused):
    """The match does not stand in the lobby."""

    code = "not_listed"
    status = 404
    sentence = _("This match is not in the lobby.")


def join(match_id: int, user: User, token: str, entropy: bytes | None = None) -> Match:
    """Seats ``user`` by a link and starts the match if it is now full; harmless if already seated.

    Raises UnknownInvitation, SeatsTaken or NeedsAccount; then nothing is written.
    """
    invitations.by_token(Match.objects.get(pk=match_id), token)
    # Asked again behind the lock: the link may be withdrawn at the same moment.
    return seating.seat(match_id, user, partial(invitations.by_token, token=token), entropy)


def sit(match_id: int, user: User, entropy: bytes | None = None) -> Match:
    """Seats ``user`` at a match of the lobby and starts it if it is now full; harmless if already seated.

    Raises NotListed, SeatsTaken, NotWanted, NeedsAccount, TooManyTimeOuts or TooManyMatches; then nothing is written.
    """

    def listed(match: Match) -> None:
        if not match.listed:
            raise NotListed
        if not match.seats.filter(user=user).exists():
            wanted.check(match, user)

    return seating.seat(match_id, user, listed, entropy)


def leave(match_id: int, user: User) -> None:
    """Gives up a seat of a match that has not begun; harmless without one. What the seat added to the draws goes too.

    Raises NotRunning once it has begun or is called off, and Refused for who made it: they call it off.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.status != Match.Status.OPEN:
            raise NotRunning(_("This match has begun or is over: its seats can no longer be left."))
        if match.created_by_id == user.pk:
            raise Refused(_("You made this match: you can call it off."))
        if match.seats.filter(user=user).delete()[0]:
            taken = Invitation.objects.filter(match=match, to=user, answer=Invitation.Answer.ACCEPTED)
            taken.update(answer=Invitation.Answer.DECLINED, answered_at=now())
            seating.changed(match, user.pk)


def cancel(match_id: int, user: User) -> None:
    """Calls off an open match; only who created it may. Raises NotRunning if it has started or ended."""
    if not _close(Match.objects.filter(pk=match_id, created_by=user), "cancelled"):
        raise NotRunning


def close_unfilled(match_id: int) -> bool:
    """Calls off an open match that has waited for its time; whether it did."""
    return _close(Match.objects.filter(pk=match_id, created_at__lte=now() - OPEN_FOR), "unfilled")


def _close(found: QuerySet[Match], reason: str) -> bool:
    """Calls off the match that is found, if it is open; a rival who fills its last seat wins or loses by this row."""
    with transaction.atomic():
        match = found.filter(status=Match.Status.OPEN).first()
        if match is None or not found.filter(status=Match.Status.OPEN).update(
            status=Match.Status.CANCELLED, finished_at=now(), end_reason=reason
        ):
            return False
        seating.changed(match, *match.invitations.waiting(now()).values_list("to", flat=True))
    return True
