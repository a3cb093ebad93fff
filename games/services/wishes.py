"""Moves by wish: which ones a player wants made, and making them when their moment has come."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from django.db import DatabaseError, transaction

from accounts.models import User
from games import states
from games.chance import fresh
from games.models import Match, Move, Seat
from games.now import now
from games.services import rows, turns
from games.services.errors import BadRequest, NotRunning, NotYourTurn, StaleMatch, TimeIsUp

log = logging.getLogger(__name__)


def choose(match_id: int, user: User, names: Iterable[str]) -> None:
    """Keeps which moves the user wants made in this match; they count at once, also in a decision that waits.

    Raises BadRequest for a wish that the game does not have, NotRunning if the match is not being played or the user
    plays no seat of it; then nothing is written.
    """
    wanted = set(names)
    with transaction.atomic():
        # The lock keeps off rows: none begins a decision by the wishes from before.
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.status != Match.Status.PLAYING:
            raise NotRunning
        known = match.title.wishes
        if not wanted <= set(known):
            raise BadRequest
        seat = match.seats.filter(user=user, left_version=None).first()
        if seat is None or seat.plays_itself:
            raise NotRunning
        Seat.objects.filter(pk=seat.pk).update(auto=[name for name in known if name in wanted])
        if match.active_seat == seat.number and match.paused_at is None:
            moment = rows.wish_at(now(), match.deadline) if wanted else None
            Match.objects.filter(pk=match.pk).update(auto_at=moment)


def play(match_id: int) -> Move | None:
    """Makes the move that the player to move has wished for, if its moment has come and a wish fits; else None.

    Where none fits the player is left to decide, and nobody hears that anything was looked for.
    """
    due = Match.objects.filter(status=Match.Status.PLAYING, paused_at=None, auto_at__lte=now())
    match = due.filter(pk=match_id).first()
    if match is None or match.active_seat is None:
        return None
    try:
        with rows.sound(match):
            steps = _steps(match)
        if steps is not None:
            return turns.play(match.pk, match.active_seat, steps, version=match.version, key=None, by=Move.By.AUTO)
    except (StaleMatch, TimeIsUp, NotYourTurn, NotRunning):
        return None  # overtaken; and where time is up the sweep over deadlines decides, or gives more
    except (DatabaseError, states.UnknownRules):
        raise  # the next try may find it mended
    except Exception:  # also what the rules refuse: a wish is no part of the rules, its fault stops no match
        log.exception("a wish failed in %s at version %s", match, match.version)
    Match.objects.filter(pk=match.pk, version=match.version, auto_at=match.auto_at).update(auto_at=None)
    return None


def _steps(match: Match) -> list[str] | None:
    """What the first wish of the active seat that fits wants played; None if none does."""
    seats = list(match.seats.all())
    seat = seats[match.active_seat or 0]
    if not seat.has_player:
        return None
    state = states.load(match, seats)
    observation = match.rules.observe(state, seat.number)
    for name, wish in match.title.wishes.items():
        if name in seat.auto and (steps := wish.steps(match.rules, observation, fresh())) is not None:
            return steps
    return None
