"""What a user was told, as a list, and what became of it on other ways."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import lists
from games.delivery import fates, words
from games.models import Delivery, Notice
from games.now import now
from games.services import notices
from games.views.pages import looked_at, row_of


@require_safe
def notice_list(request: HttpRequest) -> HttpResponse:
    """The visitor's notices, the newest first; those shown are seen. Raises BadRequest for a page no link leads to."""
    context: dict[str, Any] = {"page": [], "titles": [], "next_url": ""}
    user = request.user
    if not isinstance(user, AnonymousUser):
        found, context["next_url"] = _page(lists.notices(user, row_of(request)), "notices")
        context["page"] = words.said(found)
        context["titles"] = words.titles(context["page"])
        if looked_at(request):
            notices.saw_list(user, found)
    return render(request, "games/notices.html", context)


@require_safe
def deliveries(request: HttpRequest) -> HttpResponse:
    """What became of the visitor's notices on their other ways, the newest first. Raises BadRequest as above."""
    context: dict[str, Any] = {"page": [], "titles": [], "next_url": ""}
    user = request.user
    if not isinstance(user, AnonymousUser):
        rows = lists.notices(user, row_of(request), with_mails=True).select_related("user", "match")
        sent = Delivery.objects.select_related("digest").prefetch_related("digest__deliveries").order_by("channel")
        found, context["next_url"] = _page(rows.prefetch_related(Prefetch("deliveries", sent)), "deliveries")
        moment, said = now(), words.said(found)
        context["page"] = [
            {"said": one, "notice": one.notice, "fates": [fates.of(row, moment) for row in one.notice.deliveries.all()]}
            for one in said
        ]
        context["titles"] = words.titles(said)
    return render(request, "games/deliveries.html", context)


def _page(rows: QuerySet[Notice], name: str) -> tuple[list[Notice], str]:
    """One page of notices and the address of the next one, "" behind the last."""
    found = list(rows[: lists.PAGE + 1])
    more = len(found) > lists.PAGE
    found = found[: lists.PAGE]
    return found, f"{reverse(name)}?before={found[-1].pk}" if more else ""
