"""A history as a file, sent while it is read: it needs the memory of one chunk, however long it is."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.histories import Entry

FORMAT = "na-tahu/history/1"
"""Names what the files hold; another number if a column changes its meaning."""

COLUMNS = {
    "match": _("the name of the match, as in its address"),
    "url": _("its address"),
    "game": _("the game"),
    "options": _("its options, as name=value"),
    "players": _("how many played"),
    "seat": _("your seat, the first is 1; empty if somebody else had it at the end"),
    "place": _("your place, the first is 1; empty like the seat"),
    "result": _("won, shared, lost or left"),
    "opponents": _("who sat there besides you at the end"),
    "rated": _("yes or no"),
    "moves": _("how many rows its log has after the start"),
    "ended_by": _("what ended it"),
    "favourite": _("yes or no"),
    "started": _("when it began, in UTC"),
    "finished": _("when it ended, in UTC"),
}
"""The columns of a file, with what stands in them; opponents and options are lists and objects in JSON."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so would be worked out by a spreadsheet."""

LINES = 100
"""Rows that are sent at once."""


def answer(request: HttpRequest, user: User, entries: Iterable[Entry], kind: str) -> HttpResponse:
    """The matches as a file of that kind, "csv" or "json", by the name of its user."""
    parts = _gathered(_csv(user, entries) if kind == "csv" else _json(user, entries))
    mime = "text/csv; charset=utf-8; header=present" if kind == "csv" else "application/json"
    response = streamed(request, parts, mime)
    name = user.username if user.has_profile else "guest"
    response["Content-Disposition"] = f'attachment; filename="na-tahu-{name}.{kind}"'
    return response


def streamed(request: HttpRequest, parts: Iterator[str] | Iterator[bytes], mime: str) -> HttpResponse:
    """An answer that is sent while its parts are made."""
    # Under an asynchronous server an iterator would be read as a whole first.
    stream = _apart(parts) if isinstance(request, ASGIRequest) else parts
    response: HttpResponse = StreamingHttpResponse(stream, content_type=mime)  # type: ignore[assignment]
    return response


def _gathered(lines: Iterator[str]) -> Iterator[str]:
    """The lines, LINES at a time."""
    part: list[str] = []
    for line in lines:
        part.append(line)
        if len(part) == LINES:
            yield "".join(part)
            part = []
    yield "".join(part)


async def _apart(parts: Iterator[str] | Iterator[bytes]) -> AsyncIterator[str | bytes]:
    """The same, each part made in the thread of the request."""

    def following() -> str | bytes | None:
        return next(parts, None)

    while (part := await sync_to_async(following)()) is not None:
        yield part


def _values(user: User, entry: Entry) -> dict[str, Any]:
    """One match as values, by the names of the columns."""
    match, seat = entry.match, entry.seat
    return {
        "match": match.slug,
        "url": f"{settings.SITE_URL.rstrip('/')}{match.get_absolute_url()}",
        "game": match.game,
        "options": match.options,
        "players": match.seat_count,
        "seat": None if seat is None else seat.number + 1,
        "place": None if seat is None else seat.place,
        "result": entry.result,
        "opponents": [other.user.name for other in match.seats.all() if other.user_id != user.pk],
        "rated": match.rated,
        "moves": max(match.version - 1, 0),
        "ended_by": match.end_reason,
        "favourite": entry.starred,
        "started": _moment(match.started_at),
        "finished": _moment(match.finished_at),
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _json(user: User, entries: Iterable[Entry]) -> Iterator[str]:
    """One object with the matches as a list, a match a line."""
    yield f'{{"format": {json.dumps(FORMAT)}, "user": {json.dumps(user.name)}, "matches": ['
    between = "\n"
    for entry in entries:
        yield between + json.dumps(_values(user, entry), ensure_ascii=False)
        between = ",\n"
    yield "\n]}\n"


def _csv(user: User, entries: Iterable[Entry]) -> Iterator[str]:
    """Lines as RFC 4180 wants them, the first with the names of the columns."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    rows = ([cell(value) for value in _values(user, entry).values()] for entry in entries)
    for row in chain([list(COLUMNS)], rows):
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def cell(value: Any) -> str:
    """A value as the text of a cell, which no spreadsheet takes for a formula."""
    match value:
        case None:
            text = ""
        case bool():
            text = "yes" if value else "no"
        case dict():
            text = "; ".join(f"{name}={cell(one)}" for name, one in value.items())
        case list():
            text = ", ".join(value)
        case _:
            text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
