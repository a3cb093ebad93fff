"""Mails: sent at once and outside of any transaction, or kept where there is no mail server."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from accounts.models import Mail

log = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=7)


class NotSent(Exception):
    """The mail server did not take a mail that somebody waits for."""


class Kept(BaseEmailBackend):
    """Keeps mails as rows, for the page that shows them on the machine itself."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Keeps them; how many."""
        for message in messages:
            parts = getattr(message, "alternatives", [])
            Mail.objects.create(
                to=", ".join(message.to),
                subject=str(message.subject),
                body=str(message.body),
                html=next((str(part.content) for part in parts if part.mimetype == "text/html"), ""),
                headers={name: str(text) for name, text in message.message().items()},
            )
        return len(messages)


def send(message: EmailMessage) -> None:
    """Sends one mail. Raises NotSent; a server that does not answer is given up after EMAIL_TIMEOUT."""
    try:
        message.send()
    except (OSError, SMTPException) as fault:
        log.exception("a mail was not sent")
        raise NotSent from fault


def forget() -> int:
    """Deletes kept mails that are old; how many."""
    return Mail.objects.filter(at__lt=timezone.now() - KEPT_FOR).delete()[0]
