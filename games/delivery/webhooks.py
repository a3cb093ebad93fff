"""Notices as posts to the webhooks of a user, signed as standardwebhooks.com has it."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import b64encode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.text import Truncator
from django.utils.translation import gettext

from accounts.models import User
from games.delivery import guarded, truth, words
from games.delivery.faults import Later, Never
from games.delivery.pushes import Outcome
from games.delivery.rests import SHORTEST, rest
from games.models import Channel, Delivery, Notice, Webhook
from games.now import now
from games.services import webhooks as service

SECONDS = 3.0
"""That an address may take, everything together."""

SLOW = 1.0
"""Seconds after which somebody's addresses hold up what others are to be told, whatever they answer in the end."""

LONGEST = 1000
"""Characters of a text; chat rooms take no more than 2000."""

MARKS = re.compile(r"([\\*_~`|>#\[\]()@<-])")
"""What Discord would take for more than text."""

IN_SLACK = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True)
class Message:
    """What is posted: the notice as it is, ``about`` what makes its id, ``data`` what its user may know beside."""

    about: str
    kind: str
    at: datetime
    text: str
    url: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Fared:
    """How an address answered: ``error`` is a status or a code, ``wait`` for how long it wants to be left alone."""

    outcome: Outcome
    error: str = ""
    wait: timedelta = timedelta()


def send(row: Delivery) -> None:
    """Posts a claimed delivery to every webhook of its user that has not taken it yet.

    Raises Later if one may take it at another time, Never if none has taken it or ever will.
    """
    found = Webhook.objects.filter(user=row.notice.user_id, off_at=None)
    waiting = list(found.exclude(posts__notice=row.notice_id).order_by("pk"))
    moment = now()
    ready = [webhook for webhook in waiting if webhook.rest_until is None or webhook.rest_until <= moment]
    begun = time.monotonic()
    outcomes = post(ready, message_of(row.notice), row.notice) if ready else []
    if time.monotonic() - begun > SLOW:
        _let_others_pass(row)
    if Outcome.LATER in outcomes or len(ready) < len(waiting):
        raise Later("webhook")
    if not found.filter(posts__notice=row.notice_id).exists():
        raise Never("webhook_refused" if outcomes else "no_webhook")


def _let_others_pass(row: Delivery) -> None:
    """What else waits for the same addresses waits a little longer, so that who is slow costs all others little."""
    after, user = now() + SHORTEST, row.notice.user_id
    own = Delivery.objects.filter(channel=Channel.WEBHOOK, notice__user=user)
    with transaction.atomic():
        list(User.objects.select_for_update().filter(pk=user))  # as for claiming: two senders wait for each other here
        own.filter(status=Delivery.Status.WAITING, due_at__lt=after).update(due_at=after)


def post(webhooks: Sequence[Webhook], message: Message, notice: Notice | None = None) -> list[Outcome]:
    """Posts to webhooks, to all of them at once, and notes how each fared. It takes SECONDS at most."""
    moment = now()
    with ThreadPoolExecutor(len(webhooks)) as pool:
        answers = list(pool.map(lambda webhook: _ask(webhook, message, moment), webhooks))
    for webhook, fared in zip(webhooks, answers, strict=True):
        if fared.outcome == Outcome.TAKEN:
            service.taken(webhook, notice)
        else:
            pause = rest(webhook.failing_since, moment, fared.wait)
            service.failed(webhook, fared.error, pause, gone=fared.outcome == Outcome.GONE)
    return [fared.outcome for fared in answers]


def _ask(webhook: Webhook, message: Message, moment: datetime) -> Fared:
    """How an address answers. In a thread: without the database."""
    body = json.dumps(PAYLOADS[Webhook.Kind(webhook.kind)](message), ensure_ascii=False).encode()
    mark, stamp = webhook.post_id(message.about), str(int(moment.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Na tahu",
        "Webhook-Id": mark,
        "Webhook-Timestamp": stamp,
        "Webhook-Signature": f"v1,{sign(webhook.key, mark, stamp, body)}",
    }
    try:
        answer = guarded.post(webhook.url, body, headers, SECONDS)
    except guarded.Inside:
        return Fared(Outcome.REFUSED, "inside")
    except guarded.NoAnswer:
        return Fared(Outcome.LATER, "no_answer")
    return Fared(_outcome(webhook.kind, answer.status), str(answer.status), answer.wait)


def sign(key: bytes, mark: str, stamp: str, body: bytes) -> str:
    """The signature of a post: over its id, its moment and its body, so that none can be exchanged."""
    return b64encode(hmac.digest(key, f"{mark}.{stamp}.".encode() + body, "sha256")).decode()


def _outcome(kind: str, status: int) -> Outcome:
    """Chat rooms say 404 for an address that was taken away; a program of the user's may only be away for a moment."""
    if 200 <= status < 300:
        return Outcome.TAKEN
    if status == 410 or (status == 404 and kind != Webhook.Kind.JSON):
        return Outcome.GONE
    if status >= 500 or status in (404, 408, 425, 429):
        return Outcome.LATER
    return Outcome.REFUSED


def message_of(notice: Notice) -> Message:
    """A notice in the language of its user: no more of the match than the user may know."""
    match = notice.match
    with translation.override(notice.user.language or settings.LANGUAGE_CODE):
        said = words.said([notice])[0]
        data: dict[str, Any] = {"game": said.title.slug if said.title else None, "match": None}
        # Not of a match that is hidden from its user: of which they are only invited, or have given up the seat.
        if match is not None and said.url == match.get_absolute_url():
            deadline = match.told_deadline(now()) if notice.kind in truth.ASKS else None
            data["match"] = {"id": match.slug, "version": match.version, "status": match.status}
            data["deadline"] = deadline.isoformat() if deadline else None
        return _message(f"notice:{notice.pk}", notice.kind, notice.at, said.text, said.url, data)


def trial(user: User) -> Message:
    """What the test button posts."""
    with translation.override(user.language or settings.LANGUAGE_CODE):
        text = gettext("This is what a webhook posts. It was you who asked for it.")
        moment = now()
        return _message(f"test:{moment.isoformat()}", "test", moment, text, reverse("webhooks"), {})


def _message(about: str, kind: str, at: datetime, text: str, url: str, data: dict[str, Any]) -> Message:
    line = Truncator(" ".join(text.split())).chars(LONGEST)
    return Message(about, kind, at, line, f"{settings.SITE_URL}{url or reverse('dashboard')}", data)


def _as_json(message: Message) -> dict[str, Any]:
    data = {"text": message.text, "url": message.url, **message.data}
    return {"type": message.kind, "timestamp": message.at.isoformat(), "data": data}


def _for_discord(message: Message) -> dict[str, Any]:
    text = MARKS.sub(r"\\\1", message.text)
    return {"content": f"{text}\n{message.url}", "username": "Na tahu", "allowed_mentions": {"parse": []}}


def _for_slack(message: Message) -> dict[str, Any]:
    return {"text": f"{message.text.translate(IN_SLACK)}\n<{message.url}>", "unfurl_links": False}


PAYLOADS = {
    Webhook.Kind.JSON: _as_json,
    Webhook.Kind.DISCORD: _for_discord,
    Webhook.Kind.SLACK: _for_slack,
}
