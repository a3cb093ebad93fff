"""Invitations to an open match: by a link, or by name, which keeps a seat until it is answered or expires."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import Bot, User
from games.models import Invitation, Match, token_hash
from games.now import now
from games.services import notices, seating
from games.services.errors import Refused

LIVES = timedelta(days=7)
"""How long an invitation holds; never longer than the match waits."""

MOST_OPEN = 5
"""Invitations from one user to another that may wait for an answer at once."""

BETWEEN_NAMES = re.compile(r"[\s,;]+")


class UnknownInvitation(Refused):
    """No such invitation to this match."""

    code = "unknown_invitation"
    status = 404
    sentence = _("This invitation is not valid, or not any more.")


class NotWaiting(Refused):
    """The invitation was answered or withdrawn, or it expired."""

    code = "not_waiting"


class CannotInvite(Refused):
    """Somebody cannot be invited; the sentence names them."""

    code = "cannot_invite"
    status = 422


FATES = {
    "accepted": _("This invitation has been accepted already."),
    "declined": _("This invitation has been declined already."),
    "withdrawn": _("This invitation was withdrawn."),
    "expired": _("This invitation has expired."),
}


def by_token(match: Match, token: str) -> Invitation:
    """The link of this match with that token. Raises UnknownInvitation if there is none, or if it holds no longer."""
    found = match.invitations.waiting(now()).filter(to=None, token_hash=token_hash(token)).first()
    if found is None:
        raise UnknownInvitation
    return found


def make_link(match: Match, user: User) -> Invitation:
    """A link to an open match; to be called inside a transaction, with no other link that holds."""
    link = Invitation(match=match, nonce=secrets.token_hex(16), created_by=user, created_at=now())
    link.token_hash = token_hash(link.token)
    link.expires_at = min(link.created_at + LIVES, match.waits_until)
    link.save()
    return link


def withdraw_link(match_id: int, user: User, *, renew: bool = False) -> None:
    """The match's link stops working; with ``renew`` there is another one. Raises SeatsTaken for one not open."""
    with transaction.atomic():
        match = seating.opened(match_id)
        match.invitations.filter(to=None, revoked_at=None).update(revoked_at=now())
        if renew:
            make_link(match, user)
        seating.changed(match)


def named(text: str) -> list[User]:
    """The people of these user names, with spaces or commas between. Raises CannotInvite for an unknown one.

    Bots of people are called like people; guests and the site's own bots have no name to be called by: theirs are as
    unknown as any other.
    """
    names = {name.lower(): name for name in BETWEEN_NAMES.split(text) if name}
    callable_ones = Q(kind=User.Kind.PERSON) | Q(kind=User.Kind.BOT, owner__is_active=True)
    people = User.objects.filter(callable_ones, is_active=True).annotate(plain=Lower("username"))
    found = {user.username.lower(): user for user in people.filter(plain__in=names)}
    for plain, name in names.items():
        if plain not in found:
            raise CannotInvite(gettext("There is no player with an account called “%(name)s”.") % {"name": name})
    return [found[plain] for plain in names]


def invite(match_id: int, user: User, people: Sequence[User]) -> None:
    """Invites people to an open match and keeps a seat for each, until they answer or the invitation expires.

    Raises CannotInvite if one of them cannot be, and SeatsTaken; then nobody is invited.
    """
    moment = now()
    with transaction.atomic():
        match = seating.opened(match_id)
        if len(people) > seating.free_seats(match):
            raise CannotInvite(_("There are fewer free seats than people to invite."))
        for person in people:
            _check(match, user, person)
            # One that expired makes place for the new one.
            match.invitations.filter(to=person, answer="", revoked_at=None).update(revoked_at=moment)
            asked = Invitation.objects.create(
                match=match,
                to=person,
                created_by=user,
                created_at=moment,
                expires_at=min(moment + LIVES, match.waits_until),
            )
            notices.store([notices.invited(asked)])
        seating.changed(match, *(person.pk for person in people))


def _check(match: Match, user: User, person: User) -> None:
    """Raises CannotInvite if ``user`` cannot invite ``person`` to the match."""
    moment, name = now(), {"name": person.name}
    if person == user:
        raise CannotInvite(_("You cannot invite yourself."))
    if person.is_bot:
        _check_bot(match, user, person.bot, name)
    if match.seats.filter(user=person).exists():
        raise CannotInvite(gettext("%(name)s sits there already.") % name)
    earlier = match.invitations.filter(to=person, revoked_at=None).first()
    if earlier is not None and earlier.fate(moment) == "waiting":
        raise CannotInvite(gettext("%(name)s is invited already.") % name)
    if earlier is not None and earlier.answer:
        raise CannotInvite(gettext("%(name)s has declined.") % name)
    between = Invitation.objects.waiting(moment).filter(created_by=user, to=person)
    if between.filter(match__status=Match.Status.OPEN).count() >= MOST_OPEN:
        raise CannotInvite(gettext("%(name)s has not answered your last invitations yet.") % name)


def _check_bot(match: Match, user: User, bot: Bot, name: dict[str, str]) -> None:
    """Raises CannotInvite if the bot does not play the match, or not with the user."""
    if match.rated:
        raise CannotInvite(gettext("%(name)s plays no rated matches: no bot does.") % name)
    if match.game not in bot.games:
        raise CannotInvite(gettext("%(name)s does not play this game.") % name)
    if not bot.everybody and bot.user.owner_id != user.pk:
        raise CannotInvite(gettext("%(name)s plays only with whom it belongs to.") % name)


def accept(invitation: Invitation, entropy: bytes | None = None) -> Match:
    """Seats who is invited by name and starts the match if it is now full; harmless if already seated.

    Raises NotWaiting if it was declined or withdrawn or has expired, SeatsTaken or NeedsAccount.
    """
    if invitation.to is None:
        raise UnknownInvitation

    def claim(_match: Match) -> None:
        _answer(invitation, Invitation.Answer.ACCEPTED)

    return seating.seat(invitation.match_id, invitation.to, claim, entropy)


def decline(invitation: Invitation) -> None:
    """Frees the seat that was kept; harmless if declined already. Raises NotWaiting for one that holds no longer."""
    with transaction.atomic():
        _lock(invitation)
        _answer(invitation, Invitation.Answer.DECLINED)
        seating.changed(invitation.match, invitation.created_by_id, invitation.to_id)


def _lock(invitation: Invitation) -> None:
    """The match first, as for every seat: two that lock in different orders would wait for each other."""
    Match.objects.select_for_update().only("pk").get(pk=invitation.match_id)


def _answer(invitation: Invitation, answer: Invitation.Answer) -> None:
    """Claims the invitation; nothing happens if this was the answer before. Raises NotWaiting."""
    moment = now()
    waiting = Invitation.objects.waiting(moment).filter(pk=invitation.pk)
    if not waiting.update(answer=answer, answered_at=moment):
        fate = Invitation.objects.get(pk=invitation.pk).fate(moment)
        if fate != answer:
            raise NotWaiting(FATES[fate])


def withdraw(invitation: Invitation) -> None:
    """Takes an invitation by name back; harmless if it was before. Raises NotWaiting for one that was answered."""
    moment = now()
    with transaction.atomic():
        _lock(invitation)
        open_ones = Invitation.objects.filter(pk=invitation.pk, answer="", revoked_at=None)
        if not open_ones.update(revoked_at=moment):
            fate = Invitation.objects.get(pk=invitation.pk).fate(moment)
            if fate != "withdrawn":
                raise NotWaiting(FATES[fate])
        seating.changed(invitation.match, invitation.created_by_id, invitation.to_id)
