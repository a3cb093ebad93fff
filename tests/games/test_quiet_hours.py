"""Quiet hours hold when something leaves, not only when it is planned."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from accounts.models import User
from games.delivery import fates, routing
from games.models import Delivery, Match, Notice
from games.services import notices
from tests.games.mailing import Faulty, asked, sweep, wants, with_address

pytestmark = pytest.mark.django_db


def minute(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute


@pytest.fixture
def match(clock, alice, bob):
    """alice, who is asked to move, has quiet hours that begin an hour from now and last eight."""
    with_address(alice)
    begins = minute(clock() + timedelta(hours=1))
    User.objects.filter(pk=alice.pk).update(quiet_from=begins, quiet_to=(begins + 480) % 1440, zone="UTC")
    return asked(alice, bob)


def test_who_leaves_the_page_in_quiet_hours_is_not_written_to(clock, alice, match):
    sweep(clock)
    clock.forward(minutes=59)
    User.objects.filter(pk=alice.pk).update(seen_at=clock())  # and she looks at other pages
    assert sweep(clock, minutes=20) == []
    [sent] = sweep(clock, hours=8)
    assert sent.to == [alice.email]


def test_nor_by_what_goes_out_at_once(clock, alice, match):
    wants(alice, "turn", "instant")
    User.objects.filter(pk=alice.pk).update(seen_at=clock() + timedelta(minutes=59))
    assert sweep(clock, minutes=59) == []
    assert sweep(clock, minutes=20) == []
    row = Delivery.objects.get()
    assert (row.status, row.tries) == ("waiting", 0)
    assert row.due_at == routing.quiet_until(User.objects.get(pk=alice.pk), clock())
    told = fates.of(Delivery.objects.select_related("notice__user").get(), clock())
    assert (told.what, told.at) == ("quiet", row.due_at)
    assert len(sweep(clock, hours=8)) == 1


def test_nor_by_what_a_server_did_not_take_before(clock, alice, match, settings):
    settings.EMAIL_BACKEND = "tests.games.mailing.Faulty"
    wants(alice, "turn", "instant")
    clock.forward(minutes=58)
    Faulty.fault = ConnectionError("away")
    try:
        assert sweep(clock) == []
    finally:
        Faulty.fault = None
    assert sweep(clock, minutes=10) == []
    assert len(sweep(clock, hours=8)) == 1


def test_a_reminder_of_a_turn_that_would_be_over_by_then_is_sent(clock, alice, match):
    Delivery.objects.all().delete()
    Notice.objects.all().delete()
    clock.forward(hours=2)
    Match.objects.filter(pk=match.pk).update(deadline=clock() + timedelta(hours=3))
    notices.store([notices.tell(alice.pk, Notice.Kind.REMINDER, "reminder:1", match, version=match.since_version)])
    assert len(sweep(clock)) == 1
