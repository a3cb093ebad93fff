"""Pages about people: profiles, what two have played against each other, and whom one follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import access, achievements, histories, lists, pace, people, rankings, registry
from games.models import Seat
from games.services import following as follows, limits
from games.titles import Title
from games.views.cards import Card, match_card
from games.views.pages import row_of

SHOWN = 5
"""Matches of each kind on a profile."""

OPPONENTS = 10
"""Opponents on a profile, those met most often."""


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Somebody's page: ratings, what they play and have played, as far as the visitor may see it."""
    person = access.person_for(request.user, name)
    if person.username != name:
        return redirect("profile", person.username)
    results = histories.results(person, request.user)
    titles = registry.all_titles()
    context = {
        "person": person,
        "me": person == request.user,
        "account": request.user.is_authenticated and request.user.has_profile,
        "followed": people.follows(request.user, person),
        "titles": list(titles.values()),
        "ratings": rankings.profile_ratings(person),
        "pace": pace.of(person),
        "achievements": achievements.of(person),
        "results": results,
        "counted": histories.COUNTED,
        "families": _by_family(results.families),
        "places": sorted((number + 1, tally) for number, tally in results.seats.items()),
        "opponents": _opponents(request, results),
        "running": [
            match_card(seat.match, request.user, seat, of=person) for seat in lists.played_now([person.pk], SHOWN)
        ],
        "finished": _ended(request, person),
    }
    if isinstance(request.user, User) and person != request.user:
        context["balance"] = _whole(histories.between(request.user, person, request.user))
    return render(request, "games/profile.html", context)


def _card(request: HttpRequest, person: User, seat: Seat) -> Card:
    """A match of somebody as an item of a list."""
    return match_card(seat.match, request.user, seat, of=person)


def _ended(
    request: HttpRequest, person: User, wanted: histories.Wanted | None = None, number: int = SHOWN
) -> list[Card]:
    """The last finished matches of somebody, as items of a list."""
    found = histories.entries(person, request.user, wanted, number)
    return [match_card(entry.match, request.user, entry.seat, of=person) for entry in found]


def _by_family(found: Mapping[tuple[str, str], Any]) -> list[tuple[Title, str, Any]]:
    """What is kept by game and family, with the title and the label of the family, in the order of the titles."""
    rows = []
    for (game, family), value in sorted(found.items()):
        title = registry.title(game)
        rows.append((title, gettext(title.families[family]), value))
    return rows


def _opponents(request: HttpRequest, results: histories.Results) -> list[tuple[User, histories.Tally]]:
    """Those most often met of whom the visitor may see the profile; looked at are some more, as some may be hidden."""
    most = sorted(results.opponents.items(), key=lambda row: (-row[1].total, row[0]))[: 4 * OPPONENTS]
    seen = User.objects.filter(people.visible_to(request.user)).only("username", "kind").in_bulk(dict(most))
    return [(seen[user], tally) for user, tally in most if user in seen][:OPPONENTS]


def _whole(found: Mapping[Any, histories.Balance]) -> histories.Balance:
    """All games together."""
    whole = histories.Balance()
    for one in found.values():
        whole = histories.Balance(whole.ahead + one.ahead, whole.level + one.level, whole.behind + one.behind)
    return whole


@require_safe
def head_to_head(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """How two stand who have played with each other. Raises Http404 as a profile does, and for one person alone."""
    one, two = access.person_for(request.user, name), access.person_for(request.user, other)
    if one == two:
        raise Http404
    if (one.username, two.username) != (name, other):
        return redirect("head_to_head", one.username, two.username)
    found = histories.between(one, two, request.user)
    context = {
        "one": one,
        "two": two,
        "titles": list(registry.all_titles().values()),
        "families": _by_family(found),
        "whole": _whole(found),
        "counted": histories.COUNTED,
        "page": _ended(request, one, histories.Wanted(opponent=two), 2 * SHOWN),
    }
    return render(request, "games/head_to_head.html", context)


@require_POST
def follow(request: HttpRequest, name: str, on: bool) -> HttpResponse:
    """Follows somebody, or no more, and leads back to their page. Raises Http404, CannotFollow and TooMany."""
    person = access.person_for(request.user, name)
    if isinstance(request.user, AnonymousUser):
        raise Http404
    limits.spend("follow", request.user.pk)
    (follows.follow if on else follows.unfollow)(request.user, person)
    return redirect("profile", person.username)


@require_safe
def following(request: HttpRequest) -> HttpResponse:
    """Whom the visitor follows, the latest first, with what they play.

    Raises BadRequest for a page that no link of ours leads to.
    """
    user, before = request.user, row_of(request)
    context: dict[str, Any] = {"titles": list(registry.all_titles().values()), "people": [], "most": follows.MOST}
    if isinstance(user, User):
        found = list(people.followed(user, before)[: lists.PAGE + 1])
        page = found[: lists.PAGE]
        running: dict[int, list[Card]] = {}
        for seat in lists.played_now([one.followed_id for one in page], 3):
            running.setdefault(seat.user_id, []).append(_card(request, seat.user, seat))
        context["people"] = [(one.followed, running.get(one.followed_id, [])) for one in page]
        if len(found) > lists.PAGE:
            context["next_url"] = f"{reverse('following')}?{urlencode({'before': page[-1].pk})}"
    return render(request, "games/following.html", context)
