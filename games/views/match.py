"""The page of a match: looking, planning in the URL, and submitting a turn."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import access, engine, failpoints, states
from games.access import Table
from games.models import Match, MatchChoice
from games.services import leaving, limits, notices, people, rows, turns
from games.services.errors import (
    BadRequest,
    Illegal,
    KeyReused,
    NotRunning,
    NotYourTurn,
    Paused,
    Refused,
    StaleMatch,
    TimeIsUp,
)
from games.views import embedding, open_page, table_page
from games.views.pages import looked_at
from games.views.table_page import Plan, number

NOTICE_MODES = [("", _("as all others")), *MatchChoice.Mode.choices]
"""How the notices of a match may reach who plays in it."""

MOST_TEXT = 4000
"""Characters of the longest plan that is read at all."""


@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest, slug: str) -> HttpResponse:
    """The table as this visitor may see it; POST submits a turn."""
    if request.method == "POST":
        return _submit(request, slug)
    table = access.match_for(request.user, slug, request.session)
    return page(request, table, _plan(request, table))


def _plan(request: HttpRequest, table: Table) -> Plan:
    """The half-made plan in the URL."""
    text = request.GET.get("plan", "")[:MOST_TEXT]
    version = request.GET.get("v", "")
    stale = version.isdecimal() and version != str(table.match.version)
    return Plan(steps=engine.split(text), picked=request.GET.get("pick", "")[: engine.MAX_STEP_LENGTH], stale=stale)


def page(request: HttpRequest, table: Table, plan: Plan, *, status: int = 200) -> HttpResponse:
    """The page of a match in whatever status it is. A log that does not replay stops the match, not the site.

    Whoever plays has seen with it what they were told of the match, unless it shows the past.
    """
    own = _notices(request, table, past=plan.viewing is not None)
    if table.match.status == Match.Status.OPEN:
        context = open_page.context(request, table, plan.sentence) | own
        response = render(request, "games/match_open.html", context, status=status)
    elif table.match.status == Match.Status.CANCELLED:
        response = render(request, "games/match_off.html", open_page.off_context(table) | own, status=status)
    elif table.match.status == Match.Status.QUARANTINED:
        response = render(request, "games/message.html", table_page.stopped_context(table), status=status)
    else:
        try:
            context = table_page.context(request, table, plan) | own
        except states.Unreplayable as fault:
            rows.quarantine(table.match, fault)
            context = table_page.stopped_context(table)
            return render(request, "games/message.html", context, status=status)
        context["oembed"] = embedding.discovery(table.match)
        response = render(request, "games/match.html", context, status=status)
    add_never_cache_headers(response)
    return response


def _notices(request: HttpRequest, table: Table, *, past: bool) -> dict[str, Any]:
    """How the player of this browser wants the notices of the match, and what the bell counts; nothing for others."""
    if table.mine is None or table.mine.user != request.user:
        return {}
    standing = notices.standing(table.mine.user, table.match)
    if standing.new and not past and looked_at(request):
        notices.saw_match(table.mine.user, table.match)
    return {"notice_mode": standing.mode, "notice_modes": NOTICE_MODES, "my_notices": standing.others}


def _submit(request: HttpRequest, slug: str) -> HttpResponse:
    """Plays the posted turn; a refused one is answered with the table as it is now and the sentence."""
    table, seat = access.seat_for(request.user, slug, request.session)
    steps, version, key = _posted(request)
    limits.spend("move", seat.user_id)
    try:
        turns.play(table.match.pk, seat.number, steps, version=version, key=key)
    except (StaleMatch, TimeIsUp, NotYourTurn, NotRunning, Paused, KeyReused, Illegal) as refused:
        return _refused(request, slug, steps, refused)
    if table.by_link:
        people.was_here(seat.user)
    failpoints.reach("before_answer")
    return redirect(table.match)


def _posted(request: HttpRequest) -> tuple[list[str], int, UUID]:
    text, version = request.POST.get("steps", ""), number(request.POST.get("version", ""))
    if len(text) > MOST_TEXT:
        raise BadRequest
    try:
        return engine.split(text), version, UUID(request.POST.get("key", ""))
    except ValueError as wrong:
        raise BadRequest from wrong


def _refused(request: HttpRequest, slug: str, steps: list[str], refused: Refused) -> HttpResponse:
    """The fresh table, the sentence, and the choice as far as it is still legal."""
    table = access.match_for(request.user, slug, request.session)
    plan = Plan(steps=steps, stale=isinstance(refused, StaleMatch))
    if isinstance(refused, Illegal):
        plan.refused = refused.move
    elif not plan.stale:
        plan.steps, plan.sentence = [], refused.sentence
    return page(request, table, plan, status=refused.status)


@never_cache
@require_safe
def version(request: HttpRequest, slug: str) -> JsonResponse:
    """At which version the match is, for pages that wait."""
    table = access.match_for(request.user, slug, request.session)
    return JsonResponse(table.match.numbers)


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Giving up a match, asked twice; who has already left is shown the match."""
    left = access.match_for(request.user, slug)
    if left.mine is not None and left.mine.left_version is not None:
        return redirect(left.match)
    table, seat = access.seat_for(request.user, slug)
    if request.method == "POST":
        asked = number(request.POST.get("version", ""))
        try:
            leaving.resign(table.match.pk, seat.number, version=asked)
        except StaleMatch:
            table, seat = access.seat_for(request.user, slug)
            return _ask_resign(request, table, stale=True)
        return redirect(table.match)
    if table.match.status != Match.Status.PLAYING:
        raise NotRunning
    return _ask_resign(request, table, stale=False)


def _ask_resign(request: HttpRequest, table: Table, *, stale: bool) -> HttpResponse:
    context: dict[str, Any] = {"match": table.match, "title": table.match.title, "stale": stale}
    return render(request, "games/resign.html", context, status=409 if stale else 200)


@require_safe
def replay(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The table as this visitor could see it after row ``version``."""
    table = access.match_for(request.user, slug, request.session)
    table_page.check_version(table.match, version)
    return page(request, table, Plan(viewing=version))


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole log in pages, the newest row first."""
    table = access.match_for(request.user, slug, request.session)
    context = table_page.log_context(table, request.GET.get("before", ""))
    return render(request, "games/log.html", context)
