"""Finished matches as pages: one's own, those of others, their filters, favourites and files."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import access, histories, lists, registry
from games.history_forms import HistoryFilter
from games.services import favourites, limits
from games.services.errors import BadRequest
from games.views import exports
from games.views.cards import match_card
from games.views.pages import before_of, behind

LONGEST_QUERY = 1000
"""Characters of the longest filter that is gone back to."""


@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """The visitor's own finished matches. Raises BadRequest for a page that no link of ours leads to."""
    user = request.user
    if isinstance(user, AnonymousUser):
        return render(request, "games/history.html", {"page": [], "own": True})
    return _page(request, user, reverse("history"))


@require_safe
def history_of(request: HttpRequest, name: str) -> HttpResponse:
    """What somebody has played where the visitor may see it. Raises Http404, and BadRequest as ``history`` does."""
    person = access.person_for(request.user, name)
    if person.username != name:
        return redirect(f"{reverse('history_of', args=[person.username])}?{request.GET.urlencode()}")
    return _page(request, person, reverse("history_of", args=[name]))


def _filter(request: HttpRequest, user: User) -> HistoryFilter:
    """The filter that the address asks for, in the history of ``user``."""

    def find(name: str) -> User | None:
        return histories.opponent(user, request.user, name)

    return HistoryFilter(registry.all_titles(), request.GET, find=find, own=user == request.user)


def _page(request: HttpRequest, user: User, url: str) -> HttpResponse:
    """A page of the history of ``user``; 400 with a sentence at each field that asks for what there is not."""
    wanted, own, before = _filter(request, user), user == request.user, before_of(request)
    context: dict[str, Any] = {
        "person": user,
        "own": own,
        "filter": wanted,
        "filtered": bool(wanted.query()),
        "titles": list(registry.all_titles().values()),
        "url": url,
        "page": [],
    }
    if not wanted.is_valid():
        return render(request, "games/history.html", context, status=400)
    found = histories.entries(user, request.user, wanted.wanted(), lists.PAGE + 1, before)
    page, query = found[: lists.PAGE], wanted.query()
    if len(found) > lists.PAGE:
        last = page[-1].match
        context["next_url"] = f"{url}?{urlencode(query | behind(last.finished_at, last.pk))}"
    context |= {
        "page": [_item(request, entry, user) for entry in page],
        "query": urlencode(query),
        "back": request.GET.urlencode(),
        "columns": exports.COLUMNS,
    }
    return render(request, "games/history.html", context)


def _item(request: HttpRequest, entry: histories.Entry, user: User) -> dict[str, Any]:
    """A match of the history of ``user`` as an item of a list."""
    return {"card": match_card(entry.match, request.user, entry.seat, of=user), "starred": entry.starred}


@require_safe
def export(request: HttpRequest, kind: str) -> HttpResponse:
    """The visitor's own history as a file, with the filters of its page.

    Raises Http404 for a visitor who is nobody yet, BadRequest for a filter that the page would refuse, and TooMany.
    """
    if isinstance(request.user, AnonymousUser):
        raise Http404
    wanted = _filter(request, request.user)
    if not wanted.is_valid():
        raise BadRequest(_("This filter cannot be used as it is. Please choose again on the page."))
    limits.spend("export", request.user.pk)
    return exports.answer(request, request.user, histories.all_entries(request.user, wanted.wanted()), kind)


@require_POST
def star(request: HttpRequest, slug: str, on: bool) -> HttpResponse:
    """Makes a match a favourite or an ordinary one, and leads back. Raises Http404, NotOver and TooMany."""
    table = access.match_for(request.user, slug)
    if isinstance(request.user, AnonymousUser):
        raise Http404
    limits.spend("favourite", request.user.pk)
    (favourites.star if on else favourites.unstar)(table.match, request.user)
    back = request.POST.get("back")
    if back is None or len(back) > LONGEST_QUERY:
        return redirect(table.match)
    return redirect(f"{reverse('history')}?{back}#m-{slug}")
