"""How a match comes to be and how it is left: made, joined, called off, given up, begun once more."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts import visitors
from accounts.models import Token
from games import access, engine, registry
from games.api import facts, shapes
from games.api.moves import HIGHEST, MovedOn
from games.api.operations import ANYBODY, Operation, operation, somebody
from games.api.problems import Invalid
from games.api.reading import Choice, Flag, Strict, Text, Whole
from games.api.sending import filled, forms_errors
from games.forms import ANYBODY as FOR_ANYBODY, INVITED, OPTION, PACES, NewMatchForm
from games.models import Match, Move
from games.services import leaving, lobby, rematch, returning, substitutes
from games.services.errors import NotRunning, StaleMatch
from games.services.invitations import CannotInvite, UnknownInvitation

NONE = "none"
"""Stands for no clock."""

PLAY = Token.Scope.PLAY


class NewMatch(Strict):
    """What a new match should be; what is left out is as in the form of the page, but without bots."""

    game = Text(help_text="See games.")
    seats = Whole(required=False, help_text="Players, including you; the smallest number if it is not given.")
    bots = Whole(default=0, help_text="How many of them are bots.")
    options = serializers.DictField(default=dict, help_text="By name, see the game.")
    pace = Choice([*PACES, NONE], default="2", help_text="Days a turn, a bank, or no clock.")
    rests = Flag(default=True, help_text="Whether nights, free days and holidays do not count.")
    listed = Flag(default=False, help_text="Whether it stands in the lobby, for anybody.")
    invite = serializers.ListField(
        child=Text(max_length=40), default=list, max_length=10, help_text="User names; a seat is kept for each."
    )
    audience = Choice(Match.Audience.choices, required=False, help_text="Who may watch.")
    leave_policy = Choice(Match.LeavePolicy.choices, required=False, help_text="What happens if somebody leaves.")
    rated = Flag(default=False)
    rating_from = Whole(required=False, allow_null=True, help_text="From the lobby: rating at least.")
    rating_to = Whole(required=False, allow_null=True, help_text="From the lobby: rating at most.")
    finish_share = Whole(required=False, allow_null=True, help_text="From the lobby: per cent finished at least.")


NAMES = {"days": "pace"}
"""Fields of the form that are called otherwise here."""


class Matches(Operation):
    """Matches."""

    @operation("createMatch", shapes.MatchShape, scope=PLAY, status=201, body=NewMatch)
    def post(self, request: Request, body: dict[str, Any]) -> dict[str, Any]:
        """Makes a match; it begins at once if bots fill it.

        Else it waits for those who are invited, who have its link, or who find it in the lobby.
        """
        user, title = somebody(request), registry.all_titles().get(body["game"])
        if title is None:
            raise Invalid({"game": ["There is no such game."]})
        try:
            engine.options_from(title.game, body["options"])
        except engine.BadOptions as wrong:
            raise Invalid(
                {"options": {wrong.field: ["The game does not have this option, or not this value."]}}
            ) from wrong
        chosen = {OPTION + name: value for name, value in body["options"].items()}
        sent = {name: value for name, value in body.items() if name not in ("game", "options", "pace")}
        sent["invite"] = " ".join(body["invite"])
        sent["days"] = "" if body["pace"] == NONE else body["pace"]
        sent["listed"] = FOR_ANYBODY if body["listed"] else INVITED
        if body["invite"]:
            self.spend("ask", user.pk)  # whether there is such a name is an answer as well
        form = filled(NewMatchForm, sent | chosen, title, guest=user.is_guest)
        if "invite" not in form.fields and body["invite"]:
            raise Invalid({"invite": ["Inviting by name needs an account."]})
        if not form.is_valid():
            raise Invalid(forms_errors(form, NAMES, OPTION))
        people, proposal = form.invited(), form.proposal()
        self.spend("match", user.pk)
        if proposal.listed:
            self.spend("listed", visitors.house(request._request) if user.is_guest else user.pk)
        for _person in people:
            self.spend("invite", user.pk)
        try:
            made = lobby.create(user, proposal, people)
        except CannotInvite as refused:
            raise Invalid({"invite": [str(refused.sentence)]}) from refused
        return facts.fresh(made.slug, user)


class MatchOf(Operation):
    """One match."""

    @operation("readMatch", shapes.MatchShape, who=ANYBODY)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """A match with its seats, as far as you may watch it."""
        found = access.match_for(request.user, slug)
        return facts.table(found, request.user)


class Joining(Strict):
    """By which way."""

    token = Text(required=False, max_length=100, help_text="The last part of the link; none for a match of the lobby.")


class Join(Operation):
    """A seat."""

    @operation("joinMatch", shapes.MatchShape, scope=PLAY, body=Joining)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Sits down at a match that has not begun: by a link, or from the lobby. Harmless if you sit there."""
        user = somebody(request)
        self.spend("sit", user.pk)
        if "token" in body:
            found = Match.objects.filter(slug=slug).first()
            if found is None or not facts.known(found):
                raise UnknownInvitation  # as for a link that does not hold: a hidden match looks like none
            lobby.join(found.pk, user, body["token"])
            return facts.fresh(slug, user)
        table = access.match_for(user, slug)
        if not table.match.listed:
            raise Http404
        lobby.sit(table.match.pk, user)
        return facts.fresh(slug, user)


class Leave(Operation):
    """A seat given back."""

    @operation("leaveMatch", None, scope=PLAY, status=204)
    def post(self, request: Request, slug: str) -> None:
        """Gives up your seat at a match that has not begun. Who made the match calls it off instead."""
        table, seat = access.seat_for(request.user, slug)
        lobby.leave(table.match.pk, seat.user)


class Versioned(Strict):
    """The version of the match that you have seen."""

    version = Whole(min_value=0, max_value=HIGHEST)


class Resign(Operation):
    """Giving up."""

    @operation("resign", shapes.MatchShape, scope=PLAY, body=Versioned)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Gives up a running match. Harmless if you have left it already."""
        user = somebody(request)
        left = access.match_for(user, slug)
        if left.mine is not None and left.mine.left_version is not None:
            return facts.table(left, user)
        table, seat = access.seat_for(user, slug)
        try:
            leaving.resign(table.match.pk, seat.number, version=body["version"])
        except StaleMatch as stale:
            raise MovedOn(stale, access.match_for(user, slug), body["version"], user) from stale
        return facts.fresh(slug, user)


class CallOff(Operation):
    """Calling off."""

    @operation("callOff", shapes.MatchShape, scope=PLAY, body=Versioned)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Calls off a match: who made it before it begins (version 0), whoever plays until everybody has moved."""
        user = somebody(request)
        table, seat = access.seat_for(user, slug)
        if table.match.status == Match.Status.PLAYING:
            try:
                leaving.call_off(table.match.pk, seat.number, version=body["version"])
            except StaleMatch as stale:
                raise MovedOn(stale, access.match_for(user, slug), body["version"], user) from stale
        elif seat.left_how != Move.Kind.CANCEL:  # else sent twice: it is called off
            if table.match.created_by_id != user.pk:
                raise Http404
            if table.match.status != Match.Status.OPEN:
                raise NotRunning
            lobby.cancel(table.match.pk, user)
        return facts.fresh(slug, user)


class Again(Operation):
    """Once more."""

    @operation("rematch", shapes.MatchShape, scope=PLAY, status=201)
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """The rematch of a match that you have played, or another try at one that came to nothing."""
        user = somebody(request)
        table = access.match_for(user, slug)
        if table.mine is None:
            raise Http404
        self.spend("match", user.pk)
        if rematch.is_listed(table.match):
            self.spend("listed", visitors.house(request._request) if user.is_guest else user.pk)
        for _person in range(rematch.invites(table.match, user)):
            self.spend("invite", user.pk)
        return facts.fresh(rematch.again(table.match, user).slug, user)


class TakeOver(Operation):
    """A seat that was left."""

    @operation("takeOver", shapes.MatchShape, scope=PLAY)
    def post(self, request: Request, slug: str, number: int) -> dict[str, Any]:
        """Takes over a seat whose player has left, with its hand and history."""
        user = somebody(request)
        table = access.match_for(user, slug)
        if number >= len(table.seats):
            raise Http404
        substitutes.take_over(table.match.pk, number, user)
        return facts.fresh(slug, user)


class ComeBack(Operation):
    """One's own seat again."""

    @operation("comeBack", shapes.MatchShape, scope=PLAY)
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """Comes back to the seat that you have left, if nobody has played on in it."""
        user = somebody(request)
        table = access.match_for(user, slug)
        if table.mine is None and not table.match.departures.filter(user=user).exists():
            raise Http404
        returning.come_back(table.match.pk, user)
        return facts.fresh(slug, user)
