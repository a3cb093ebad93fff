"""Notices as mails."""

from __future__ import annotations

from games.delivery import truth
from games.models import Delivery, Notice


def carried(digest: Notice) -> list[Notice]:
    """What a mail with all that waits has to tell now: of the notices put into it, those that still hold."""
    rows = Delivery.objects.filter(digest=digest).select_related("notice__user", "notice__match").order_by("pk")
    return [row.notice for row in rows if not truth.why_not(row.notice)]


def send(row: Delivery) -> None:
    """Sends the mail of a claimed delivery. Raises Later or Never."""
    raise NotImplementedError
