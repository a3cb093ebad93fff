"""Sending: a row is claimed for a while, looked at once more, sent, and marked. Whoever dies between is repeated."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games import failpoints
from games.delivery import mails, pushes, routing, truth, webhooks
from games.delivery.faults import Later, Never
from games.models import Channel, Delivery, Notice
from games.now import now
from games.services import mailing, notices

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
"""How long a claimed row is left to who claimed it; sending gives up long before."""

PRESENT = timedelta(minutes=4)
"""Who was on a page of the site so lately is not written to yet: perhaps the move is made in a moment."""

BETWEEN_MAILS = timedelta(minutes=1)
"""At least so much lies between two mails to one user."""

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360))
"""After each try that failed; when they are used up the delivery is parked."""

MOST_FAULTS = 2
"""Pauses after which a delivery that fails by a fault of ours is parked."""

MOST_TRIES = 12
"""Tries after which a delivery is parked whose senders have died so often that no fault was ever noted."""

SENDERS = {Channel.MAIL: mails.send, Channel.PUSH: pushes.send, Channel.WEBHOOK: webhooks.send}


def due(limit: int) -> list[tuple[int, str]]:
    """The deliveries that may be sent now, with their channels; also those whose sender has died. The oldest first."""
    return list(_sendable(now()).order_by("due_at", "pk").values_list("pk", "channel")[:limit])


def _sendable(moment: datetime) -> QuerySet[Delivery]:
    """What is due or was left by who had claimed it, but for who is here, or had a mail just now.

    A reminder waits for nobody's visit to end.
    """
    waiting = Q(status=Delivery.Status.WAITING, gathers=False, due_at__lte=moment)
    left = Q(status=Delivery.Status.SENDING, lease_until__lt=moment)
    here = Q(notice__user__seen_at__gt=moment - PRESENT) & ~Q(notice__kind=Notice.Kind.REMINDER)
    just_now = Q(sent_at__gt=moment - BETWEEN_MAILS) | Q(status=Delivery.Status.SENDING, lease_until__gte=moment)
    lately = Delivery.objects.filter(just_now, notice__user=OuterRef("notice__user"), channel=Channel.MAIL)
    return Delivery.objects.filter(waiting | left).exclude(here).exclude(Q(Exists(lately), channel=Channel.MAIL))


def send(pk: int) -> str:
    """Sends one delivery if it is still to be sent; its status afterwards, "" if it is not, or somebody else has it.

    Raises Later if the way itself is closed (no mail server answers): the others need not be tried now.
    """
    row = _claim(pk)
    if row is None:
        return ""
    failpoints.reach("after_claim_delivery")
    try:
        if why := _why_not(row):
            return _mark(row, Delivery.Status.DROPPED, why)
        if row.tries > MOST_TRIES:  # whoever sends it dies of it
            return _mark(row, Delivery.Status.PARKED, "fault")
        SENDERS[Channel(row.channel)](row)
    except Never as fault:
        return _mark(row, Delivery.Status.PARKED, fault.why)
    except Later as fault:
        status = _again(row, fault.why)
        if fault.closed:
            raise
        return status
    except Exception:  # of this one: it must not come back for ever
        log.exception("delivery %s failed", pk)
        return _again(row, "fault", most=MOST_FAULTS)
    failpoints.reach("after_send")
    return _mark(row, Delivery.Status.SENT)


def _claim(pk: int) -> Delivery | None:
    """The delivery, taken for LEASE; None if it may not be sent, or not now."""
    moment = now()
    user = Delivery.objects.filter(pk=pk).values("notice__user")
    with transaction.atomic():
        # One mail of a user after the other: the second of two at once finds here that the first is on its way.
        list(User.objects.select_for_update().filter(pk__in=user))
        row = _sendable(moment).select_related("notice__user", "notice__match").filter(pk=pk).first()
        if row is None:
            return None
        # Who was here, or a server that was away, may have held it up until the quiet hours had begun.
        if (after := routing.after_quiet(row.notice, moment)) > moment:
            Delivery.objects.filter(pk=pk).update(status=Delivery.Status.WAITING, due_at=after, lease_until=None)
            return None
        Delivery.objects.filter(pk=pk).update(
            status=Delivery.Status.SENDING,
            lease_until=moment + LEASE,
            tries=row.tries + 1,
            message_id=row.own_id,
        )
    return Delivery.objects.select_related("notice__user", "notice__match").get(pk=pk)


def _why_not(row: Delivery) -> str:
    if row.channel == Channel.MAIL and row.notice.user.mail_off_at is not None:
        return "address"
    if row.notice.kind == Notice.Kind.DIGEST:
        return "" if mails.carried(row.notice) else "moved"
    return truth.why_not(row.notice) or routing.unwanted(row.notice, Channel(row.channel))


def _mark(row: Delivery, status: Delivery.Status, why: str = "") -> str:
    """Notes what became of a delivery, and with a mail that had everything in it when that was."""
    moment = now()
    user = row.notice.user_id
    with transaction.atomic():
        if status == Delivery.Status.PARKED and not mailing.is_off(user, why):  # of which the user is told already
            key = f"parked:{row.channel}:{moment:%F}"
            notices.store([notices.tell(user, Notice.Kind.SITE, key, what="parked", channel=row.channel, why=why)])
        sent_at = moment if status == Delivery.Status.SENT else None
        Delivery.objects.filter(pk=row.pk, tries=row.tries).update(
            status=status, why=why, sent_at=sent_at, lease_until=None
        )
        if status == Delivery.Status.SENT and row.notice.kind == Notice.Kind.DIGEST:
            User.objects.filter(pk=user).update(mailed_at=moment)
    failpoints.reach("after_mark")
    return status


def _again(row: Delivery, why: str, most: int = len(PAUSES)) -> str:
    """Lets a delivery wait for its next try, or parks it after ``most`` pauses; its status."""
    if row.tries > most:
        return _mark(row, Delivery.Status.PARKED, why)
    status = Delivery.Status.WAITING
    Delivery.objects.filter(pk=row.pk, tries=row.tries).update(
        status=status, why=why, due_at=now() + PAUSES[row.tries - 1], lease_until=None
    )
    return status
