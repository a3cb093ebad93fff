"""The rankings, and how the rating of a player went."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games import access, rankings, registry
from games.models import OVERALL, Ranking
from games.now import now
from games.rankings import Period, Section
from games.services import rankings as made
from games.services.errors import BadRequest
from games.views.pages import before_of, behind, row_of

CHANGES = 40
"""Changes of a rating on one page."""

WHO = {"": Section.RANKED, "provisional": Section.PROVISIONAL, "inactive": Section.INACTIVE}
"""The parts of a ranking, by what ``of`` says in the address."""

FOLLOWED, AROUND = "followed", "me"

PARTS = (
    ("", "", _("Ranked")),
    ("around", AROUND, _("Around me")),
    ("of", FOLLOWED, _("Players I follow")),
    ("of", "provisional", _("Provisional")),
    ("of", "inactive", _("Inactive")),
)
"""What can be looked at: the query that asks for it, and its name."""


@require_safe
def ranking(request: HttpRequest, family: str = OVERALL) -> HttpResponse:
    """A ranking, from the top or behind ``after``; ``period``, ``of`` and ``around`` choose another one, or a part.

    Raises Http404 for a family that there is not, BadRequest for a part or page that no link of ours leads to.
    """
    families = rankings.families()
    if family not in families:
        raise Http404
    period, of, near = _asked(request)
    user = None if isinstance(request.user, AnonymousUser) else request.user
    mine = rankings.mine(user, family, period) if user is not None and not user.is_guest else None
    after = row_of(request, "after")
    rows: list[Ranking] = []
    if near:
        rows = list(rankings.around(mine, user)) if mine is not None else []
    elif of == FOLLOWED:
        rows = rankings.followed(mine, user, family, period) if user is not None else []
    else:
        rows = list(rankings.rows(family, period, WHO[of], user, after))
    more = of in WHO and not near and len(rows) > rankings.PAGE
    rows = rows[: rankings.PAGE] if more else rows
    here = {name: text for name, text in (("period", period), ("of", of)) if text not in ("", Period.ALL)}
    context: dict[str, Any] = {
        "families": families,
        "family": family,
        "label": families[family],
        "periods": Period.choices,
        "period": period,
        "of": of,
        "near": near,
        "parts": _parts(period, of, near),
        "home_url": _url(family, {}),
        "rows": rows,
        "mine": mine,
        "has_account": user is not None and not user.is_guest,
        "first_page": after is None,
        "ranked": not of and not near,
        "as_of": rankings.as_of(),
        "quarter": made.quarter_of(now()) if period == Period.QUARTER else None,
        "top_url": _url(family, here),
        "next_url": _url(family, {**here, "after": str(rows[-1].position)}) if more else "",
    }
    return render(request, "games/rankings.html", context)


def _asked(request: HttpRequest) -> tuple[str, str, bool]:
    """Period, part and whether it is about oneself, as the address says. Raises BadRequest for what there is not."""
    period, of = request.GET.get("period", Period.ALL), request.GET.get("of", "")
    around = request.GET.get("around", "")
    if period not in Period.values or of not in (*WHO, FOLLOWED) or around not in ("", AROUND):
        raise BadRequest
    return period, of, around == AROUND


def _parts(period: str, of: str, near: bool) -> list[tuple[str, Any, bool]]:
    """The parts of a ranking as links: query, name, and whether it is the one that is shown."""
    found = []
    for key, value, label in PARTS:
        query = {"period": period} if period != Period.ALL else {}
        query |= {key: value} if key else {}
        current = near if key == "around" else not near and of == value
        found.append((f"?{urlencode(query)}" if query else "", label, current))
    return found


def _url(family: str, query: dict[str, str]) -> str:
    """The address of a ranking."""
    path = reverse("rankings") if family == OVERALL else reverse("ranking", args=[family])
    return f"{path}?{urlencode(query)}" if query else path


@require_safe
def player_rating(request: HttpRequest, name: str, family: str) -> HttpResponse:
    """All changes of one rating of a player, the latest first.

    Raises Http404 for nobody and for a family in which they have no rating, BadRequest for a forged page.
    """
    user = access.person_for(request.user, name)
    if user.username != name:
        return redirect("player_rating", user.username, family)
    before = before_of(request)
    standing = next((one for one in rankings.profile_ratings(user, family)), None)
    if standing is None:
        raise Http404
    found = list(rankings.changes(user, family, request.user, before)[: CHANGES + 1])
    page = found[:CHANGES]
    more = behind(page[-1].at, page[-1].pk) if len(found) > CHANGES else {}
    titles = registry.all_titles()
    context = {
        "player": user,
        "standing": standing,
        "page": [(change, titles.get(change.match.game)) for change in page],
        "first_page": before is None,
        "next_url": f"{reverse('player_rating', args=[user.username, family])}?{urlencode(more)}" if more else "",
    }
    return render(request, "games/player_rating.html", context)
