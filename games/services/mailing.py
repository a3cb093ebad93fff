"""What becomes of mails to a user: switched off by a link, stopped because the address fails, and begun again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from allauth.account.signals import email_changed, email_confirmed
from django.db import transaction
from django.db.models import F

from accounts.models import User
from games.models import Channel, Choice, Delivery, Notice
from games.now import now
from games.services import notices

FAILS = ("hard", "complaint", "refused")
"""Why an address gets no more mail, as codes for ``delivery.words.WHY``: it does not exist, its owner has called us
spam, its server takes nothing for it."""

MESSAGE_ID = re.compile(r"<(\d{1,18})\.")


def unsubscribe(user_id: int, kinds: Iterable[str]) -> None:
    """Switches mails of these kinds off for a user; harmless if they are, or if there is no such user."""
    if User.objects.filter(pk=user_id).exists():
        cells = [Choice(user_id=user_id, kind=kind, channel=Channel.MAIL, mode=Choice.Mode.OFF) for kind in kinds]
        Choice.objects.bulk_create(
            cells, update_conflicts=True, unique_fields=["user", "kind", "channel"], update_fields=["mode"]
        )


def address_fails(user_id: int, why: str) -> bool:
    """Writes no more to the address of a user, and tells them on the page; whether it was still written to."""
    if why not in FAILS:
        raise ValueError(f"no reason to stop writing: {why}")
    moment = now()
    with transaction.atomic():
        found = User.objects.filter(pk=user_id, mail_off_at=None)
        if not found.update(mail_off_at=moment, mail_off_why=why):
            return False
        key = f"address:{moment:%FT%T.%f}"
        notices.store([notices.tell(user_id, Notice.Kind.SITE, key, what="address", why=why)])
    return True


def is_off(user_id: int, why: str) -> bool:
    """Whether nothing more is written to the address of a user for that reason."""
    return User.objects.filter(pk=user_id, mail_off_why=why).exclude(mail_off_at=None).exists()


def try_again(user_id: int) -> None:
    """Writes to the address of a user again; harmless if it is written to."""
    User.objects.filter(pk=user_id).exclude(mail_off_at=None).update(mail_off_at=None, mail_off_why="")


def bounced(why: str, *, message_id: str = "", address: str = "") -> bool:
    """Takes notice of a mail that came back, named by its Message-ID or its address; whether an address was stopped.

    A mail to an address that the user no longer has says nothing about the present one.
    """
    users = User.objects.filter(kind=User.Kind.PERSON, email__iexact=address) if address else User.objects.none()
    if found := MESSAGE_ID.match(message_id):
        mails = Delivery.objects.select_related("notice__user").filter(notice=int(found[1]), channel=Channel.MAIL)
        users = User.objects.filter(pk__in=[mail.notice.user_id for mail in mails if mail.own_id == message_id])
    return any([address_fails(user, why) for user in users.values_list("pk", flat=True)])


def end_links(user_id: int) -> None:
    """Makes the links in all mails to a user void."""
    User.objects.filter(pk=user_id).update(links_round=F("links_round") + 1)


def _verified(sender: object, email_address: Any, **_more: object) -> None:
    """An address that was verified again takes mail."""
    try_again(email_address.user_id)


def _changed(sender: object, user: User, **_more: object) -> None:
    """Another address is another chance."""
    try_again(user.pk)


email_confirmed.connect(_verified, dispatch_uid="games.mailing.verified")
email_changed.connect(_changed, dispatch_uid="games.mailing.changed")
