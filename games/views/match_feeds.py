"""What has ended, for feed readers: the public matches of a person, and those of a game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games import histories, lists, people, registry
from games.models import Match
from games.views.feeds import ASK_AGAIN, Atom


@require_safe
def of_player(request: HttpRequest, name: str) -> HttpResponse:
    """The public matches of somebody that ended last. Raises Http404 unless everybody may see their profile."""
    request.user = AnonymousUser()  # whoever fetches it gets the same, even in a browser that is logged in
    person = people.find(request.user, name)
    if person is None:
        raise Http404
    if person.username != name:
        return redirect("player_feed", person.username)
    found = [entry.match for entry in histories.entries(person, request.user)]
    title = gettext("Na tahu: finished matches of %(name)s") % {"name": person.name}
    return _answer(request, title, reverse("history_of", args=[person.username]), found)


@require_safe
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """The public matches of a game that ended last. Raises Http404 for a game that there is not."""
    request.user = AnonymousUser()
    title = registry.all_titles().get(game)
    if title is None:
        raise Http404
    found = list(lists.recently_finished(lists.PAGE, game))
    told = gettext("Na tahu: finished matches of %(name)s") % {"name": title.name}
    return _answer(request, told, reverse("statistics", args=[game]), found)


def _answer(request: HttpRequest, title: str, about: str, matches: Sequence[Match]) -> HttpResponse:
    """The feed; 304 for who knows it already."""
    host, url = urlsplit(settings.SITE_URL).hostname, settings.SITE_URL + request.path
    atom = Atom(
        title=title,
        link=settings.SITE_URL + about,
        description="",
        language=translation.get_language(),
        author_name="Na tahu",
        feed_url=url,
        feed_guid=f"tag:{host},2026:{request.path}",
    )
    atom.made_at = datetime(2026, 1, 1, tzinfo=UTC)
    for match in matches:
        atom.add_item(
            title=_title(match),
            link=settings.SITE_URL + match.get_absolute_url(),
            description=_result(match),
            pubdate=match.finished_at,
            updateddate=match.finished_at,
            unique_id=f"tag:{host},2026:match/{match.slug}",
        )
    body = atom.writeString("utf-8").encode()
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type="application/atom+xml; charset=utf-8", headers={"ETag": etag})
    answer: HttpResponse = get_conditional_response(request, etag=etag, response=response) or response
    answer["Cache-Control"] = f"public, max-age={ASK_AGAIN}"
    return answer


def _title(match: Match) -> str:
    names = ", ".join(seat.user.name for seat in match.seats.all())
    return gettext("%(game)s: %(names)s") % {"game": match.title.name, "names": names}


def _result(match: Match) -> str:
    winners = [seat.user.name for seat in match.seats.all() if seat.place == 1]
    return gettext("Won by %(names)s.") % {"names": ", ".join(winners)} if winners else ""
