"""What the page of a running match shows to who plays of what the players want of each other beside the moves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import lists, telling
from games.access import Table
from games.clock import GRANTS
from games.lists import Asked
from games.models import Consent, Match, Seat
from games.services import consent, nudges


@dataclass(frozen=True)
class Proposal:
    """Something that all must agree to: who wants it, who has not said so yet. ``row`` is what an answer must carry."""

    kind: str
    row: int
    mine: bool
    agreed: list[str]
    missing: list[str]


def context(table: Table) -> dict[str, Any]:
    """What to show beside the table to who plays; costs one query."""
    match, asked = table.match, lists.asked(table.match)
    mover = _other_mover(table)
    proposals = [found for kind in Consent.Kind.values if (found := _proposal(table, kind, asked))]
    own = {proposal.kind for proposal in proposals}
    given = sum(one.what == "grant" and one.who == table.me for one in asked)
    grant = match.clock.grant(None)
    return {
        "proposals": proposals,
        "nudges": _nudges(table, asked),
        "mover": mover.user.name if mover else "",
        "nudge_from": _nudge_from(match, table, asked) if mover else None,
        "grant": telling.span_of(int(grant.total_seconds())) if mover and grant and given < GRANTS else None,
        "grants": GRANTS - given,
        "can_pause": match.paused_at is None and Consent.Kind.PAUSE not in own,
        "can_cancel": Consent.Kind.CANCEL not in own,
        "alone": len(consent.people(table.seats)) == 1,
    }


def _other_mover(table: Table) -> Seat | None:
    """The person who is to move, if it is another one and time runs."""
    match = table.match
    if match.paused_at is not None or match.active_seat in (None, table.me):
        return None
    mover = table.seats[match.active_seat or 0]
    return mover if mover.has_player else None


def _proposal(table: Table, kind: str, asked: list[Asked]) -> Proposal | None:
    wanted = [one for one in asked if one.what == kind]
    if not wanted:
        return None
    agreed = [one.who for one in wanted]
    return Proposal(
        kind=kind,
        row=min(one.row for one in wanted),
        mine=table.me in agreed,
        agreed=[table.seats[seat].user.name for seat in agreed if seat != table.me],
        missing=[
            table.seats[seat].user.name for seat in consent.people(table.seats) if seat not in [*agreed, table.me]
        ],
    )


def _nudges(table: Table, asked: list[Asked]) -> list[tuple[str, datetime]]:
    """Who asked the visitor to make the present move, and when."""
    match, names = table.match, {seat.user_id: seat.user.name for seat in table.seats}
    if match.active_seat != table.me or match.paused_at is not None:
        return []
    return [
        (names[one.who], one.at)
        for one in asked
        if one.what == "nudge" and one.version == match.since_version and one.who in names
    ]


def _nudge_from(match: Match, table: Table, asked: list[Asked]) -> datetime | None:
    """From when the visitor may ask whoever is to move."""
    if match.decision_at is None or table.mine is None:
        return None
    mine = [nudges.next_day(one.at) for one in asked if one.what == "nudge" and one.who == table.mine.user_id]
    return max([match.decision_at + nudges.PATIENCE, *mine])
