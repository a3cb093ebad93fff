"""Finished matches that their players want to find again."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Favourite, Match
from games.now import now
from games.services.errors import Refused


class NotOver(Refused):
    """Only what has ended, and what the user has played, stands in a history."""

    code = "not_over"
    sentence = _("Only finished matches that you have played can be favourites.")


def star(match: Match, user: User) -> None:
    """Makes a finished match a favourite of who has played it; harmless if it is one. Raises NotOver."""
    played = Q(seats__user=user) | Q(departures__user=user)
    if not Match.objects.filter(played, pk=match.pk, status=Match.Status.FINISHED).exists():
        raise NotOver
    Favourite.objects.get_or_create(user=user, match=match, defaults={"at": now()})


def unstar(match: Match, user: User) -> None:
    """Makes it an ordinary match again; harmless if it was one."""
    Favourite.objects.filter(user=user, match=match).delete()
