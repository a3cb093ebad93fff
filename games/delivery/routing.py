"""From a notice to its deliveries: which channels, at once or with others, and not before when."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.models import Channel, Choice, Delivery, Device, MatchChoice, Notice, Webhook
from games.now import now

KINDS = (
    Notice.Kind.TURN,
    Notice.Kind.REMINDER,
    Notice.Kind.NUDGE,
    Notice.Kind.INVITED,
    Notice.Kind.TABLE,
    Notice.Kind.ENDED,
)
"""What a user chooses about; other notices stay on the page, or are mails themselves."""

DEFAULTS: dict[tuple[str, str], str] = {
    (Notice.Kind.TURN, Channel.MAIL): Choice.Mode.DIGEST,
    (Notice.Kind.REMINDER, Channel.MAIL): Choice.Mode.INSTANT,
    (Notice.Kind.NUDGE, Channel.MAIL): Choice.Mode.DIGEST,
    (Notice.Kind.INVITED, Channel.MAIL): Choice.Mode.DIGEST,
    (Notice.Kind.TABLE, Channel.MAIL): Choice.Mode.DIGEST,
    (Notice.Kind.ENDED, Channel.MAIL): Choice.Mode.DIGEST,
    (Notice.Kind.TURN, Channel.PUSH): Choice.Mode.INSTANT,
    (Notice.Kind.REMINDER, Channel.PUSH): Choice.Mode.INSTANT,
    (Notice.Kind.NUDGE, Channel.PUSH): Choice.Mode.INSTANT,
    (Notice.Kind.INVITED, Channel.PUSH): Choice.Mode.INSTANT,
    (Notice.Kind.TABLE, Channel.PUSH): Choice.Mode.OFF,
    (Notice.Kind.ENDED, Channel.PUSH): Choice.Mode.OFF,
    (Notice.Kind.TURN, Channel.WEBHOOK): Choice.Mode.INSTANT,
    (Notice.Kind.REMINDER, Channel.WEBHOOK): Choice.Mode.INSTANT,
    (Notice.Kind.NUDGE, Channel.WEBHOOK): Choice.Mode.INSTANT,
    (Notice.Kind.INVITED, Channel.WEBHOOK): Choice.Mode.INSTANT,
    (Notice.Kind.TABLE, Channel.WEBHOOK): Choice.Mode.OFF,
    (Notice.Kind.ENDED, Channel.WEBHOOK): Choice.Mode.INSTANT,
}

DAY = 24 * 60


def route(limit: int = 200) -> int:
    """Makes out the deliveries of notices that have none yet; how many notices. Done twice it does nothing."""
    waiting = Notice.objects.filter(routed_at=None).select_related("user", "match").order_by("pk")
    notices = list(waiting[:limit])
    if not notices:
        return 0
    moment = now()
    wanted = _choices(notices)
    users = {notice.user_id for notice in notices}
    reached = _reached(users)
    rows = [
        row
        for notice in notices
        if notice.kind in KINDS
        for channel in _channels(notice.user, reached)
        if (row := _delivery(notice, channel, wanted, moment)) is not None
    ]
    with transaction.atomic():
        Delivery.objects.bulk_create(rows, ignore_conflicts=True)
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(routed_at=moment)
    return len(notices)


def _channels(user: User, reached: dict[Channel, set[int]]) -> list[Channel]:
    """The ways on which this user can be reached at all: a verified address, a device or a webhook that takes posts."""
    mail = [Channel.MAIL] if user.email and not user.is_guest else []
    return mail + [channel for channel, users in reached.items() if user.pk in users]


def _reached(users: set[int]) -> dict[Channel, set[int]]:
    """Which of the users are reached by pushes, if the site makes any, and by webhooks."""
    devices, webhooks = Device.objects.filter(gone_at=None), Webhook.objects.filter(off_at=None)
    if not settings.VAPID_PRIVATE_KEY:
        devices = devices.none()
    return {
        Channel.PUSH: set(devices.filter(user__in=users).values_list("user", flat=True)),
        Channel.WEBHOOK: set(webhooks.filter(user__in=users).values_list("user", flat=True)),
    }


Wanted = tuple[dict[tuple[int, str, str], str], dict[tuple[int, int], str]]


def _choices(notices: Iterable[Notice]) -> Wanted:
    """What the users of the notices have chosen: by kind and channel, and for single matches."""
    users = {notice.user_id for notice in notices}
    matches = {notice.match_id for notice in notices if notice.match_id is not None}
    cells = Choice.objects.filter(user__in=users).values_list("user_id", "kind", "channel", "mode")
    single = MatchChoice.objects.filter(user__in=users, match__in=matches).values_list("user_id", "match_id", "mode")
    return (
        {(user, kind, channel): mode for user, kind, channel, mode in cells},
        {(user, match): mode for user, match, mode in single},
    )


def mode_of(user_id: int, match_id: int | None, kind: str, channel: str, wanted: Wanted) -> str:
    """How a notice is to be sent by a channel: a mode of Choice, or "mute" for a match that is muted.

    What was chosen for the match stands above the matrix, but brings back nothing that is switched off there.
    """
    cells, single = wanted
    mode = cells.get((user_id, kind, channel), DEFAULTS[kind, channel])
    own = single.get((user_id, match_id)) if match_id is not None else None
    if mode == Choice.Mode.OFF or own is None:
        return mode
    return own if channel == Channel.MAIL or own == MatchChoice.Mode.MUTE else mode


def unwanted(notice: Notice, channel: Channel) -> str:
    """Why the user does not want a notice by a channel any more, as a code for ``words.WHY``; empty if they do."""
    if notice.kind not in KINDS:
        return ""
    mode = mode_of(notice.user_id, notice.match_id, notice.kind, channel, _choices([notice]))
    return mode if mode in (Choice.Mode.OFF, MatchChoice.Mode.MUTE) else ""


def _delivery(notice: Notice, channel: Channel, wanted: Wanted, moment: datetime) -> Delivery | None:
    """The row for one channel; one that the user does not want is there as well, so that the ledger can say so."""
    mode = mode_of(notice.user_id, notice.match_id, notice.kind, channel, wanted)
    row = Delivery(notice=notice, channel=channel, due_at=notice.at)
    if mode in (Choice.Mode.OFF, MatchChoice.Mode.MUTE):
        row.status, row.why = Delivery.Status.DROPPED, mode
    elif channel == Channel.MAIL and notice.user.mail_off_at is not None:
        row.status, row.why = Delivery.Status.DROPPED, "address"
    elif mode == Choice.Mode.DIGEST:
        row.gathers, row.due_at = True, notice.at + timedelta(minutes=notice.user.mail_delay)
    if row.status == Delivery.Status.WAITING:
        row.due_at = after_quiet(notice, row.due_at)
    return row


def after_quiet(notice: Notice, due: datetime) -> datetime:
    """When a notice may leave that is due at a moment: then, or at the end of the quiet hours in which that lies.

    A reminder of a turn that would be over by then is not held back.
    """
    end = quiet_until(notice.user, due)
    match = notice.match
    urgent = notice.kind == Notice.Kind.REMINDER and match is not None and match.deadline is not None
    if urgent and match is not None and match.deadline is not None and match.deadline <= end:
        return due
    return end


def quiet_until(user: User, moment: datetime) -> datetime:
    """When the quiet hours of a user end in which the moment lies; the moment itself outside of them.

    Quiet hours are wall-clock times of the user's zone; an hour that comes twice is quiet both times.
    """
    begins, ends, zone = user.quiet_from, user.quiet_to, user.zone_info
    if begins is None or ends is None or begins == ends:
        return moment
    local = moment.astimezone(zone or UTC)
    minute = local.hour * 60 + local.minute
    if (minute - begins) % DAY >= (ends - begins) % DAY:
        return moment
    day = local.date() + timedelta(days=1 if minute >= ends else 0)
    wall = datetime.combine(day, time(ends // 60, ends % 60), local.tzinfo)
    return wall.replace(fold=1).astimezone(UTC)
