"""Notices as pushes to the devices of a user."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import User
from games import rendering
from games.delivery import guarded, truth, webpush, words
from games.delivery.faults import Later, Never
from games.delivery.rests import rest
from games.models import Delivery, Device, Notice
from games.now import now

LONGEST = 300
"""Characters of a text in a push: in any script it then fits into one, with room to spare."""

LASTS = timedelta(days=7)
"""How long a push service keeps what asks for a move, if the turn has so much; it is told again by a reminder."""

NEWS_LASTS = timedelta(days=1)
"""How long it keeps what is only told."""

GIVEN_UP_AFTER = timedelta(days=3)
"""A device that has only failed for so long is gone, too."""


class Outcome(StrEnum):
    """What became of a push to one device."""

    TAKEN = "taken"
    GONE = "gone"
    LATER = "later"
    REFUSED = "refused"


@dataclass(frozen=True)
class Message:
    """What is pushed; push services see all but the content."""

    content: bytes
    topic: str
    urgency: str
    lasts: timedelta


def send(row: Delivery) -> None:
    """Pushes a claimed delivery to every device of its user; it is sent when one of them took it.

    Raises Later if one may take it at another time, Never if none will.
    """
    if not settings.VAPID_PRIVATE_KEY:
        raise Never("no_key")
    devices = list(Device.objects.filter(user=row.notice.user_id, gone_at=None).order_by("pk"))
    moment = now()
    ready = [device for device in devices if device.rest_until is None or device.rest_until <= moment]
    outcomes = push(ready, message_of(row.notice)) if ready else []
    if Outcome.TAKEN in outcomes:
        return
    if Outcome.LATER in outcomes or len(ready) < len(devices):
        raise Later("service")
    raise Never("service_refused" if Outcome.REFUSED in outcomes else "no_device")


def push(devices: Sequence[Device], message: Message) -> list[Outcome]:
    """Pushes to devices, to all of them at once, and notes how each fared. It takes guarded.SECONDS at most."""
    with ThreadPoolExecutor(len(devices)) as pool:
        answers = list(pool.map(lambda device: _ask(device, message), devices))
    for device, (outcome, wait) in zip(devices, answers, strict=True):
        _note(device, outcome, wait)
    return [outcome for outcome, _wait in answers]


def _ask(device: Device, message: Message) -> tuple[Outcome, timedelta]:
    """How a push service answers, and for how long it wants to be left alone. In a thread: without the database."""
    try:
        headers = {
            "TTL": str(int(message.lasts.total_seconds())),
            "Urgency": message.urgency,
            "Topic": message.topic,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": webpush.authorization(device.endpoint),
        }
        answer = guarded.post(device.endpoint, webpush.encrypt(message.content, device.p256dh, device.auth), headers)
    except (guarded.Inside, webpush.BadKey):
        return Outcome.REFUSED, timedelta()
    except guarded.NoAnswer:
        return Outcome.LATER, timedelta()
    return _outcome(answer.status), answer.wait


def _outcome(status: int) -> Outcome:
    """401 and 403 mean that the key or the clock of this site is not right, which may be mended."""
    if 200 <= status < 300:
        return Outcome.TAKEN
    if status in (404, 410):
        return Outcome.GONE
    if status >= 500 or status in (401, 403, 408, 425, 429):
        return Outcome.LATER
    return Outcome.REFUSED


def _note(device: Device, outcome: Outcome, wait: timedelta) -> None:
    """Keeps what is known of a device now, unless it is another's meanwhile."""
    moment = now()
    row = Device.objects.filter(pk=device.pk, user=device.user_id, auth=device.auth)
    if outcome == Outcome.TAKEN:
        row.update(used_at=moment, failing_since=None, rest_until=None)
        return
    since = device.failing_since or moment
    if outcome == Outcome.GONE or moment - since > GIVEN_UP_AFTER:
        row.update(gone_at=moment)
        return
    row.update(failing_since=since, rest_until=moment + rest(since, moment, wait))


def message_of(notice: Notice) -> Message:
    """A notice as a push, in the language of its user: no more of the match than the user may know."""
    match = notice.match
    with translation.override(notice.user.language or settings.LANGUAGE_CODE):
        said = words.said([notice])[0]
        title = rendering.to_text(said.title.name) if said.title else "Na tahu"
        tag = f"match:{match.slug}" if match else notice.key
        return _message(notice.user, title, said.text, said.url or reverse("dashboard"), tag, **_manner(notice))


def trial(user: User) -> Message:
    """What the test button pushes."""
    with translation.override(user.language or settings.LANGUAGE_CODE):
        text = gettext("This is what a push looks like here. It was you who asked for it.")
        return _message(
            user, "Na tahu", text, reverse("notice_settings"), "test", urgency="high", lasts=timedelta(minutes=10)
        )


def _manner(notice: Notice) -> dict[str, Any]:
    """How urgent a notice is, and until when it is worth telling: at most until the turn that it asks for is over."""
    urgency = "high" if notice.kind == Notice.Kind.REMINDER else "normal"
    if notice.kind not in truth.ASKS:
        return {"urgency": urgency, "lasts": NEWS_LASTS}
    deadline = notice.match.deadline if notice.match else None
    left = LASTS if deadline is None else max(deadline - now(), timedelta())
    return {"urgency": urgency, "lasts": min(left, LASTS)}


def _message(user: User, title: str, text: str, url: str, tag: str, *, urgency: str, lasts: timedelta) -> Message:
    content = {"title": _clipped(title), "body": _clipped(text), "url": url, "tag": tag}
    # Of two undelivered ones about a match the push service keeps the newer; what it is about it cannot tell.
    topic = sha256(f"{settings.SECRET_KEY}:{user.pk}:{tag}".encode()).hexdigest()[:24]
    return Message(json.dumps(content, ensure_ascii=False).encode(), topic, urgency, lasts)


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
