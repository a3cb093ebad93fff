"""A turn: what a player or a bot submits becomes a row, or nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q, QuerySet

from games import engine, states
from games.chance import fresh
from games.models import Match, Move, Seat, stream
from games.now import now
from games.services import rows
from games.services.errors import Illegal, KeyReused, NotRunning, NotYourTurn, Paused, StaleMatch, TimeIsUp


def play(
    match_id: int, seat: int, steps: Sequence[str], *, version: int, key: UUID | None, by: Move.By = Move.By.USER
) -> Move:
    """Appends what ``seat`` submits to the log and returns the new row.

    ``version`` is what the player was looking at; ``key`` makes a repeat
    harmless: the same key with the same steps gives the row it gave before.
    That the caller may act for the seat was settled in ``access.seat_for``.
    Raises StaleMatch, TimeIsUp, NotYourTurn, NotRunning, Paused, KeyReused
    or Illegal; then nothing is written.
    """
    text = engine.join(steps)
    if earlier := _earlier(match_id, seat, key):
        return _confirmed(earlier, text)
    try:
        return _appended(match_id, seat, steps, version, key, by)
    except (StaleMatch, NotYourTurn, NotRunning, Paused, IntegrityError) as overtaken:
        # The rival that was first may have been this same post, sent twice at once.
        if earlier := _earlier(match_id, seat, key):
            return _confirmed(earlier, text)
        if isinstance(overtaken, IntegrityError):
            raise StaleMatch from overtaken
        if isinstance(overtaken, StaleMatch) and Match.objects.filter(pk=match_id, version=version).exists():
            raise TimeIsUp from overtaken  # nobody else moved: it was the clock
        raise


def _appended(match_id: int, seat: int, steps: Sequence[str], version: int, key: UUID | None, by: Move.By) -> Move:
    """The new row; raises as ``play`` does, or IntegrityError for a key or number that a rival has used by now."""
    match = rows.running(match_id, version)
    if match.paused_at is not None:
        raise Paused
    if match.active_seat != seat:
        raise NotYourTurn
    seats = list(match.seats.select_related("user"))
    state, news = _played(match, seats, steps)
    text = engine.join(steps)
    with rows.sound(match), transaction.atomic():  # short: on SQLite this is the one write lock
        return rows.append(match, seats, Move.Kind.PLAY, seat=seat, by=by, state=state, news=news, text=text, key=key)


def _earlier(match_id: int, seat: int, key: UUID | None) -> Move | None:
    if key is None:
        return None
    return Move.objects.filter(match_id=match_id, seat=seat, key=key).first()


def _confirmed(move: Move, text: str) -> Move:
    """The row of an earlier post with this key, if it was the same post."""
    if move.text != text:
        raise KeyReused
    return move


def _played(match: Match, seats: list[Seat], steps: Sequence[str]) -> engine.Result[Any]:
    """The state and news after the steps. A fault of the rules stops this match, not the site."""
    try:
        state = states.load(match, seats)
        return engine.play(match.rules, state, steps, stream(match, seats, match.version + 1))
    except engine.IllegalMove as refused:
        raise Illegal(refused) from refused
    except (DatabaseError, states.UnknownRules):
        raise  # no fault of the match: the next try may find it mended
    except Exception as fault:
        rows.quarantine(match, fault)
        raise NotRunning from fault


def bots_due(moment: datetime) -> QuerySet[Match]:
    """The running matches in which a bot is to move: not in a pause, nor while it waits for who ran out of time."""
    free = Q(held_until=None) | Q(held_until__lte=moment)
    return Match.objects.filter(free, status=Match.Status.PLAYING, active_bot=True, paused_at=None)


def play_bots(match_id: int, limit: int = 200) -> int:
    """Lets the bots of a match move until a person is asked or it is over; the number of rows they made.

    A bot gets the observation of its seat and fresh chance, never the match's own. A move that a
    rival overtook is left to the next sweep.
    """
    made = 0
    while made < limit:
        match = bots_due(now()).filter(pk=match_id).first()
        if match is None or match.active_seat is None:
            break
        seats = list(match.seats.all())
        try:
            observation = match.rules.observe(states.load(match, seats), match.active_seat)
            steps = match.title.bot(match.rules, observation, fresh())
        except (DatabaseError, states.UnknownRules):
            raise
        except Exception as fault:
            rows.quarantine(match, fault)
            break
        try:
            play(match.pk, match.active_seat, steps, version=match.version, key=None, by=Move.By.BOT)
        except Illegal as fault:
            rows.quarantine(match, fault)
            break
        except (StaleMatch, TimeIsUp, NotYourTurn, NotRunning, Paused):
            break
        made += 1
    return made
