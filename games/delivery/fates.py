"""What became of deliveries, for their user to read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.functional import Promise

from games.delivery.routing import quiet_until
from games.delivery.sending import PRESENT
from games.delivery.words import WHY
from games.models import Channel, Delivery, Notice


@dataclass(frozen=True)
class Fate:
    """What became of one delivery: ``what`` names a sentence of ``parts/fate_of_delivery.html``, ``at`` goes in it."""

    channel: str | Promise
    what: str
    at: datetime | None = None
    why: str | Promise = ""
    tries: int = 0


def of(row: Delivery, moment: datetime) -> Fate:
    """The fate at a moment; the row comes with its notice, the notice's user, and the mail that carries it if any."""
    channel, why = Channel(row.channel).label, WHY.get(row.why, "")
    match row.status:
        case Delivery.Status.SENT:
            return Fate(channel, "sent", row.sent_at)
        case Delivery.Status.DROPPED:
            return Fate(channel, "dropped", why=why)
        case Delivery.Status.PARKED:
            return Fate(channel, "parked", why=why, tries=row.tries)
        case Delivery.Status.SENDING:
            return Fate(channel, "sending")
        case Delivery.Status.CARRIED:
            return _carried(row, channel)
    return _waiting(row, channel, why, moment)


def _carried(row: Delivery, channel: str | Promise) -> Fate:
    """What became of the mail that tells it with others."""
    mail = next(iter(row.digest.deliveries.all()), None) if row.digest else None
    if mail is None:
        return Fate(channel, "carried")
    if mail.status == Delivery.Status.SENT:
        return Fate(channel, "carried", mail.sent_at)
    if mail.status in (Delivery.Status.DROPPED, Delivery.Status.PARKED):
        return Fate(channel, mail.status, why=WHY.get(mail.why, ""), tries=mail.tries)
    return Fate(channel, "gathered")


def _waiting(row: Delivery, channel: str | Promise, why: str | Promise, moment: datetime) -> Fate:
    user, kind = row.notice.user, row.notice.kind
    if row.notice.seen_at is not None and kind not in (Notice.Kind.REMINDER, Notice.Kind.DIGEST):
        return Fate(channel, "unneeded", why=WHY["seen"])  # before sending it is dropped for that
    if row.due_at > moment:
        if row.tries:
            return Fate(channel, "again", row.due_at, why, row.tries)
        wanted = row.notice.at + timedelta(minutes=user.mail_delay if row.gathers else 0)
        quiet = row.due_at > wanted and quiet_until(user, row.due_at - timedelta(minutes=1)) == row.due_at
        return Fate(channel, "quiet" if quiet else "later", row.due_at)
    # Who reads this is here, so nothing waits for a return.
    here = user.seen_at > moment - PRESENT and kind != Notice.Kind.REMINDER
    return Fate(channel, "present" if here else "soon")
