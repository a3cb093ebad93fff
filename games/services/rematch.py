"""Once more, with the same people."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Match
from games.services import capacity, lobby, seating
from games.services.errors import NotRunning
from games.services.lobby import Proposal


def again(match: Match, user: User, entropy: bytes | None = None) -> Match:
    """The rematch of a match that is over, with ``user``, who sat there, on a seat.

    The one that another of its people has begun, if there is one; else a new
    match with the same game, options, pace, bots and policy, to which the others are
    invited. After a match that was called off it is another try. Raises
    NotRunning for one that is not over, and what ``lobby.create`` raises.
    """
    if match.status not in (Match.Status.FINISHED, Match.Status.CANCELLED):
        raise NotRunning(_("This match is not over yet."))
    with transaction.atomic():
        capacity.hold(user)
        # Locked: of two who ask at once the second finds the rematch of the first.
        match = Match.objects.select_for_update().get(pk=match.pk)
        return _begun(match, user, entropy) or _create(match, user, entropy)


def is_listed(match: Match) -> bool:
    """Whether a rematch stands in the lobby: as another try at one that waited there and came to nothing."""
    return match.listed and not match.over


def invites(match: Match, user: User) -> int:
    """How many people would be invited if ``user`` asked for a rematch now; none where one stands already."""
    standing = match.rematches.filter(status__in=(Match.Status.OPEN, Match.Status.PLAYING))
    if standing.filter(Q(seats__user=user) | Q(invitations__to=user, invitations__revoked_at=None)).exists():
        return 0
    return len(_others(match, user))


def _others(match: Match, user: User) -> list[User]:
    """The people beside the user; a guest who came along into an account with a seat of its own is nobody any more."""
    people = [seat.user for seat in match.seats.select_related("user").order_by("number")]
    return [person for person in people if not person.is_house_bot and person.is_active and person != user]


def _begun(match: Match, user: User, entropy: bytes | None) -> Match | None:
    """A rematch that waits or runs, with the user on a seat of it; None if there is none for them."""
    for found in match.rematches.filter(status__in=(Match.Status.OPEN, Match.Status.PLAYING)).order_by("-pk"):
        if found.seats.filter(user=user).exists():
            return found
        # Also who declined, or did not answer in time, may think again as long as a seat is free.
        if found.status == Match.Status.OPEN and found.invitations.filter(to=user, revoked_at=None).exists():
            try:
                seating.take(seating.opened(found.pk), user, entropy)
            except seating.SeatsTaken:
                continue
            return found
    return None


def _create(match: Match, user: User, entropy: bytes | None) -> Match:
    others = _others(match, user)
    proposal = Proposal(
        game=match.game,
        seats=match.seat_count,
        bots=sum(seat.user.is_house_bot for seat in match.seats.select_related("user")),
        options=match.options,
        days=match.clock.days,
        bank=match.clock.bank,
        rests=match.clock.rests,
        rated=match.rated,
        audience=match.audience,
        listed=is_listed(match),
        leave_policy=match.leave_policy,
        rating_from=match.rating_from,
        rating_to=match.rating_to,
        finish_share=match.finish_share,
    )
    made = lobby.create(user, proposal, others, match, entropy)
    seating.changed(match)  # pages of the match that is over show that there is a rematch
    return made
