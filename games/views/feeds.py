"""A user's turns for calendars and feed readers, by a secret address: the token speaks, no session does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from games import lists
from games.models import Feed, Match, Move
from games.now import now
from games.services import feeds
from games.templatetags.games_tags import due

LAST = timedelta(minutes=30)
"""How long an entry in a calendar is: the last part of the time, up to the deadline."""

ASK_AGAIN = 300
"""Seconds for which an answer may be kept by who asked."""


@dataclass(frozen=True)
class Turn:
    """A decision that waits for the user, as feeds tell it."""

    name: str
    title: str
    url: str
    begun: datetime
    deadline: datetime | None
    changed: datetime
    sequence: int


@require_safe
def deadlines(request: HttpRequest, token: str) -> HttpResponse:
    """The deadlines of the user's turns as a calendar. Raises Http404 for a token that is not valid (any more)."""
    return _answer(request, token, _calendar, "text/calendar; charset=utf-8")


@require_safe
def turns(request: HttpRequest, token: str) -> HttpResponse:
    """The turns that wait for the user as an Atom feed. Raises Http404 as above."""
    return _answer(request, token, _atom, "application/atom+xml; charset=utf-8")


def _answer(
    request: HttpRequest, token: str, write: Callable[[Feed, list[Turn], str], bytes], kind: str
) -> HttpResponse:
    """What ``write`` makes of the turns, in the zone and language of the feed's user; 304 for what is known already."""
    request.user = AnonymousUser()  # whoever fetches it is not here, even in a browser that is logged in
    feed = feeds.by_token(token)
    if feed is None:
        raise Http404
    with ExitStack() as active:
        if zone := feed.user.zone_info:
            active.enter_context(timezone.override(zone))
        if feed.user.language in dict(settings.LANGUAGES):
            active.enter_context(translation.override(feed.user.language))
        body = write(feed, _turns(feed), settings.SITE_URL + request.path)
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type=kind, headers={"ETag": etag})
    answer: HttpResponse = get_conditional_response(request, etag=etag, response=response) or response
    answer["Cache-Control"] = f"private, max-age={ASK_AGAIN}"
    return answer


def _turns(feed: Feed) -> list[Turn]:
    """The user's turns, the most urgent first."""
    moment, found = now(), []
    seats = list(lists.my_turns(feed.user)[: lists.MOST])
    newest = Move.objects.filter(match__in=[seat.match_id for seat in seats], number=F("match__version"))
    changed = dict(newest.values_list("match", "at"))
    for seat in seats:
        match = seat.match
        begun = match.decision_at or match.created_at
        others = ", ".join(other.user.name for other in match.seats.all() if other.user_id != feed.user_id)
        found.append(
            Turn(
                name=f"{match.slug}-{match.since_version}",
                title=gettext("Your turn: %(game)s, with %(others)s") % {"game": match.title.name, "others": others},
                url=settings.SITE_URL + match.get_absolute_url(),
                begun=begun,
                deadline=_deadline(match, moment),
                changed=changed.get(match.pk, begun),
                sequence=match.version - match.since_version,
            )
        )
    return found


def _deadline(match: Match, moment: datetime) -> datetime | None:
    """The deadline, if it is told and time does not stand still."""
    return None if match.paused_at else match.told_deadline(moment)


def _calendar(feed: Feed, found: list[Turn], url: str) -> bytes:
    from icalendar import Calendar, Event, vDuration  # a tenth of a second, for a page that few processes ever make

    calendar = Calendar()
    calendar.add("prodid", "-//Na tahu//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", gettext("Na tahu: my deadlines"))
    calendar.add("refresh-interval", vDuration(timedelta(minutes=15)), parameters={"VALUE": "DURATION"})
    for turn in found:
        if turn.deadline is None:
            continue
        event = Event()
        event.add("uid", f"{turn.name}@{urlsplit(settings.SITE_URL).hostname}")
        event.add("dtstamp", turn.changed)
        event.add("last-modified", turn.changed)
        event.add("sequence", turn.sequence)  # every row of the log within the decision may have moved its deadline
        event.add("dtstart", turn.deadline - LAST)
        event.add("dtend", turn.deadline)
        event.add("summary", turn.title)
        event.add("url", turn.url)
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    body: bytes = calendar.to_ical()
    return body


class Atom(Atom1Feed):
    """A feed that says when it was made where it has no entries: the present moment would make each answer another."""

    made_at: datetime

    def latest_post_date(self) -> datetime:
        """When the newest entry changed."""
        return super().latest_post_date() if self.items else self.made_at


def _atom(feed: Feed, found: list[Turn], url: str) -> bytes:
    atom = Atom(
        title=gettext("Na tahu: my turns"),
        link=settings.SITE_URL + reverse("dashboard"),
        description="",
        language=translation.get_language(),
        author_name="Na tahu",
        feed_url=url,
        feed_guid=f"tag:{urlsplit(settings.SITE_URL).hostname},2026:feed/{feed.pk}",
    )
    atom.made_at = feed.made_at
    for turn in found:
        until = gettext("Until %(deadline)s.") % {"deadline": due(turn.deadline)} if turn.deadline else ""
        atom.add_item(
            title=turn.title,
            link=turn.url,
            description=until,
            pubdate=turn.begun,
            updateddate=turn.changed,
            unique_id=f"tag:{urlsplit(settings.SITE_URL).hostname},2026:turn/{turn.name}",
        )
    return atom.writeString("utf-8").encode()
