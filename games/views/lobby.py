"""How a match comes to be, as pages: the lobby, a new match, sitting down, leaving, calling off, once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import names, notes, visitors
from accounts.models import User
from games import access, lists, pace, registry
from games.forms import LobbyFilter, NewMatchForm
from games.models import Match, Move, Seat
from games.services import leaving, limits, lobby as tables, rematch, wanted as conditions
from games.services.errors import NotRunning, StaleMatch, TooLate
from games.services.invitations import CannotInvite
from games.services.seating import NeedsAccount
from games.telling import if_left, option_values
from games.views.front import FIRST_GAME
from games.views.table_page import number
from games.views.visitors import entropy_of, user_or_guest

LOOKED_AT = 10
"""Pages of tables that are looked at for one where the visitor may sit down."""


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open matches that anybody may join, the newest first. Raises BadRequest for a page that no link leads to."""
    wanted = LobbyFilter(registry.all_titles(), request.GET)
    before = number(request.GET["before"]) if "before" in request.GET else None
    visitor = request.user if request.user.is_authenticated else None
    record = conditions.record_of(visitor)
    page, older = page_of(wanted, visitor, record, before)
    paces = pace.of_many([match.created_by_id for match in page if match.created_by_id], request.user)
    more = wanted.chosen() | {"before": str(older)} if older else {}
    context = {
        "filter": wanted,
        "filtered": bool(wanted.chosen()),
        "titles": list(registry.all_titles().values()),
        "tables": [
            _table(match, request.user, paces) | {"why_not": conditions.why_not(match, record)} for match in page
        ],
        "vacancies": [] if before else _vacancies(request, wanted, record),
        "next_url": f"{reverse('lobby')}?{urlencode(more)}" if more else "",
    }
    return render(request, "games/lobby.html", context)


def page_of(
    wanted: LobbyFilter, visitor: User | None, record: conditions.Record, before: int | None
) -> tuple[list[Match], int]:
    """The tables of a page for who has that record, and behind which one the next page begins; 0 if none does.

    Whether one may sit down is not for the database to say, so that some are looked at in vain.
    """
    number = lists.PAGE * (LOOKED_AT if wanted.only_fitting else 1)
    tables = list(lists.tables(wanted.lookups(), before, wanted.also(visitor))[: number + 1])
    fitting = [match for match in tables[:number] if not wanted.only_fitting or _may_sit(match, visitor, record)]
    page = fitting[: lists.PAGE]
    if len(fitting) > lists.PAGE:
        return page, page[-1].pk
    return page, tables[number - 1].pk if len(tables) > number else 0


def _may_sit(match: Match, visitor: User | None, record: conditions.Record) -> bool:
    sits = visitor is not None and any(seat.user_id == visitor.pk for seat in match.seats.all())
    has_account = visitor is not None and not visitor.is_guest
    return not sits and (has_account or not match.rated) and not conditions.why_not(match, record)


def _table(match: Match, visitor: access.Visitor, paces: Mapping[int, pace.Told] | None = None) -> dict[str, Any]:
    """A match as an item of the lobby; an open one with how whoever made it plays."""
    people = [seat.user for seat in match.seats.all()]
    return {
        "match": match,
        "title": match.title,
        "names": [person.name for person in people],
        "mine": any(person.pk == visitor.pk for person in people),
        "options": option_values(match),
        "if_left": if_left(match),
        "pace": (paces or {}).get(match.created_by_id or 0),
        "maker": next((person.name for person in people if person.pk == match.created_by_id), ""),
        "needs_account": match.rated and not _has_account(visitor),
    }


def _vacancies(request: HttpRequest, wanted: LobbyFilter, record: conditions.Record) -> list[dict[str, Any]]:
    """The seats of running matches that the visitor may take over, as items of the lobby."""
    visitor = request.user if request.user.is_authenticated else None
    found = lists.vacant(visitor, wanted.lookups())[: lists.PAGE]
    free = [(match, seat) for match in found for seat in match.seats.all() if seat.vacant_until]
    return [
        _vacancy(match, seat, request.user) | {"why_not": conditions.why_not(match, record)} for match, seat in free
    ]


def _vacancy(match: Match, seat: Seat, visitor: access.Visitor) -> dict[str, Any]:
    others = [other.user.name for other in match.seats.all() if other != seat]
    return {"seat": seat, "others": others, "moves": match.version - 1} | _table(match, visitor)


def _has_account(visitor: access.Visitor) -> bool:
    return visitor.is_authenticated and not visitor.is_guest


@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest, game: str = "") -> HttpResponse:
    """The form of a new match; a valid one makes the match, and a guest if need be. ``?invite=`` fills a name in."""
    titles = registry.all_titles()
    title = titles.get(game or (FIRST_GAME if FIRST_GAME in titles else next(iter(titles))))
    if title is None:
        raise Http404
    invited = request.GET.get("invite", "")[: names.LONGEST]
    asked = {"invite": invited, "bots": 0} if invited else {}
    if request.POST.get("invite"):
        # Whether there is such a name is an answer as well.
        limits.spend("ask", visitors.counted(request))
    form = NewMatchForm(title, request.POST or None, initial=asked, guest=not _has_account(request.user))
    if request.method == "POST" and form.is_valid():
        entropy = entropy_of(request)
        user, people, proposal = user_or_guest(request), form.invited(), form.proposal()
        limits.spend("match", user.pk)
        if proposal.listed:  # a match that strangers see; who throws a guest away and makes another is counted, too
            limits.spend("listed", visitors.counted(request))
        for _person in people:
            limits.spend("invite", user.pk)
        try:
            return redirect(tables.create(user, proposal, people, entropy=entropy))
        except CannotInvite as refused:
            form.add_error("invite", str(refused.sentence))
    context = {"form": form, "title": title, "titles": list(titles.values()), "invited": invited}
    return render(request, "games/new_match.html", context, status=422 if form.is_bound else 200)


@require_POST
def sit(request: HttpRequest, slug: str) -> HttpResponse:
    """A seat at a match of the lobby, also for somebody who was never here."""
    table = access.match_for(request.user, slug)
    if not table.match.listed:
        raise Http404
    if table.mine is None and table.match.rated and not _has_account(request.user):
        raise NeedsAccount  # before a guest is made for nothing
    entropy, user = entropy_of(request), user_or_guest(request)
    limits.spend("sit", user.pk)
    return redirect(tables.sit(table.match.pk, user, entropy))


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Giving up a seat of a match that has not begun, asked once; who made the match is led to calling it off."""
    table, seat = access.seat_for(request.user, slug)
    if request.method == "POST":
        tables.leave(table.match.pk, seat.user)
        notes.leave(request, _("You have left the match: your seat is free."))
        return redirect("dashboard")
    if table.match.status != Match.Status.OPEN:
        raise NotRunning(_("This match has begun or is over: its seats can no longer be left."))
    if table.match.created_by_id == seat.user_id:
        return redirect("cancel", slug)
    return render(request, "games/leave.html", {"match": table.match, "title": table.match.title})


@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Calling off a match: who made it before it begins, whoever plays until everybody has moved."""
    table, seat = access.seat_for(request.user, slug)
    if table.match.status == Match.Status.PLAYING:
        return _call_off(request, table, seat.number)
    if seat.left_how == Move.Kind.CANCEL:
        return redirect(table.match)  # sent twice: it is called off
    if table.match.created_by_id != request.user.pk:
        raise Http404
    if table.match.status != Match.Status.OPEN:
        raise NotRunning(_("This match has begun or is over: it cannot be called off any more."))
    if request.method == "POST":
        tables.cancel(table.match.pk, seat.user)
        notes.leave(request, _("The match is called off."))
        return redirect("dashboard")
    return render(request, "games/cancel.html", {"match": table.match, "title": table.match.title})


def _call_off(request: HttpRequest, table: access.Table, seat: int) -> HttpResponse:
    """Asks, then calls off a running match; who looked at an earlier version is asked again."""
    stale = False
    if request.method == "POST":
        try:
            leaving.call_off(table.match.pk, seat, version=number(request.POST.get("version", "")))
        except StaleMatch:
            table, _seat = access.seat_for(request.user, table.match.slug)
            stale = True
        else:
            notes.leave(request, _("The match is called off."))
            return redirect("dashboard")
    if not leaving.is_early(table.match, table.match.moves.all()):
        raise TooLate
    leaving.check_calling_off(table.match, table.seats[seat].user)
    context: dict[str, Any] = {"match": table.match, "title": table.match.title, "stale": stale}
    return render(request, "games/cancel.html", context, status=409 if stale else 200)


@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """A rematch of one that the visitor has played, or another try at one that came to nothing."""
    table = access.match_for(request.user, slug)
    if table.mine is None:
        raise Http404
    limits.spend("match", request.user.pk)
    if rematch.is_listed(table.match):
        limits.spend("listed", visitors.counted(request))
    for _person in range(rematch.invites(table.match, table.mine.user)):
        limits.spend("invite", request.user.pk)
    return redirect(rematch.again(table.match, table.mine.user, entropy_of(request)))
