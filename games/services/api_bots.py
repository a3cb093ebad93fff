"""Bots by API: users that a person owns, for whom a program of that person plays, by a token and nothing else."""

from __future__ import annotations

import logging
from typing import TypedDict

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts import names, signup, tokens
from accounts.models import Bot, Token, User
from games import live
from games.models import Invitation, Match, Seat
from games.now import now
from games.services import invitations, leaving, lobby
from games.services.errors import NotRunning, Refused, StaleMatch

log = logging.getLogger(__name__)

MOST = 3
"""Bots of one person."""

HOUSE = frozenset(map(names.skeleton, lobby.BOTS))
"""Names of the site's own bots: theirs are shown in the same way."""

LASTS = 365
"""Days for which a bot's token holds."""

TRIES = 5
"""How often a match is given up anew when others move in it."""


class Facts(TypedDict):
    """What can be changed of a bot."""

    about: str
    games: list[str]
    everybody: bool


class TooManyBots(Refused):
    """The person has MOST bots already."""

    code = "too_many_bots"
    sentence = _("You have as many bots as one can have. Remove one of them first.")


class NameTaken(Refused):
    """Somebody has the name, or one too much like it."""

    code = "name_taken"
    sentence = names.TAKEN


def of(owner: User) -> QuerySet[Bot]:
    """The bots of a person, the first made first."""
    return Bot.objects.select_related("user").filter(user__owner=owner, user__is_active=True).order_by("pk")


def challengeable(visitor: User | None) -> QuerySet[Bot]:
    """The bots that the visitor may challenge: those for everybody, and their own."""
    asked = Q(everybody=True) if visitor is None else Q(everybody=True) | Q(user__owner=visitor)
    found = Bot.objects.filter(asked, user__is_active=True, user__owner__is_active=True)
    return found.exclude(games=[]).select_related("user", "user__owner").order_by("user__username")


def make(owner: User, name: str, facts: Facts) -> tuple[Bot, str]:
    """A new bot with a name that was looked at, and its token, which is nowhere to be had afterwards.

    Raises TooManyBots and NameTaken.
    """
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=owner.pk)  # of two at once the second counts the first
            if of(owner).count() >= MOST:
                raise TooManyBots
            if names.skeleton(name) in HOUSE or not signup.is_free(name, None):
                raise NameTaken
            user = User(username=name, kind=User.Kind.BOT, owner=owner, auto_holiday=False, profile=User.Profile.HIDDEN)
            user.set_unusable_password()
            user.save()
            return Bot.objects.create(user=user, **facts), _token(user)
    except IntegrityError:  # somebody else chose it at the same moment
        raise NameTaken from None


def change(bot: Bot, facts: Facts) -> None:
    """Tells something else of a bot from now on; matches that are being played are not touched."""
    Bot.objects.filter(pk=bot.pk).update(**facts)


def new_token(bot: Bot) -> str:
    """Another token of a bot; those before are worth nothing any more."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=bot.pk)
        Token.objects.filter(user=bot.user).delete()
        text = _token(bot.user)
        transaction.on_commit(lambda: live.recheck(bot.pk), robust=True)
    return text


def _token(user: User) -> str:
    return tokens.make(user, user.username, (Token.Scope.READ, Token.Scope.PLAY), LASTS)[1]


def remove(bot: Bot) -> None:
    """The bot plays no more: it leaves where it waits, gives up where it plays, and its tokens are void.

    Its name stays with the matches that it has played.
    """
    with transaction.atomic():
        User.objects.filter(pk=bot.pk).update(is_active=False)
        Token.objects.filter(user=bot.user).delete()
        transaction.on_commit(lambda: live.recheck(bot.pk), robust=True)
    for asked in Invitation.objects.waiting(now()).filter(to=bot.user):
        try:
            invitations.decline(asked)
        except invitations.NotWaiting:
            continue
    for seat in Seat.objects.filter(user=bot.user, finished_at=None, left_version=None).select_related("match"):
        _leave(seat)


def _leave(seat: Seat) -> None:
    if seat.match.status == Match.Status.OPEN:
        try:
            lobby.leave(seat.match_id, seat.user)
            return
        except NotRunning:  # it has begun meanwhile
            seat.refresh_from_db(fields=["number"])
    for _try in range(TRIES):
        version = Match.objects.values_list("version", flat=True).get(pk=seat.match_id)
        try:
            leaving.resign(seat.match_id, seat.number, version=version)
            return
        except StaleMatch:
            continue
        except NotRunning:
            return
    log.error("seat %s of a removed bot was not given up: its time runs out", seat)
