"""O11: the mail server is away while matches go on. Afterwards nothing is poured out that is true no more."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from django.core import mail

from games import tasks
from games.models import Delivery, Match, Notice
from tests.conftest import move, seated
from tests.games.mailing import Faulty, wants, with_address

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("unlimited")]

LINK = re.compile(r"/go/(\d+)-(\d+)-(\d+)\.")
TURNS = 500


def test_o11_two_hours_without_a_mail_server(clock, person, settings):
    settings.EMAIL_BACKEND = "tests.games.mailing.Faulty"
    people = [person(f"person{number}") for number in range(8)]
    with_address(*people)
    for user in people[:4]:
        wants(user, "turn", "instant")
        wants(user, "ended", "instant")
    Faulty.fault = ConnectionRefusedError()
    try:
        turns, minutes = 0, 0
        running = [seated(people[number], people[-1 - number], days=7) for number in range(4) for _match in range(2)]
        while minutes < 120:
            minutes += 1
            clock.forward(minutes=1)
            tasks.deliveries()
            for place, match in enumerate(running):
                if turns < TURNS and (turns * 120) // TURNS <= minutes:
                    running[place] = (
                        move(match, turns)
                        if match.status == "playing"
                        else seated(*[seat.user for seat in match.seats.all()], days=7)
                    )
                    turns += 1
        assert turns == TURNS
        assert mail.outbox == []
    finally:
        Faulty.fault = None
    at: Counter[tuple[str, object]] = Counter()
    for _sweep in range(240):  # an hour, a sweep every 15 seconds
        before = len(mail.outbox)
        tasks.deliveries()
        for sent in mail.outbox[before:]:
            [to] = sent.to
            at[to, clock.moment] += 1
            for _user, match, version in LINK.findall(sent.body):
                now = Match.objects.get(pk=match)
                assert int(version) == now.version
        clock.forward(seconds=15)
    assert at
    for user in people:
        moments = sorted(moment for to, moment in at if to == user.email)
        assert all(later - sooner >= timedelta(minutes=1) for sooner, later in pairwise(moments))
    assert max(at.values()) == 1
    # What was sent asks for the decision that is open; everything else that was asked is dropped.
    for row in Delivery.objects.filter(notice__kind=Notice.Kind.TURN).select_related("notice__match"):
        match, open_still = row.notice.match, row.notice.version == row.notice.match.since_version
        if row.status in ("sent", "carried"):
            assert match.status == "playing", row
            assert open_still, row
        else:
            assert row.status in ("dropped", "waiting"), row
    sent_rows = Delivery.objects.filter(status="sent").values_list("message_id", flat=True)
    found = [sent.extra_headers["Message-ID"] for sent in mail.outbox]
    assert sorted(found) == sorted(sent_rows)
    assert len(set(found)) == len(found)
    # What still waits goes into the next mail, after its user has been here.
    waiting = Delivery.objects.filter(status="waiting", due_at__lte=clock.moment - timedelta(hours=1))
    assert not waiting.filter(gathers=False).exists()
