"""Matches as files: one as its viewer may know it, all of one's own in an archive, and the page that verifies one."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import visitors
from accounts.models import User
from games import access, histories, lists, records
from games.models import Match
from games.services import limits
from games.verify.draws import draws
from games.views import exports


@never_cache
@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The record of a match as a file: whole after the end, before that what this visitor may know. Raises TooMany."""
    limits.spend("record", visitors.counted(request))
    table = access.match_for(request.user, slug, request.session)
    return sent(records.for_viewer(table.match, table.seats, table.viewer), table.match.slug)


def sent(value: dict[str, Any], name: str) -> HttpResponse:
    """A record as a file to be kept."""
    response = HttpResponse(as_text(value), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="na-tahu-{name}.json"'
    return response


def as_text(value: dict[str, Any]) -> str:
    """A record as JSON, one row of its log a line."""
    rows = ",\n".join(_json(row) for row in value["rows"])
    head = {name: one for name, one in value.items() if name != "rows"}
    return f'{_json(head)[:-1]},"rows":[\n{rows}\n]}}\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """All matches of the visitor as a ZIP file with a record each, made while it is sent.

    Raises Http404 for a visitor who is nobody yet, and TooMany.
    """
    if isinstance(request.user, AnonymousUser):
        raise Http404
    limits.spend("archive", request.user.pk)
    response = exports.streamed(request, _zipped(request.user), "application/zip")
    name = request.user.username if request.user.has_profile else "guest"
    response["Content-Disposition"] = f'attachment; filename="na-tahu-{name}.zip"'
    add_never_cache_headers(response)
    return response


class _Part(io.RawIOBase):
    """Takes what is written until it is taken; it cannot be sought in, so that an archive never goes back."""

    def __init__(self) -> None:
        self.written = bytearray()

    def write(self, data: Any) -> int:
        """Keeps the data."""
        self.written += data
        return len(data)

    def take(self) -> bytes:
        """What was written since the last time."""
        part = bytes(self.written)
        self.written.clear()
        return part


def _zipped(user: User) -> Iterator[bytes]:
    """The archive in parts of one match each."""
    part = _Part()
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
        for match in _matches(user):
            seats = list(match.seats.all())
            mine = next((seat for seat in seats if seat.user_id == user.pk), None)
            table = access.Table(match, seats, mine)
            # The name is a slug of ours: letters and digits, which lead out of no folder.
            file.writestr(f"{match.slug}.json", as_text(records.for_viewer(match, seats, table.viewer)))
            yield part.take()
    yield part.take()


def _matches(user: User) -> Iterator[Match]:
    """The running matches of a user, then those that are over, the latest first."""
    for seats in (lists.my_turns(user), lists.waiting_for_others(user)):
        yield from (seat.match for seat in seats[: lists.MOST])
    yield from (entry.match for entry in histories.all_entries(user, histories.Wanted()))


@require_safe
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """The page on which the browser checks the chance of a match that is over. Raises Http404 for any other."""
    table = _over(request, slug)
    context = {
        "match": table.match,
        "title": table.match.title,
        "record_url": reverse("record", args=[slug]),
        "draws_url": reverse("draws", args=[slug]),
    }
    return render(request, "games/verify.html", context)


@never_cache
@require_safe
def drawn(request: HttpRequest, slug: str) -> HttpResponse:
    """What each row of a match that is over drew, for the page that draws it again.

    Raises Http404 for any other, and TooMany.
    """
    limits.spend("record", visitors.counted(request))
    table = _over(request, slug)
    found = draws(records.whole(table.match, table.seats), table.match.rules)
    return JsonResponse({"id": table.match.origin or table.match.slug, "rows": found})


def _over(request: HttpRequest, slug: str) -> access.Table:
    """A match that is over, if the visitor may watch it and its rules are here."""
    table = access.match_for(request.user, slug, request.session)
    try:
        known = table.match.rules
    except KeyError:
        known = None
    if not table.match.over or known is None:
        raise Http404
    return table
