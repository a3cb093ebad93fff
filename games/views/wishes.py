"""Which moves a player wants made without being asked, chosen on the page of the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games import access
from games.access import Table
from games.services import limits, wishes


@dataclass(frozen=True)
class Offer:
    """A wish as the form shows it."""

    name: str
    label: str
    help: str
    chosen: bool


def offered(table: Table) -> dict[str, Any]:
    """The ``offers`` the visitor may wish for in this match, and whether any is ``on``."""
    chosen = table.mine.auto if table.mine else []
    known = table.match.title.wishes.items()
    offers = [Offer(name, wish.label, wish.help, name in chosen) for name, wish in known]
    return {"offers": offers, "on": any(offer.chosen for offer in offers)}


@require_POST
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Keeps the wishes that are ticked, none if none is."""
    table, seat = access.seat_for(request.user, slug)
    limits.spend("move", seat.user_id)
    wishes.choose(table.match.pk, seat.user, request.POST.getlist("wish"))
    return redirect(table.match)
