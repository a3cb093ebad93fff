"""Taking back what a match did to the ratings: the operator's decision, which the fold of the ratings then follows."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Annulment, Match
from games.now import now
from games.services.errors import Refused


class NotRated(Refused):
    """The match has no rated result that could be annulled."""

    code = "not_rated"
    sentence = _("This match has no rated result.")


def annul(match_id: int, why: str, by: User | None = None) -> Annulment:
    """Takes the rated result of a match back; harmless if it was before. Raises NotRated for one without a result."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if not match.rated or match.status != Match.Status.FINISHED:
            raise NotRated
        row, _new = Annulment.objects.get_or_create(match=match, defaults={"by": by, "why": why[:200], "at": now()})
    return row
