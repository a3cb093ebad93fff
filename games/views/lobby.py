"""How a match comes to be, as pages: new match, invitation, calling off, once more."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games import access, registry
from games.forms import NewMatchForm
from games.models import Match
from games.services import limits, lobby
from games.services.errors import NotRunning
from games.telling import option_values
from games.views.front import FIRST_GAME
from games.views.visitors import user_or_guest


@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest, game: str = "") -> HttpResponse:
    """The form of a new match; a valid one makes the match, and a guest if need be."""
    titles = registry.all_titles()
    title = titles.get(game or (FIRST_GAME if FIRST_GAME in titles else next(iter(titles))))
    if title is None:
        raise Http404
    guest = not request.user.is_authenticated or request.user.is_guest
    form = NewMatchForm(title, request.POST or None, guest=guest)
    if request.method == "POST" and form.is_valid():
        user = user_or_guest(request)
        limits.spend("match", user.pk)
        return redirect(lobby.create(user, form.proposal()))
    context = {"form": form, "title": title, "titles": list(titles.values())}
    return render(request, "games/new_match.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """An invitation by link: what it is for, and the seat for who accepts."""
    match = Match.objects.filter(slug=slug).prefetch_related("seats__user", "invitations").first()
    if match is None or match.game not in registry.all_titles():
        raise lobby.UnknownInvitation
    lobby.invitation(match, token)
    if request.method == "POST":
        if match.rated and not (request.user.is_authenticated and not request.user.is_guest):
            raise lobby.NeedsAccount  # before a guest is made for nothing
        user = user_or_guest(request)
        return redirect(lobby.join(match.pk, user, token))
    seats = list(match.seats.all())
    if any(seat.user_id == request.user.pk for seat in seats):
        return redirect(match)
    context = {
        "match": match,
        "title": match.title,
        "seats": seats,
        "free": match.seat_count - len(seats),
        "options": option_values(match),
        "clock": match.clock.sentence(),
    }
    return render(request, "games/join.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Calling off a match that has not begun; only who made it may."""
    table, _seat = access.seat_for(request.user, slug)
    if table.match.created_by_id != request.user.pk:
        raise Http404
    if table.match.status != Match.Status.OPEN:
        raise NotRunning(_("This match has begun or is over: it cannot be called off any more."))
    if request.method == "POST":
        lobby.cancel(table.match.pk, _seat.user)
        return redirect("dashboard")
    return render(request, "games/cancel.html", {"match": table.match, "title": table.match.title})


@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """A new match like one that the visitor has played."""
    table = access.match_for(request.user, slug)
    if table.mine is None:
        raise Http404
    limits.spend("match", request.user.pk)
    return redirect(lobby.again(table.match, table.mine.user))
