"""What the page of a match shows before the match begins, or when it came to nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import segno
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User
from games import lists, telling
from games.access import Table
from games.models import Invitation, Match, Move, Seat
from games.now import now
from games.services import seating
from games.views.seats import seat_views

UNFILLED = _("This match found no players in time, so it was taken down.")

AGREED = _("All who played agreed to call this match off; it counts for nobody.")

ALONE = _("You called this match off; it counts for nobody.")

QUIET_ZONE = 4
"""Empty modules around a QR code, without which cameras do not find it."""


def context(request: HttpRequest, table: Table, sentence: str | Promise = "") -> dict[str, Any]:
    """The context of a match that waits for players; link and invitations are for those who already sit there.

    ``sentence`` says why something was refused.
    """
    match, moment = table.match, now()
    asked = list(match.invitations.select_related("to").order_by("pk")) if table.mine else []
    link = next((one for one in asked if one.to_id is None and one.fate(moment) == "waiting"), None)
    path = reverse("join", args=[match.slug, link.token]) if link else ""
    url = request.build_absolute_uri(path) if path else ""
    made = table.mine is not None and match.created_by_id == table.mine.user_id
    own = invitation_for(request, match)
    return {
        "match": match,
        "title": match.title,
        "seats": seat_views(table),
        "free": range(match.seat_count - len(table.seats)),
        "free_for_anybody": seating.free_seats(match),
        "link": link,
        "invitation_url": url,
        "qr": qr(url) if url else "",
        "by_name": fates(asked, moment, table.mine.user_id if table.mine else None, made=made),
        "own_invitation": own,
        "options": telling.option_values(match),
        "clock": match.clock.sentence(),
        "if_left": telling.if_left(match),
        "can_cancel": made,
        "can_leave": table.mine is not None and not made,
        "can_invite": table.mine is not None and not table.mine.user.is_guest,
        "can_sit": table.mine is None and match.listed and own is None,
        "version": match.version,
        "refused_sentence": sentence,
    }


def invitation_for(request: HttpRequest, match: Match) -> Invitation | None:
    """The visitor's own invitation to the match, if it waits for their answer."""
    if not request.user.is_authenticated:
        return None
    return lists.invitations(request.user).filter(match=match).first()


def fates(asked: list[Invitation], moment: Any, me: int | None, *, made: bool) -> list[dict[str, Any]]:
    """The invitations by name with what became of each, and whether ``me`` may withdraw it."""
    return [
        {
            "invitation": one,
            "name": one.to.name,
            "fate": one.fate(moment),
            "mine": made or one.created_by_id == me,
        }
        for one in asked
        if one.to is not None
    ]


def qr(url: str) -> SafeString:
    """The address as a QR code: SVG without styles, dark on light in either theme, for the camera's sake."""
    code = segno.make(url, micro=False, error="m")
    return mark_safe(code.svg_inline(omitsize=True, border=QUIET_ZONE, light="#fff"))  # noqa: S308 - modules as a path


def off_context(table: Table) -> dict[str, Any]:
    """The context of a match that came to nothing, and why."""
    sentence = why_off(table.match, table.seats, table.mine.user if table.mine else None)
    return {"match": table.match, "sentence": sentence, "title": table.match.title, "sat": table.mine}


def why_off(match: Match, seats: Iterable[Seat], visitor: User | None) -> str | Promise:
    """Why a match never began, or ended without a result, in a sentence to the visitor."""
    seats = list(seats)
    if caller := next((seat.user for seat in seats if seat.left_how == Move.Kind.CANCEL), None):
        if caller == visitor:
            return _("You called this match off before everybody had moved; it counts for nobody.")
        text = gettext("%(name)s called this match off before everybody had moved; it counts for nobody.")
        return text % {"name": caller.name}
    if match.end_reason == "agreed":
        return ALONE if visitor is not None and not _others(seats, visitor) else AGREED
    if match.end_reason == "unfilled":
        return UNFILLED
    if match.created_by is None:
        return _("This match was called off before it began.")
    if match.created_by == visitor:
        return _("You called this match off before it began.")
    return gettext("%(name)s called this match off before it began.") % {"name": match.created_by.name}


def _others(seats: list[Seat], visitor: User) -> bool:
    """Whether other people than the visitor played to the end."""
    return any(seat.left_version is None and not (seat.plays_itself or seat.user_id == visitor.pk) for seat in seats)
