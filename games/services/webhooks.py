"""The addresses to which a user has notices posted: kept, switched, and given up when they fail for long."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Notice, Webhook, WebhookPost
from games.now import now
from games.services import notices
from games.services.errors import Refused

MOST = 5
"""Webhooks that one user may have."""

GIVEN_UP_AFTER = timedelta(hours=24)
"""One that has only failed for so long is switched off."""

ON = {"off_at": None, "off_why": "", "failing_since": None, "rest_until": None, "error": ""}
"""What a webhook is like that is asked, and of which nothing bad is known."""


class TooManyWebhooks(Refused):
    """The user has MOST webhooks already."""

    code = "too_many_webhooks"
    sentence = _("You have as many webhooks as one can have. Remove one of them first.")


class KnownWebhook(Refused):
    """The user has one with this address."""

    code = "known_webhook"
    sentence = _("You have a webhook with this address already.")


def add(user: User, *, kind: str, url: str) -> Webhook:
    """Keeps an address, which was looked at. Raises TooManyWebhooks, KnownWebhook."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # who asks twice at once has no more for it
        own = list(Webhook.objects.filter(user=user).values_list("url", flat=True))
        if url in own:
            raise KnownWebhook
        if len(own) >= MOST:
            raise TooManyWebhooks
        return Webhook.objects.create(user=user, kind=kind, url=url, nonce=secrets.token_hex(16), created_at=now())


def remove(webhook: Webhook) -> None:
    """Forgets a webhook."""
    webhook.delete()


def switch_off(webhook: Webhook) -> None:
    """Posts no more to it; what was given up already stays so."""
    Webhook.objects.filter(pk=webhook.pk, off_at=None).update(off_at=now(), off_why="")


def switch_all_off(user: User) -> None:
    """Posts to none of the user's any more, who is told which: with the new password or address that they have it is
    known no longer that they alone have added them."""
    for webhook in Webhook.objects.filter(user=user, off_at=None):
        _give_up(webhook, "changed", now())


def switch_on(webhook: Webhook) -> None:
    """Posts to it again, as if it had never failed."""
    Webhook.objects.filter(pk=webhook.pk).exclude(off_at=None).update(**ON)


def taken(webhook: Webhook, notice: Notice | None) -> None:
    """Notes that an address took a notice, or a test."""
    with transaction.atomic():
        found = Webhook.objects.filter(pk=webhook.pk)
        if found.update(used_at=now(), failing_since=None, rest_until=None, error="") and notice is not None:
            WebhookPost.objects.bulk_create([WebhookPost(webhook=webhook, notice=notice)], ignore_conflicts=True)


def failed(webhook: Webhook, error: str, rest: timedelta, *, gone: bool) -> None:
    """Notes that an address did not take something, and lets it rest for so long.

    One that is ``gone``, or has failed for GIVEN_UP_AFTER, is switched off, which its user is told.
    """
    moment = now()
    since = webhook.failing_since or moment
    if not gone and moment - since < GIVEN_UP_AFTER:
        row = Webhook.objects.filter(pk=webhook.pk, off_at=None)
        row.update(failing_since=since, rest_until=moment + rest, error=error)
        return
    _give_up(webhook, "gone" if gone else "failing", moment, failing_since=since, error=error)


def _give_up(webhook: Webhook, why: str, moment: datetime, **facts: object) -> None:
    """Switches one off that is on, which its user is told with the reason."""
    with transaction.atomic():
        row = Webhook.objects.filter(pk=webhook.pk, off_at=None)
        if row.update(rest_until=None, off_at=moment, off_why=why, **facts):
            key = f"webhook:{webhook.pk}:{moment:%FT%T}"
            told = notices.tell(webhook.user_id, Notice.Kind.SITE, key, what="webhook", why=why, place=webhook.place)
            notices.store([told])
