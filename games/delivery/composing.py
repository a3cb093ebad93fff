"""What a mail says: text and HTML from one source, and headers that nobody's words can break."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games import links, lists, rendering, telling
from games.access import Table
from games.delivery import truth, words
from games.models import Delivery, Invitation, Move, Notice
from games.now import now

MOST_ROWS = 12
"""Rows of the log that a mail tells of one match."""

LONGEST = 100
"""Characters of a subject."""

ORDER = (
    Notice.Kind.REMINDER,
    Notice.Kind.TURN,
    Notice.Kind.NUDGE,
    Notice.Kind.INVITED,
    Notice.Kind.ENDED,
    Notice.Kind.TABLE,
)
"""Which of several notices of one match names it; what asks for something comes first, also among matches."""


@dataclass(frozen=True)
class Item:
    """What a mail tells of one match."""

    kind: str
    text: str
    url: str
    signed: bool = False  # the address lets its reader move without logging in
    deadline: datetime | None = None
    kept_until: datetime | None = None
    moved: bool = False
    since: list[str] = field(default_factory=list)
    more: int = 0
    commitment: str = ""

    @property
    def asks(self) -> bool:
        """Whether its reader is to move."""
        return self.kind in truth.ASKS


def mail(row: Delivery, told: list[Notice]) -> EmailMultiAlternatives:
    """The mail of a delivery that tells these notices, all of one user, in the user's language and zone.

    Raises ValueError if it can be no mail, as for an address with a line break.
    """
    user = row.notice.user
    language = user.language if user.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(user.zone_info or UTC):
        items = _items(user, told)
        unsubscribe = links.to_unsubscribe(user, {notice.kind for notice in told})
        context: dict[str, Any] = {
            "subject": _subject(items),
            "name": user.name,
            "items": items,
            "one": len(items) == 1,
            "now": now(),
            "language": language,
            "kinds": [Notice.Kind(kind).label for kind in sorted({notice.kind for notice in told}, key=ORDER.index)],
            "unsubscribe": unsubscribe,
            "settings_url": f"{settings.SITE_URL}{reverse('notice_settings')}",
            "signed": any(item.signed for item in items),
        }
        text = render_to_string("mails/notices.txt", context).strip() + "\n"
        html = render_to_string("mails/notices.html", context)
    message = EmailMultiAlternatives(
        context["subject"],
        text,
        settings.DEFAULT_FROM_EMAIL,
        [user.email],
        headers={
            "Message-ID": row.message_id,
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    message.attach_alternative(html, "text/html")
    return message


def one_line(text: str) -> str:
    """The text as a header takes it: in one line, without what cannot be seen, and not too long."""
    seen = "".join(" " if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") else sign for sign in text)
    line = " ".join(seen.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def _subject(items: list[Item]) -> str:
    waiting = sum(item.asks for item in items)
    if len(items) == 1:
        return one_line(items[0].text.removesuffix("."))  # a subject is a title
    if waiting:
        told = ngettext("%(total)d match waits for you", "%(total)d matches wait for you", waiting)
        return told % {"total": waiting}
    return gettext("News of your matches")


def _items(user: User, told: Iterable[Notice]) -> list[Item]:
    """One for each match, the most urgent first, then what asks for nothing."""
    first: dict[object, Notice] = {}
    for notice in sorted(told, key=lambda notice: (ORDER.index(Notice.Kind(notice.kind)), -notice.pk)):
        first.setdefault(notice.match_id or f"notice {notice.pk}", notice)
    items = [_item(user, said) for said in words.said(first.values())]
    never = datetime.max.replace(tzinfo=UTC)
    return sorted(items, key=lambda item: (not item.asks, item.deadline or never, ORDER.index(Notice.Kind(item.kind))))


def _item(user: User, said: words.Said) -> Item:
    notice, match = said.notice, said.notice.match
    plain = Item(notice.kind, said.text, f"{settings.SITE_URL}{said.url}" if said.url else "")
    if match is None or not said.url or said.title is None:
        return plain
    if notice.kind == Notice.Kind.INVITED:
        asked = Invitation.objects.filter(pk=int(notice.key.partition(":")[2])).first()
        kept = asked.expires_at if asked else None
        return Item(plain.kind, plain.text, plain.url, kept_until=kept, commitment=match.commitment)
    seats = list(match.seats.all())
    table = Table(match, seats, next((seat for seat in seats if seat.user_id == user.pk), None))
    last = _last_move(table)
    since, more = _since(table, said, last)
    return Item(
        kind=plain.kind,
        text=plain.text,
        url=links.to_match(user, match, match.version) if table.mine else plain.url,
        signed=table.mine is not None,
        deadline=match.told_deadline(now()) if notice.kind in truth.ASKS else None,
        moved=last > 0,
        since=since,
        more=more,
        commitment="" if last else match.commitment,
    )


def _last_move(table: Table) -> int:
    """The number of the user's own last move; 0 if there is none."""
    moves = Move.objects.filter(match=table.match, kind=Move.Kind.PLAY, seat=table.me)
    return moves.order_by("-number").values_list("number", flat=True).first() or 0


def _since(table: Table, said: words.Said, last: int) -> tuple[list[str], int]:
    """What happened after row ``last``, the latest rows in the order of happening, and how many more there were."""
    moves = Move.objects.filter(match=table.match, number__gt=last).order_by("-number")
    if said.notice.kind == Notice.Kind.TABLE and said.notice.version is not None:
        moves = moves.exclude(number=said.notice.version)  # told already
    title = table.match.title
    found, former = list(moves.only(*words.ROW)), lists.former(table.match)
    rows = [row for row in telling.rows(title, found, table.viewer, table.me, former) if row.sentences]
    shown = rows[:MOST_ROWS][::-1]
    texts = [" ".join(rendering.to_text(one, said.names, title) for one in row.sentences) for row in shown]
    return texts, len(rows) - len(shown)
