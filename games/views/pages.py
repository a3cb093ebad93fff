"""Long lists in pages: the next one begins behind a moment and a row, so that nothing is shown twice or left out."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest

from games.services.errors import BadRequest


def behind(moment: datetime | None, pk: int) -> dict[str, str]:
    """The query of the page that begins behind the row ``pk``, of that moment."""
    return {"before": f"{moment:%Y-%m-%dT%H:%M:%S.%f%z}", "id": str(pk)}


def row_of(request: HttpRequest, name: str = "before") -> int | None:
    """The row behind which the page asked for begins, in lists that go by rows alone; None for the first page.

    Raises BadRequest for one that no link of ours leads to.
    """
    text = request.GET.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise BadRequest
    return int(text)


def looked_at(request: HttpRequest) -> bool:
    """Whether somebody has the page before their eyes: browsers also fetch pages that may never be looked at."""
    purpose = " ".join(request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Moz"))
    return request.method != "HEAD" and "prefetch" not in purpose.lower()


def before_of(request: HttpRequest) -> tuple[datetime, int] | None:
    """Where the page asked for begins; None for the first. Raises BadRequest for one that no link of ours leads to."""
    if "before" not in request.GET:
        return None
    try:
        moment, pk = datetime.fromisoformat(request.GET["before"]), int(request.GET.get("id", ""))
        if moment.tzinfo is None or not 0 <= pk < 2**63:
            raise BadRequest
        return moment.astimezone(UTC), pk
    except (ValueError, OverflowError) as wrong:
        raise BadRequest from wrong
