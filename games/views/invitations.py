"""Invitations, as pages: the link and what it leads to; asking people by name, and their answers."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import notes
from games import access, pace, registry
from games.models import Match
from games.services import invitations, limits, lobby
from games.services.invitations import CannotInvite
from games.services.seating import NeedsAccount, free_seats
from games.telling import if_left, option_values
from games.views.match import page
from games.views.table_page import Plan
from games.views.visitors import entropy_of, user_or_guest

MOST_NAMES = 200
"""Characters of the longest list of names that is read at all."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """A link: what it is for, and the seat for who accepts."""
    match = Match.objects.filter(slug=slug).select_related("created_by").prefetch_related("seats__user").first()
    if match is None or match.game not in registry.all_titles():
        raise invitations.UnknownInvitation
    link = invitations.by_token(match, token)
    if request.method == "POST":
        if match.rated and not (request.user.is_authenticated and not request.user.is_guest):
            raise NeedsAccount  # before a guest is made for nothing
        entropy, user = entropy_of(request), user_or_guest(request)
        limits.spend("sit", user.pk)
        return redirect(lobby.join(match.pk, user, token, entropy))
    seats = list(match.seats.all())
    if any(seat.user_id == request.user.pk for seat in seats):
        return redirect(match)
    made_by = match.created_by_id or 0
    context = {
        "match": match,
        "title": match.title,
        "pace": pace.of_many([made_by], request.user).get(made_by),
        "seats": seats,
        "free": free_seats(match, apart_from=request.user if request.user.is_authenticated else None),
        "link": link,
        "options": option_values(match),
        "clock": match.clock.sentence(),
        "if_left": if_left(match),
    }
    return render(request, "games/join.html", context)


@require_POST
def new_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Another link in place of the one there was; only who made the match may."""
    match, user = access.made_by(request.user, slug)
    limits.spend("link", user.pk)
    invitations.withdraw_link(match.pk, user, renew=True)
    return redirect(match)


@require_POST
def withdraw_link(request: HttpRequest, slug: str) -> HttpResponse:
    """No link any more; only who made the match may."""
    match, user = access.made_by(request.user, slug)
    invitations.withdraw_link(match.pk, user)
    return redirect(match)


@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks people by name; whoever sits there may, with an account. A name that cannot be asked is told on the page."""
    table, seat = access.seat_for(request.user, slug)
    if seat.user.is_guest:
        raise Http404
    limits.spend("ask", seat.user_id)  # whether there is such a name is an answer as well
    try:
        people = invitations.named(request.POST.get("names", "")[:MOST_NAMES])
        for _person in people:
            limits.spend("invite", seat.user_id)
        invitations.invite(table.match.pk, seat.user, people)
    except CannotInvite as refused:
        return page(request, table, Plan(sentence=refused.sentence), status=refused.status)
    return redirect(table.match)


@require_POST
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Sits down where one was asked to."""
    invitation = access.invitation_to(request.user, pk)
    return redirect(invitations.accept(invitation, entropy_of(request)))


@require_POST
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Says no; the seat that was kept is free again."""
    invitations.decline(access.invitation_to(request.user, pk))
    notes.leave(request, _("You have declined: the seat that was kept for you is free."))
    return redirect("dashboard")


@require_POST
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Takes back an invitation by name."""
    invitation = access.invitation_by(request.user, pk)
    invitations.withdraw(invitation)
    return redirect(invitation.match)
