"""Taking over a seat that was left, and coming back to one's own."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games import access, telling
from games.services import returning, substitutes
from games.views.visitors import user_or_guest


@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What the seat is like, and the seat for who confirms; also for somebody who was never here."""
    table = access.match_for(request.user, slug)
    if number >= len(table.seats):
        raise Http404
    match, seat = table.match, table.seats[number]
    visitor = request.user if request.user.is_authenticated else None
    substitutes.check(match, table.seats, number, visitor)
    if request.method == "POST":
        substitutes.take_over(match.pk, number, user_or_guest(request))
        return redirect(match)
    context = {
        "match": match,
        "title": match.title,
        "options": telling.option_values(match),
        "clock": match.clock.sentence(),
        "if_left": telling.if_left(match),
        "seat": seat,
        "others": [other.user.name for other in table.seats if other is not seat],
        "to_move": match.active_seat == number,
        "moves": match.version - 1,
    }
    return render(request, "games/take_over.html", context)


@require_POST
def come_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Gives who left their seat again, if nobody has played on in it."""
    table = access.match_for(request.user, slug)
    if not request.user.is_authenticated:
        raise Http404
    if table.mine is None and not table.match.departures.filter(user=request.user).exists():
        raise Http404
    returning.come_back(table.match.pk, request.user)
    return redirect(table.match)
