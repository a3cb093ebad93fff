"""Long lists: a page says where the next one is, by what stood last on it, so nothing is left out or given twice."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from games.api.reading import Strict

WRONG = _("No answer of ours has named this page.")

SHAPE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)

LONGEST = 100
"""Characters of the longest cursor that is read."""


class Paged(Strict):
    """Where a page begins."""

    cursor = serializers.CharField(
        required=False, max_length=LONGEST, trim_whitespace=False, help_text="Of the page before: see next."
    )


def after_row(pk: int) -> str:
    """The cursor behind a row, in lists that go by rows alone."""
    return urlsafe_b64encode(str(pk).encode()).decode().rstrip("=")


def after_moment(moment: datetime | None, pk: int) -> str:
    """The cursor behind a row of that moment."""
    assert moment is not None  # noqa: S101 - such rows have one
    return urlsafe_b64encode(f"{moment.astimezone(UTC).isoformat()} {pk}".encode()).decode().rstrip("=")


def row_of(cursor: str | None) -> int | None:
    """The row behind which a page begins; None for the first page. Raises ValidationError."""
    if cursor is None:
        return None
    text = _text(cursor)
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise ValidationError({"cursor": [WRONG]})
    return int(text)


def moment_of(cursor: str | None) -> tuple[datetime, int] | None:
    """The moment and the row behind which a page begins; None for the first page. Raises ValidationError."""
    if cursor is None:
        return None
    text, _blank, row = _text(cursor).partition(" ")
    try:
        moment, pk = datetime.fromisoformat(text).astimezone(UTC), int(row)
    except (ValueError, OverflowError) as wrong:
        raise ValidationError({"cursor": [WRONG]}) from wrong
    if not 0 <= pk < 2**63:
        raise ValidationError({"cursor": [WRONG]})
    return moment, pk


def _text(cursor: str) -> str:
    try:
        if SHAPE.fullmatch(cursor) is None:
            raise ValueError(cursor)
        return urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError as wrong:
        raise ValidationError({"cursor": [WRONG]}) from wrong


def page(request: Request, items: Sequence[Any], cursor: str) -> dict[str, Any]:
    """A page of a list; ``cursor`` is where the next one begins, "" behind the last."""
    query = {name: text for name, text in request.query_params.items() if name != "cursor"}
    following = f"{request.path}?{urlencode(query | {'cursor': cursor})}" if cursor else None
    return {"items": list(items), "next": following}
