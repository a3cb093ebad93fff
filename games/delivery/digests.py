"""One mail with all that waits: gathered for a while, and none further until its user comes back."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q, QuerySet

from games.delivery import routing, truth
from games.delivery.sending import PRESENT
from games.models import Channel, Delivery, Notice
from games.now import now


def due(limit: int) -> list[int]:
    """The users for whom a mail may be gathered now: something is due, they are not here, and have come back since
    the last one, which has left."""
    moment = now()
    rows = _waiting().filter(due_at__lte=moment)
    # Asked once, and each by an index of its own: what waits for users who stay away is much, and stays.
    for leaving in (Q(status=Delivery.Status.WAITING, gathers=False), Q(status=Delivery.Status.SENDING)):
        mails = Notice.objects.filter(pk__in=Delivery.objects.filter(leaving).values("notice"), kind=Notice.Kind.DIGEST)
        rows = rows.exclude(notice__user__in=mails.values("user"))
    rows = rows.exclude(notice__user__seen_at__gt=moment - PRESENT)
    back = Q(notice__user__mailed_at=None) | Q(notice__user__seen_at__gt=F("notice__user__mailed_at"))
    users = rows.filter(back).order_by("notice__user").values_list("notice__user", flat=True).distinct()
    return list(users[:limit])


def _waiting() -> QuerySet[Delivery]:
    return Delivery.objects.filter(status=Delivery.Status.WAITING, gathers=True, channel=Channel.MAIL)


def _why_not(row: Delivery) -> str:
    return truth.why_not(row.notice) or routing.unwanted(row.notice, Channel(row.channel))


def gather(user_id: int) -> Notice | None:
    """Makes one mail of all that waits for a user and still holds; None if nothing does. What does not is dropped.

    In quiet hours, up to which the user may have been here, all of it waits for their end.
    """
    moment = now()
    rows = list(_waiting().filter(notice__user=user_id).select_related("notice__user", "notice__match").order_by("pk"))
    stale = {row.pk: why for row in rows if (why := _why_not(row))}
    kept = [row.pk for row in rows if row.pk not in stale]
    after = routing.quiet_until(rows[0].notice.user, moment) if kept else moment
    with transaction.atomic():
        for pk, why in stale.items():
            _waiting().filter(pk=pk).update(status=Delivery.Status.DROPPED, why=why)
        if after > moment:
            _waiting().filter(pk__in=kept, due_at__lt=after).update(due_at=after)
        if not kept or after > moment:
            return None
        # The first that it carries names it: of two that gather at once the second finds the mail of the first.
        digest, new = Notice.objects.get_or_create(
            user_id=user_id,
            key=f"digest:{kept[0]}",
            defaults={"kind": Notice.Kind.DIGEST, "at": moment, "routed_at": moment, "seen_at": moment},
        )
        if not new:
            return None
        _waiting().filter(pk__in=kept).update(status=Delivery.Status.CARRIED, digest=digest)
        Delivery.objects.create(notice=digest, channel=Channel.MAIL, due_at=moment)
    return digest
