"""Whether what a notice says still holds: asked again right before it leaves."""

from __future__ import annotations

from games.models import Consent, Invitation, Match, Notice
from games.now import now

ASKS = (Notice.Kind.TURN, Notice.Kind.REMINDER, Notice.Kind.NUDGE)
"""Notices that ask their user to move: their ``version`` is the one at which the decision began."""


def why_not(notice: Notice) -> str:
    """Why the notice need not be sent any more, as a code for ``words.WHY``; empty if it is still to be sent.

    A reminder goes out whether or not the page was looked at; everything else is settled by having been seen.
    """
    if notice.seen_at is not None and notice.kind != Notice.Kind.REMINDER:
        return "seen"
    if notice.kind in ASKS:
        return _asked_no_more(notice)
    if notice.kind == Notice.Kind.INVITED:
        invitation = Invitation.objects.filter(pk=int(notice.key.partition(":")[2])).first()
        return "" if invitation is not None and invitation.fate(now()) == "waiting" else "answered"
    if "proposed" in notice.facts:
        proposal = Consent.objects.filter(pk=int(notice.key.partition(":")[2]))
        return "" if proposal.exists() else "answered"
    return ""


def _asked_no_more(notice: Notice) -> str:
    match = notice.match
    if match is None or match.status != Match.Status.PLAYING or match.active_seat is None:
        return "over"
    if match.since_version != notice.version:
        return "moved"
    if match.paused_at is not None:
        return "paused"
    holds = match.seats.filter(number=match.active_seat, user=notice.user_id, left_version=None, bot_level="")
    return "" if holds.exists() else "moved"
