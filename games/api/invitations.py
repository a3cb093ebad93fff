"""Invitations: made, withdrawn and answered; and the link of a match."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Token
from games import access, lists
from games.api import facts, shapes
from games.api.operations import PERSON, Operation, operation, somebody
from games.api.reading import Strict, Text
from games.models import Invitation, Match
from games.now import now
from games.services import invitations

PLAY = Token.Scope.PLAY


class InvitationShape(shapes.Answer):
    """An invitation by name."""

    class Meta:
        ref_name = "Invitation"

    id = shapes.number()
    to = shapes.text()
    by = shapes.text("Who invites.", allow_null=True)
    fate = serializers.ChoiceField(["waiting", "accepted", "declined", "withdrawn", "expired"])
    expires_at = shapes.moment(null=False)
    match = shapes.MatchShape(allow_null=True)


class Received(shapes.Answer):
    """What waits for your answer."""

    items = InvitationShape(many=True)


class LinkShape(shapes.Answer):
    """The link of a match."""

    class Meta:
        ref_name = "Link"

    url = shapes.text()
    token = shapes.text("What who joins by the API gives.")
    expires_at = shapes.moment(null=False)


class Sent(shapes.Answer):
    """Who is invited to a match, and its link."""

    items = InvitationShape(many=True)
    link = LinkShape(allow_null=True)


class Inviting(Strict):
    """Who is asked."""

    names = serializers.ListField(child=Text(max_length=40), min_length=1, max_length=10, help_text="User names.")


def _invitation(one: Invitation, moment: datetime, match: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "id": one.pk,
        "to": one.to.name if one.to else "",
        "by": one.created_by.name if one.created_by else None,
        "fate": one.fate(moment),
        "expires_at": one.expires_at,
        "match": match,
    }


def _sent(request: Request, match: Match) -> dict[str, Any]:
    """The invitations to a match and its link, for who sits there."""
    moment = now()
    asked = list(match.invitations.select_related("to", "created_by").order_by("pk"))
    link = next((one for one in asked if one.to_id is None and one.fate(moment) == "waiting"), None)
    return {
        "items": [_invitation(one, moment, None) for one in asked if one.to_id is not None],
        "link": {
            "url": request.build_absolute_uri(reverse("join", args=[match.slug, link.token])),
            "token": link.token,
            "expires_at": link.expires_at,
        }
        if link
        else None,
    }


class InvitationsOf(Operation):
    """Invitations to a match."""

    @operation("listInvitationsOfMatch", Sent)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Who is invited to a match and what became of it, and its link; for those who sit there."""
        table, _seat = access.seat_for(request.user, slug)
        return _sent(request, table.match)

    @operation("invite", Sent, who=PERSON, scope=PLAY, status=201, body=Inviting)
    def post(self, request: Request, slug: str, body: dict[str, Any]) -> dict[str, Any]:
        """Invites people by name to a match that has not begun; a seat is kept for each."""
        table, seat = access.seat_for(request.user, slug)
        self.spend("ask", seat.user_id)  # whether there is such a name is an answer as well
        people = invitations.named(" ".join(body["names"]))
        for _person in people:
            self.spend("invite", seat.user_id)
        invitations.invite(table.match.pk, seat.user, people)
        return _sent(request, table.match)


class LinkOf(Operation):
    """The link of a match."""

    @operation("renewLink", Sent, scope=PLAY)
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """Makes another link in place of the one there was; for who made the match."""
        match, user = access.made_by(request.user, slug)
        self.spend("link", user.pk)
        invitations.withdraw_link(match.pk, user, renew=True)
        return _sent(request, match)

    @operation("withdrawLink", Sent, scope=PLAY)
    def delete(self, request: Request, slug: str) -> dict[str, Any]:
        """Takes the link away; for who made the match."""
        match, user = access.made_by(request.user, slug)
        invitations.withdraw_link(match.pk, user)
        return _sent(request, match)


class MyInvitations(Operation):
    """What waits for an answer."""

    @operation("listMyInvitations", Received)
    def get(self, request: Request) -> dict[str, Any]:
        """The invitations that wait for your answer, the newest first."""
        user = somebody(request)
        found, moment = list(lists.invitations(user).select_related("to")[: lists.MOST]), now()
        matches = facts.many([one.match for one in found], user)
        return {"items": [_invitation(one, moment, match) for one, match in zip(found, matches, strict=True)]}


class Accept(Operation):
    """Accepting."""

    @operation("acceptInvitation", shapes.MatchShape, scope=PLAY)
    def post(self, request: Request, pk: int) -> dict[str, Any]:
        """Sits down where you are invited to."""
        return facts.fresh(invitations.accept(access.invitation_to(request.user, pk)).slug, request.user)


class Decline(Operation):
    """Declining."""

    @operation("declineInvitation", None, scope=PLAY, status=204)
    def post(self, request: Request, pk: int) -> None:
        """Says no; the seat that was kept is free again."""
        invitations.decline(access.invitation_to(request.user, pk))


class Withdraw(Operation):
    """Taking back."""

    @operation("withdrawInvitation", None, scope=PLAY, status=204)
    def post(self, request: Request, pk: int) -> None:
        """Takes back an invitation by name: for who sent it, or made the match."""
        invitations.withdraw(access.invitation_by(request.user, pk))
