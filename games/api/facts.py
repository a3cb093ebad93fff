"""From rows to the plain values of answers: matches, rows, observations; everything through the doors of the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import engine, lists, registry, rendering, states, telling
from games.access import Table
from games.forms import PACES
from games.lists import Former
from games.models import Match, Move, Seat
from games.now import now
from games.services import rows
from games.services.errors import NotRunning
from games.views.table_page import STOPPED, check_version

PAGE = 100
"""Rows of a log in one answer."""


def pace_of(match: Match) -> str:
    """The name of a match's pace, as new matches take it; "none" without a clock."""
    clock = match.clock
    return next((name for name, pace in PACES.items() if pace == (clock.days, clock.bank)), "none")


def player(user: User) -> dict[str, Any]:
    """Somebody by name."""
    return {"name": user.name, "kind": user.kind}


def _seat(seat: Seat, me: int | None) -> dict[str, Any]:
    return {
        "number": seat.number,
        "player": player(seat.user),
        "me": seat.user_id == me,
        "bot_plays": seat.plays_itself,
        "left": seat.left_how or None,
        "vacant_until": seat.vacant_until,
        "place": seat.place,
        "bank": seat.bank,
    }


def match(
    found: Match,
    seats: Sequence[Seat],
    visitor: User | AnonymousUser,
    outcome: str = "",
    moment: datetime | None = None,
) -> dict[str, Any]:
    """A match that the visitor may see, with its seats and their users fetched; lists ask for the ``moment`` once."""
    me = visitor.pk if visitor.is_authenticated else None
    mine = next((seat for seat in seats if seat.user_id == me), None) if me is not None else None
    plays = mine is not None and mine.left_version is None and found.status == Match.Status.PLAYING
    running = plays and found.paused_at is None and mine is not None
    return {
        "id": found.slug,
        "url": found.get_absolute_url(),
        "game": found.game,
        "rules_version": found.rules_version,
        "options": found.options,
        "status": found.status,
        "version": found.version,
        "gathered": found.gathered,
        "seat_count": found.seat_count,
        "seats": [_seat(seat, me) for seat in seats],
        "my_seat": mine.number if mine is not None else None,
        "active_seat": found.active_seat,
        "my_turn": bool(running and mine is not None and found.active_seat == mine.number),
        "since_version": found.since_version,
        "deadline": _deadline(found, moment),
        "paused_until": found.paused_until,
        "clock": {"pace": pace_of(found), "rests": found.clock.rests, "sentence": said(found.clock.sentence())},
        "audience": found.audience,
        "listed": found.listed,
        "rated": found.rated,
        "rating_from": found.rating_from,
        "rating_to": found.rating_to,
        "finish_share": found.finish_share,
        "leave_policy": found.leave_policy,
        "commitment": found.commitment,
        "created_at": found.created_at,
        "started_at": found.started_at,
        "moved_at": found.moved_at,
        "finished_at": found.finished_at,
        "end_reason": found.end_reason,
        "outcome": outcome,
    }


def _deadline(found: Match, moment: datetime | None) -> datetime | None:
    """Until when whoever is to move has time, as far as it is told."""
    if found.status != Match.Status.PLAYING or not found.clock.none:
        return found.deadline if found.status == Match.Status.PLAYING else None
    return found.told_deadline(moment or now())


def many(found: Iterable[Match], visitor: User | AnonymousUser) -> list[dict[str, Any]]:
    """Matches of a list, with their seats and users prefetched."""
    moment = now()
    return [match(one, list(one.seats.all()), visitor, moment=moment) for one in found]


def table(found: Table, visitor: User | AnonymousUser) -> dict[str, Any]:
    """A match by itself: as in lists, and what decided it."""
    return match(found.match, found.seats, visitor, _outcome(found) if found.match.over else "")


def fresh(slug: str, visitor: User | AnonymousUser) -> dict[str, Any]:
    """A match as it is now, read anew; for who has just acted in it."""
    found = Match.objects.get(slug=slug)
    return table(Table(found, list(found.seats.select_related("user")), None), visitor)


def said(sentence: Any, names: Sequence[str] = (), title: Any = None) -> str:
    """A sentence as plain text."""
    return rendering.to_text(sentence, names, title)


def _outcome(found: Table) -> str:
    """What decided a finished match, told as to somebody who watches."""
    observation = sound_observation(found, found.state(), "open")
    places = [seat.place or 0 for seat in found.seats]
    left = max(found.seats, key=lambda seat: seat.left_version or 0).number
    sentence = telling.decided(found.match, observation, places, found.me, left)
    return said(sentence, names(found), found.match.title)


def names(found: Table) -> list[str]:
    """Who sits where."""
    return [seat.user.name for seat in found.seats]


def sound_observation(found: Table, state: Any, viewer: engine.Viewer) -> dict[str, Any]:
    """What a viewer may know of a state; a fault of the rules is one of the stored match."""
    try:
        return found.match.rules.observe(state, viewer)
    except Exception as fault:
        raise states.Unreplayable(f"{found.match}: {fault!r}") from fault


def state_of(found: Table, version: int | None = None) -> Any:
    """The state after a row. Raises Http404 for a version there is not, NotRunning for a match that was stopped.

    A log that does not replay stops the match, not the site.
    """
    if found.match.status == Match.Status.QUARANTINED:
        raise NotRunning(STOPPED)
    check_version(found.match, found.match.version if version is None else version)
    try:
        return found.state(version)
    except states.Unreplayable as fault:
        rows.quarantine(found.match, fault)
        raise NotRunning(STOPPED) from fault


def observed(found: Table, version: int | None = None) -> dict[str, Any]:
    """What the visitor may know at a version, with the steps that are theirs to know. Raises as ``state_of`` does."""
    state, viewer, title = state_of(found, version), found.viewer, found.match.title
    game, shown = found.match.rules, found.match.version if version is None else version
    try:
        observation = game.observe(state, viewer)
        active = game.active_seat(state)
        own = viewer == "open" or (viewer is not None and active == viewer)
        legal = list(game.legal_moves(state)) if own and active is not None else []
    except Exception as fault:
        broken = states.Unreplayable(f"{found.match}: {fault!r}")
        rows.quarantine(found.match, broken)
        raise NotRunning(STOPPED) from fault
    asked = said(title.words.ask(observation, legal), names(found), title)
    return {
        "match": found.match.slug,
        "version": shown,
        "head": found.match.version,
        "viewer": None if viewer is None else str(viewer),
        "active_seat": active,
        "my_turn": shown == found.match.version and is_my_turn(found),
        "observation": observation,
        "legal": legal,
        "ask": asked,
    }


def is_my_turn(found: Table) -> bool:
    """Whether the visitor is to move."""
    match, mine = found.match, found.mine
    playing = match.status == Match.Status.PLAYING and match.paused_at is None
    return playing and mine is not None and mine.left_version is None and match.active_seat == mine.number


def told(found: Table, moves: Iterable[Move], former: Sequence[Former] | None = None) -> list[dict[str, Any]]:
    """Rows of the log as the visitor may read them: news through ``seen``, texts only once everything is open."""
    title, viewer = found.match.title, found.viewer
    moves = list(moves)
    former = lists.former(found.match) if former is None else former
    read = telling.rows(title, moves, viewer, found.me, former)
    return [
        {
            "number": row.number,
            "at": row.at,
            "kind": row.kind,
            "seat": row.seat,
            # That a move was made by wish is told to the player of its seat and to nobody else.
            "by": Move.By.USER if move.by == Move.By.AUTO and not row.automatic else move.by,
            "news": engine.seen(move.news, viewer),
            "sentences": [said(sentence, names(found), title) for sentence in row.sentences],
            "text": move.text if viewer == "open" else None,
        }
        for row, move in zip(read, moves, strict=True)
    ]


def since(found: Table, version: int, most: int = PAGE) -> list[Move]:
    """The rows behind a version, the earliest first; one more than ``most`` if there are more."""
    moves = Move.objects.filter(match=found.match, number__gt=version).order_by("number")
    return list(moves.defer("digest", "key")[: most + 1])


def known(found: Match) -> bool:
    """Whether this site has the game of a match."""
    return found.game in registry.all_titles()
