"""Bots by API: those that can be challenged, and a person's own."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import notes
from accounts.models import Bot
from games import access, registry
from games.bot_forms import BotForm, NewBotForm
from games.services import api_bots as service, limits

SHOWN = 100
"""Bots on the list."""


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """The bots that the visitor may challenge."""
    user = request.user
    visitor = None if isinstance(user, AnonymousUser) else user
    titles = registry.all_titles()
    found = [
        {"bot": bot, "titles": [titles[slug] for slug in bot.games if slug in titles]}
        for bot in service.challengeable(visitor)[:SHOWN]
    ]
    return render(request, "games/bots.html", {"bots": found, "has_account": visitor and not visitor.is_guest})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_bots(request: HttpRequest) -> HttpResponse:
    """The visitor's bots; a post makes one, whose token this answer alone shows.

    Raises Http404 for a post of who has no account, TooMany, TooManyBots.
    """
    if request.method != "POST":
        return _page(request, NewBotForm())
    user, form = access.account_of(request.user), NewBotForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    limits.spend("bot", user.pk)
    try:
        made, text = service.make(user, form.cleaned_data["name"], form.facts())
    except service.NameTaken as taken:
        form.add_error("name", str(taken.sentence))
        return _page(request, form, status=422)
    return _page(request, NewBotForm(), made=made, text=text)


def _page(
    request: HttpRequest, form: BotForm, *, made: Bot | None = None, text: str = "", status: int = 200
) -> HttpResponse:
    user = request.user
    found = [] if isinstance(user, AnonymousUser) else list(service.of(user))
    context: dict[str, Any] = {
        "form": form,
        "bots": found,
        "room": len(found) < service.MOST,
        "most": service.MOST,
        "made": made,
        "text": text,
        "note": notes.take(request),
    }
    return render(request, "games/own_bots.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of one bot."""
    bot = access.bot_of(request.user, pk)
    known = {"about": bot.about, "games": bot.games, "everybody": bot.everybody}
    form = BotForm(request.POST if request.method == "POST" else None, initial=known)
    if form.is_valid():
        service.change(bot, form.facts())
        notes.leave(request, _("Saved."))
        return redirect("own_bots")
    return render(request, "games/change_bot.html", {"form": form, "bot": bot}, status=422 if form.is_bound else 200)


@never_cache
@require_POST
def token(request: HttpRequest, pk: int) -> HttpResponse:
    """Another token for a bot, shown by this answer alone; the earlier one ends."""
    bot = access.bot_of(request.user, pk)
    limits.spend("bot", bot.user.owner_id)
    return _page(request, NewBotForm(), made=bot, text=service.new_token(bot))


@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Removes a bot."""
    bot = access.bot_of(request.user, pk)
    service.remove(bot)
    notes.leave(request, gettext("%(name)s plays no more.") % {"name": bot.user.name})
    return redirect("own_bots")
