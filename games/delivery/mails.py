"""Notices as mails."""

from __future__ import annotations

import logging
import re
from smtplib import SMTPDataError, SMTPRecipientsRefused

from django.core.mail import EmailMessage

from games.delivery import composing, routing, truth
from games.delivery.faults import Later, Never, NotDelivered
from games.models import Channel, Delivery, Notice
from games.services import mailing

log = logging.getLogger(__name__)

OF_US = re.compile(r"5\.[357]\.\d+")
"""What a mail server says first if it is not the address it minds but whom it has the mail from, or how: a whole site
must not lose its addresses because of a setting."""


def carried(digest: Notice) -> list[Notice]:
    """What a mail with all that waits has to tell now: of the notices put into it, those that still hold.

    The others are noted as not sent: the mail waited while they were settled.
    """
    rows = Delivery.objects.filter(digest=digest, status=Delivery.Status.CARRIED).order_by("pk")
    told = []
    for row in rows.select_related("notice__user", "notice__match"):
        why = truth.why_not(row.notice) or routing.unwanted(row.notice, Channel(row.channel))
        if why:
            Delivery.objects.filter(pk=row.pk).update(status=Delivery.Status.DROPPED, why=why)
        else:
            told.append(row.notice)
    return told


def send(row: Delivery) -> None:
    """Sends the mail of a claimed delivery. Raises Later or Never.

    An address that its server refuses gets no more mail.
    """
    notice = row.notice
    told = carried(notice) if notice.kind == Notice.Kind.DIGEST else [notice]
    if not told:
        raise Never("moved")  # a moment ago there was something
    try:
        message = composing.mail(row, told)
        message.message()
    except (ValueError, UnicodeError) as fault:
        log.exception("delivery %s can be no mail", row.pk)
        raise Never("bad") from fault
    try:
        _hand_over(message)
    except Never as fault:
        if fault.why in mailing.FAILS:
            mailing.address_fails(notice.user_id, fault.why)
        raise


def _hand_over(message: EmailMessage) -> None:
    """Gives the mail to the server. Raises Later or Never."""
    try:
        message.send()
    except SMTPRecipientsRefused as fault:
        code, text = next(iter(fault.recipients.values()))
        raise _refused(code, text) from fault
    except SMTPDataError as fault:
        raise (Never("rejected") if fault.smtp_code >= 500 else Later("busy")) from fault
    except OSError as fault:  # no answer, or greeting, login and sender refused: it would be the same for every mail
        raise Later("server", closed=True) from fault


def _refused(code: int, text: bytes | str) -> NotDelivered:
    """What it means that the server does not take a mail for this address."""
    told = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    if code < 500:
        return Later("busy")
    return Never("rejected" if OF_US.match(told) else "refused")
