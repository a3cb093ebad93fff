"""Links in mails: one that opens a match and lets its reader move there, and one that switches a kind of mail off.

Whoever holds a link of a match is taken for its user in that match, for
LASTS: mails are forwarded, so it is as weak as it can be and still be of use.
It shows what the user may see there, the hidden hand included, and a turn can
be sent by it after a click of its own. It gives nothing up, calls nothing off,
agrees to nothing, writes to nobody, and opens no other page. Looking by it
does not count as a visit: what scans mails follows links, too, and nobody
must miss a notice because of that.

It is void once its time is over, the user has another password or another
address, or has asked for that (``links_round``). The same holds for the
session that came in by it, since the session keeps the link itself, and it is
read again with every page. A link is of a user who sits at the match: who has
left or given the seat away sees what everybody sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer, TimestampSigner
from django.urls import reverse

from accounts.models import User
from games.models import Match, Notice, Seat

LASTS = timedelta(days=30)

KEY = "links"
"""Where a session keeps the links that it came in by: the slug of the match, and the link."""

MOST = 20
"""Matches that one session opens by links."""

PARTS = re.compile(r"(\d{1,18})-(\d{1,18})-(\d{1,9})\.[\w.-]+")
KINDS = re.compile(r"(\d{1,18})((?:-[a-z]{1,10}){1,10})")


class Void(Exception):
    """The link opens nothing, or nothing any more."""


@dataclass(frozen=True)
class Link:
    """What a link of a match opens: for whom, which one, and at which version it was when the mail was written."""

    user: User
    match: Match
    version: int


def _signer(user: User) -> TimestampSigner:
    """Signs for one user, as long as password, address and round are what they are."""
    bound = f"{user.get_session_auth_hash()}:{user.email}:{user.links_round}"
    return TimestampSigner(salt=f"games.links:{bound}", sep=".")


def to_match(user: User, match: Match, version: int) -> str:
    """The address of a link that opens a match for a user."""
    token = _signer(user).sign(f"{user.pk}-{match.pk}-{version}")
    return f"{settings.SITE_URL}{reverse('go', args=[token])}"


def read(token: str) -> Link:
    """What the link opens. Raises Void."""
    found = PARTS.fullmatch(token)
    user = User.objects.filter(pk=int(found[1]), is_active=True).first() if found else None
    match = Match.objects.filter(pk=int(found[2])).first() if found else None
    if found is None or user is None or match is None or not holds(token, user, match):
        raise Void
    return Link(user, match, int(found[3]))


def holds(token: str, user: User, match: Match) -> bool:
    """Whether the link opens this match for this user now."""
    try:
        signed = _signer(user).unsign(token, max_age=LASTS)
    except BadSignature:
        return False
    return user.is_active and signed.startswith(f"{user.pk}-{match.pk}-")


def keep(session: MutableMapping[str, Any], link: Link, token: str) -> None:
    """Lets a session act for the link's user in its match."""
    kept = {slug: other for slug, other in session.get(KEY, {}).items() if slug != link.match.slug}
    session[KEY] = {**dict(list(kept.items())[1 - MOST :]), link.match.slug: token}


def drop(session: MutableMapping[str, Any], slug: str) -> None:
    """Lets a session act for nobody in a match any more."""
    if slug in session.get(KEY, {}):
        session[KEY] = {other: token for other, token in session[KEY].items() if other != slug}


def seat_of(session: MutableMapping[str, Any], match: Match, seats: Iterable[Seat]) -> Seat | None:
    """The seat for which a session may act by a link; None if it came in by none, or by one that is void by now."""
    token = session.get(KEY, {}).get(match.slug, "")
    found = PARTS.fullmatch(token)
    if found is None:
        return None
    seat = next((seat for seat in seats if seat.user_id == int(found[1])), None)
    return seat if seat is not None and holds(token, seat.user, match) else None


def to_unsubscribe(user: User, kinds: Iterable[str]) -> str:
    """The address that switches mails of these kinds off for a user: as long as it is a user, however often."""
    token = Signer(salt="games.unsubscribe", sep=".").sign("-".join([str(user.pk), *sorted(set(kinds))]))
    return f"{settings.SITE_URL}{reverse('unsubscribe', args=[token])}"


def read_unsubscribe(token: str) -> tuple[int, list[str]]:
    """The user and the kinds that the address names. Raises Void."""
    try:
        found = KINDS.fullmatch(Signer(salt="games.unsubscribe", sep=".").unsign(token))
    except BadSignature as wrong:
        raise Void from wrong
    kinds = found[2].strip("-").split("-") if found else []
    if found is None or not set(kinds) <= set(Notice.Kind.values):
        raise Void
    return int(found[1]), kinds
