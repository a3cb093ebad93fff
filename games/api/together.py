"""What players want of each other beside the moves, and what they have set for one match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Token
from games import access
from games.access import Table
from games.api import facts, shapes
from games.api.matches import Versioned
from games.api.moves import HIGHEST, MovedOn
from games.api.operations import Operation, operation, somebody
from games.api.reading import Choice, Strict, Text, Whole
from games.models import Consent, Match, MatchChoice, Seat
from games.services import choices, consent, favourites, grants, leaving, nudges, pauses, returning, wishes
from games.services.errors import StaleMatch
from games.views import together

PLAY = Token.Scope.PLAY


class Wanted(Strict):
    """What is proposed, and on which version of the match."""

    kind = Choice(Consent.Kind.choices)
    version = Whole(min_value=0, max_value=HIGHEST)


class Answered(Strict):
    """A proposal as it was seen."""

    kind = Choice(Consent.Kind.choices)
    proposal = Whole(min_value=0, max_value=2**63 - 1, help_text="Its number.")


class Kind(Strict):
    """A kind of proposal."""

    kind = Choice(Consent.Kind.choices)


def done(
    view: Operation, request: Request, slug: str, version: int | None, act: Callable[[Match, Seat], object]
) -> dict[str, Any]:
    """Does it for one's own seat; the match as it is then. Raises Http404, TooMany, MovedOn and what ``act`` raises."""
    user = somebody(request)
    table, seat = access.seat_for(user, slug)
    view.spend("ask", user.pk)
    try:
        act(table.match, seat)
    except StaleMatch as stale:
        seen = table.match.version if version is None else version
        raise MovedOn(stale, access.match_for(user, slug), seen, user) from stale
    return {"match": facts.fresh(slug, user)}


class TableOf(Operation):
    """How the players stand to each other."""

    @operation("readTable", shapes.Table)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """What the players of a match want of each other: proposals, reminders, time. For those who have a seat."""
        user = somebody(request)
        table = access.match_for(user, slug)
        mine = table.mine
        if mine is None:
            raise Http404
        plays = mine.left_version is None and table.match.status == Match.Status.PLAYING
        known = together.context(table) if plays else None
        return {
            "proposals": [_proposal(one) for one in known["proposals"]] if known else [],
            "nudged_by": [name for name, _at in known["nudges"]] if known else [],
            "nudge_from": known["nudge_from"] if known else None,
            "can_give_time": bool(known and known["grant"]),
            "can_call_off": plays and leaving.is_early(table.match, table.match.moves.all()),
            "can_return": mine.left_version is not None and returning.is_possible(table.match, mine),
        }


def _proposal(one: together.Proposal) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "proposal": one.row,
        "mine": one.mine,
        "agreed": one.agreed,
        "missing": one.missing,
    }


class Propose(Operation):
    """Proposing."""

    @operation("propose", shapes.Done, scope=PLAY, body=Wanted)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Proposes a pause, or calling the match off. Where nobody else has to agree it happens at once."""

        def act(match: Match, seat: Seat) -> object:
            self.spend("propose", f"{seat.user_id}.{match.pk}")
            return consent.propose(match.pk, seat.number, Consent.Kind(body["kind"]), version=body["version"])

        return done(self, request, slug, body["version"], act)


class Agree(Operation):
    """Agreeing."""

    @operation("agree", shapes.Done, scope=PLAY, body=Answered)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Agrees to a proposal that you have seen."""

        def act(match: Match, seat: Seat) -> object:
            return consent.agree(match.pk, seat.number, Consent.Kind(body["kind"]), proposal=body["proposal"])

        return done(self, request, slug, None, act)


class Decline(Operation):
    """Declining."""

    @operation("declineProposal", shapes.Done, scope=PLAY, body=Answered)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Declines a proposal that you have seen."""

        def act(match: Match, seat: Seat) -> None:
            consent.decline(match.pk, seat.number, Consent.Kind(body["kind"]), proposal=body["proposal"])

        return done(self, request, slug, None, act)


class Withdraw(Operation):
    """Taking back."""

    @operation("withdrawProposal", shapes.Done, scope=PLAY, body=Kind)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Does not want any more what you proposed or agreed to."""
        kind = Consent.Kind(body["kind"])
        return done(self, request, slug, None, lambda match, seat: consent.withdraw(match.pk, seat.number, kind))


class Resume(Operation):
    """The end of a pause."""

    @operation("resume", shapes.Done, scope=PLAY, body=Versioned)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Ends a pause."""

        def act(match: Match, seat: Seat) -> object:
            return pauses.resume(match.pk, seat.number, version=body["version"])

        return done(self, request, slug, body["version"], act)


class GiveTime(Operation):
    """Time for others."""

    @operation("giveTime", shapes.Done, scope=PLAY, body=Versioned)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Gives whoever is to move a turn's worth more time."""

        def act(match: Match, seat: Seat) -> object:
            return grants.give(match.pk, seat.number, version=body["version"])

        return done(self, request, slug, body["version"], act)


class NudgeMover(Operation):
    """A reminder."""

    @operation("nudge", shapes.Done, scope=PLAY, body=Versioned)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Asks whoever is to move to do so, once a day."""

        def act(match: Match, seat: Seat) -> object:
            return nudges.nudge(match.pk, seat.user, version=body["version"])

        return done(self, request, slug, body["version"], act)


class WishesShape(shapes.Answer):
    """Which moves you want made without being asked."""

    class Meta:
        ref_name = "Wishes"

    wishes = shapes.texts("By name, see the game.")


class Wishing(Strict):
    """Which moves are wished for."""

    wishes = serializers.ListField(child=Text(max_length=40), max_length=20, help_text="By name; none for no wish.")


class WishesOf(Operation):
    """Automatic moves."""

    @operation("readWishes", WishesShape)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Which moves you want made without being asked in this match."""
        _table, seat = access.seat_for(request.user, slug)
        return {"wishes": seat.auto}

    @operation("chooseWishes", WishesShape, scope=PLAY, body=Wishing)
    def put(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Chooses which moves you want made without being asked; they count at once."""
        table, seat = access.seat_for(request.user, slug)
        self.spend("move", seat.user_id)
        wishes.choose(table.match.pk, seat.user, body["wishes"])
        return {"wishes": [name for name in table.match.title.wishes if name in body["wishes"]]}


class Mode(Strict):
    """How notices come."""

    mode = Choice([("usual", "usual"), *MatchChoice.Mode.choices], help_text="usual is as of all other matches.")


class ModeShape(shapes.Answer):
    """How the notices of a match come."""

    class Meta:
        ref_name = "NoticeMode"

    mode = serializers.ChoiceField(["usual", *MatchChoice.Mode.values])


class NoticesOf(Operation):
    """Notices of one match."""

    @operation("chooseMatchNotices", ModeShape, scope=Token.Scope.MANAGE, body=Mode)
    def put(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Chooses how the notices of one match reach you."""
        table, seat = access.seat_for(request.user, slug)
        choices.choose(table.match, seat.user, "" if body["mode"] == "usual" else body["mode"])
        return {"mode": body["mode"]}


class StarOf(Operation):
    """Favourites."""

    @operation("star", None, scope=Token.Scope.MANAGE, status=204)
    def put(self, request: Request, slug: str) -> None:
        """Makes a finished match that you have played a favourite."""
        favourites.star(self._match(request, slug).match, somebody(request))

    @operation("unstar", None, scope=Token.Scope.MANAGE, status=204)
    def delete(self, request: Request, slug: str) -> None:
        """Makes it an ordinary match again."""
        favourites.unstar(self._match(request, slug).match, somebody(request))

    def _match(self, request: Request, slug: str) -> Table:
        found = access.match_for(request.user, slug)
        self.spend("favourite", request.user.pk)
        return found
