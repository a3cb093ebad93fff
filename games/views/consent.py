"""What players want of each other beside the moves: proposals, the end of a pause, time, and a reminder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games import access
from games.access import Table
from games.clock import LONGEST_PAUSE
from games.models import Consent, Match, Seat
from games.services import consent, grants, limits, nudges, pauses
from games.services.errors import NotRunning, Refused, StaleMatch
from games.views.table_page import number

MOVED_ON = _("The match has moved on since you looked. Nothing was changed; look again.")


def _kind(text: str) -> Consent.Kind:
    """The kind of a proposal in an address. Raises Http404 for any other text."""
    try:
        return Consent.Kind(text)
    except ValueError as unknown:
        raise Http404 from unknown


def _done(request: HttpRequest, slug: str, act: Callable[[Match, Seat], object]) -> HttpResponse:
    """Does it for the visitor's own seat and leads back to the match, or says why not."""
    table, seat = access.seat_for(request.user, slug)
    limits.spend("ask", request.user.pk)
    try:
        act(table.match, seat)
    except Refused as refused:
        return _refused(request, table, refused)
    return redirect(table.match)


def _refused(request: HttpRequest, table: Table, refused: Refused) -> HttpResponse:
    context = {
        "match": table.match,
        "sentence": MOVED_ON if isinstance(refused, StaleMatch) else refused.sentence,
        "from": refused.at if isinstance(refused, nudges.CannotNudge) else None,
    }
    return render(request, "games/refused.html", context, status=refused.status)


def _number(request: HttpRequest, name: str) -> int:
    return number(request.POST.get(name, ""))


@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Proposing a pause, or calling off; asked once. Where nobody else has to agree it happens at once."""
    wanted = _kind(kind)
    if request.method == "POST":

        def act(match: Match, seat: Seat) -> object:
            limits.spend("propose", f"{seat.user_id}.{match.pk}")  # each of them is told to the others
            return consent.propose(match.pk, seat.number, wanted, version=_number(request, "version"))

        return _done(request, slug, act)
    table, seat = access.seat_for(request.user, slug)
    if table.match.status != Match.Status.PLAYING:
        raise NotRunning
    context: dict[str, Any] = {
        "match": table.match,
        "title": table.match.title,
        "kind": wanted,
        "days": LONGEST_PAUSE.days,
        "others": [table.seats[one].user.name for one in consent.people(table.seats) if one != seat.number],
    }
    return render(request, "games/propose.html", context)


@require_POST
def agree(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Agreeing to a proposal that was seen."""
    wanted = _kind(kind)

    def act(match: Match, seat: Seat) -> object:
        return consent.agree(match.pk, seat.number, wanted, proposal=_number(request, "proposal"))

    return _done(request, slug, act)


@require_POST
def decline(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Declining a proposal that was seen."""
    wanted = _kind(kind)

    def act(match: Match, seat: Seat) -> None:
        consent.decline(match.pk, seat.number, wanted, proposal=_number(request, "proposal"))

    return _done(request, slug, act)


@require_POST
def withdraw(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Not wanting any more what was proposed or agreed to."""
    wanted = _kind(kind)
    return _done(request, slug, lambda match, seat: consent.withdraw(match.pk, seat.number, wanted))


@require_POST
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    """Ending a pause."""

    def act(match: Match, seat: Seat) -> object:
        return pauses.resume(match.pk, seat.number, version=_number(request, "version"))

    return _done(request, slug, act)


@require_POST
def give(request: HttpRequest, slug: str) -> HttpResponse:
    """Giving time to whoever is to move."""

    def act(match: Match, seat: Seat) -> object:
        return grants.give(match.pk, seat.number, version=_number(request, "version"))

    return _done(request, slug, act)


@require_POST
def nudge(request: HttpRequest, slug: str) -> HttpResponse:
    """Asking whoever is to move to do so."""

    def act(match: Match, seat: Seat) -> object:
        return nudges.nudge(match.pk, seat.user, version=_number(request, "version"))

    return _done(request, slug, act)
