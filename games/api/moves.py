"""Looking at a match and moving in it: observation, preview, moves, log."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.models import Token
from games import access, engine
from games.access import Table
from games.api import facts, shapes
from games.api.operations import ANYBODY, USER, Operation, operation, somebody
from games.api.reading import Strict, Text, Whole
from games.models import Match
from games.services import turns
from games.services.errors import Illegal, NotRunning, NotYourTurn, Paused, Refused, StaleMatch, TimeIsUp

MOST_ROWS = 500
"""Rows of a log that one answer may have."""

HIGHEST = 2**31 - 1
"""The highest version that can be asked for."""

KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    required=True,
    description="Chosen by you. A move that is sent again with the same key gives the same answer and is made once.",
)


class AtVersion(Strict):
    """Which version of the match."""

    version = serializers.IntegerField(
        required=False, min_value=1, max_value=HIGHEST, help_text="The newest if it is not given."
    )


class Since(Strict):
    """From where on."""

    since = serializers.IntegerField(default=0, min_value=0, max_value=HIGHEST, help_text="The version you know.")
    limit = serializers.IntegerField(default=facts.PAGE, min_value=1, max_value=MOST_ROWS, help_text="Rows at most.")


class Steps(Strict):
    """Steps on top of the version that you have seen."""

    version = Whole(min_value=0, max_value=HIGHEST, help_text="The version of the match that the steps are for.")
    steps = serializers.ListField(
        child=Text(max_length=engine.MAX_STEP_LENGTH, allow_blank=True),
        max_length=engine.MAX_STEPS,
        help_text="In the notation of the legal steps.",
    )


class MovedOn(Refused):
    """A refusal with how the match stands now, and what happened since."""

    def __init__(self, refused: Refused, found: Table, version: int, visitor: Any) -> None:
        super().__init__(refused.sentence)
        self.code, self.status = refused.code, refused.status
        self.problem = how_it_stands(found, version, visitor)


def how_it_stands(found: Table, version: int, visitor: Any) -> dict[str, Any]:
    """The match as it is now, the rows behind ``version``, and what the visitor may know and do."""
    moves = facts.since(found, version)[: facts.PAGE]
    stands: dict[str, Any] = {
        "version": found.match.version,
        "match": facts.match(found.match, found.seats, visitor),
        "rows": facts.told(found, moves),
    }
    if found.match.status in (Match.Status.PLAYING, Match.Status.FINISHED):
        seen = facts.observed(found)
        stands |= {"observation": seen["observation"], "legal": seen["legal"]}
    return stands


class IllegalSteps(Refused):
    """The rules refuse the steps; says why in their words."""

    code = Illegal.code
    status = 422

    def __init__(self, found: Table, move: engine.IllegalMove, observation: dict[str, Any]) -> None:
        title = found.match.title
        sentence = title.words.refusal(move.reason, move.facts, observation)
        super().__init__(facts.said(sentence, facts.names(found), title))
        self.problem = {"reason": move.reason}


def _steps(body: dict[str, Any]) -> list[str]:
    """The steps as the site reads them everywhere."""
    return engine.split(engine.join(body["steps"]))


class ObservationOf(Operation):
    """What one may know."""

    @operation("observe", shapes.Observation, who=ANYBODY, query=AtVersion)
    def get(self, request: Request, slug: str, query: dict[str, Any]) -> dict[str, Any]:
        """What you may know of a match, and the steps you can make.

        Of a running match it is the view of your seat, also at earlier versions, or what everybody may see; after the
        end everything is open.
        """
        found = access.match_for(request.user, slug)
        if found.match.version == 0:
            raise NotRunning(_("This match has not begun."))
        return facts.observed(found, query.get("version"))


class LogOf(Operation):
    """What happened."""

    @operation("log", shapes.Log, who=ANYBODY, query=Since)
    def get(self, request: Request, slug: str, query: dict[str, Any]) -> dict[str, Any]:
        """The rows of a match behind a version, as far as you may know what they say.

        Texts of moves are given only once the match is over: they may name what is hidden.
        """
        found = access.match_for(request.user, slug)
        moves, limit = facts.since(found, query["since"], query["limit"]), query["limit"]
        more = len(moves) > limit
        rows = facts.told(found, moves[:limit])
        following = f"{request.path}?since={rows[-1]['number']}&limit={limit}" if more else None
        return {"rows": rows, "head": found.match.version, "next": following}


class PreviewOf(Operation):
    """What steps would lead to."""

    @operation("preview", shapes.Preview, who=USER, body=Steps)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """What would become of your steps, without making them.

        Shows exactly what is certain: nothing is drawn and nothing revealed. A refusal is that of the move itself.
        """
        found, seat = access.seat_for(request.user, slug)
        game, title, steps = found.match.rules, found.match.title, _steps(body)
        if found.match.status != Match.Status.PLAYING:
            raise NotRunning
        if found.match.version != body["version"]:
            raise MovedOn(StaleMatch(), found, body["version"], request.user)
        if found.match.paused_at is not None:
            raise Paused
        if found.match.active_seat != seat.number:
            raise NotYourTurn
        state = facts.state_of(found)
        before = facts.sound_observation(found, state, seat.number)
        try:
            planned, news = engine.plan(game, state, steps)
        except engine.IllegalMove as why:
            raise IllegalSteps(found, why, before) from why
        undecided = game.active_seat(planned) == seat.number
        return {
            "match": slug,
            "version": found.match.version,
            "observation": facts.sound_observation(found, planned, seat.number),
            "legal": list(game.legal_moves(planned)) if undecided else [],
            "complete": bool(steps) and not undecided,
            "news": engine.seen(news, seat.number),
            "sentences": [facts.said(title.words.step(step, before), facts.names(found), title) for step in steps],
        }


class MovesOf(Operation):
    """Moving."""

    @operation("move", shapes.Moved, who=USER, scope=Token.Scope.PLAY, status=201, body=Steps, headers=[KEY])
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Makes a move: a whole turn, or up to where something is drawn or revealed.

        Needs the version that you have seen and a key. If the match has moved on, the answer is 409 with what happened
        since; what the rules do not allow is 422 with the reason. Nothing of a refused move is kept.
        """
        key = _key(request)
        found, seat = access.seat_for(request.user, slug)
        self.spend("move", seat.user_id)
        version = body["version"]
        try:
            row = turns.play(found.match.pk, seat.number, _steps(body), version=version, key=key)
        except Illegal as refused:
            found, seat = access.seat_for(request.user, slug)
            observation = facts.sound_observation(found, facts.state_of(found), seat.number)
            raise IllegalSteps(found, refused.move, observation) from refused
        except (StaleMatch, TimeIsUp, NotYourTurn, NotRunning, Paused) as refused:
            now = access.match_for(somebody(request), slug)
            raise MovedOn(refused, now, version, request.user) from refused
        found = access.match_for(request.user, slug)
        return {"row": facts.told(found, [row])[0], "match": facts.table(found, request.user)}


def _key(request: Request) -> UUID:
    """The key of a request. Raises ValidationError for none, and for one that is no UUID."""
    try:
        return UUID(request.headers.get("Idempotency-Key", ""))
    except ValueError as wrong:
        raise ValidationError({"Idempotency-Key": [_("This header is needed, with a UUID.")]}) from wrong
