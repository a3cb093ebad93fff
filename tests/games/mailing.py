"""People with addresses, matches in which they are asked to move, and a mail server that tests can break."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Any

from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend

from accounts.models import User
from games import tasks
from games.models import Choice, Delivery, Match
from tests.conftest import seated


def with_address(*users: User) -> None:
    """Gives them addresses, and a long absence."""
    for user in users:
        user.email, user.seen_at = f"{user.username}@example.org", datetime(2026, 1, 1, tzinfo=UTC)
        user.save()


def wants(user: User, kind: str, mode: str, channel: str = "mail") -> None:
    """Sets a cell of the user's matrix."""
    Choice.objects.update_or_create(user=user, kind=kind, channel=channel, defaults={"mode": mode})


def asked(user: User, *others: User, **proposal: Any) -> Match:
    """A match in which the user is to move."""
    while True:
        match = seated(user, *others, **proposal)
        if match.seats.get(user=user).number == match.active_seat:
            return match
        match.delete()


def sweep(clock: Any, **span: float) -> list[Any]:
    """Lets time pass and the deliveries go out; the mails that came out of it."""
    clock.forward(**span)
    before = len(mail.outbox)
    tasks.deliveries()
    return mail.outbox[before:]


def fates(user: User) -> list[tuple[str, str, str]]:
    """Kind, status and reason of the user's deliveries, in order."""
    rows = Delivery.objects.filter(notice__user=user).order_by("pk")
    return list(rows.values_list("notice__kind", "status", "why"))


class Faulty(BaseEmailBackend):
    """Raises ``fault`` if there is one; else keeps the mails in ``mail.outbox``."""

    fault: Exception | None = None

    def send_messages(self, messages: Any) -> int:
        """Raises or keeps."""
        if Faulty.fault is not None:
            raise Faulty.fault
        mail.outbox.extend(messages)
        return len(messages)


def read(sent):
    """A mail as its reader's program takes it apart."""
    return message_from_bytes(sent.message().as_bytes(), policy=policy.default)


def parts(sent):
    """Text and HTML of a mail."""
    found = read(sent)
    assert found.get_content_type() == "multipart/alternative"
    return [part.get_content() for part in found.iter_parts()]
