"""Weeks of play in simulated time: people in several zones who come, go on holiday and leave, and an outage.

The clocks of Prague, New York and Lord Howe change on the way. The short version runs always, the one with 200 matches
over 60 days by ``--thorough``.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from accounts.models import Holiday
from games import tasks
from games.clock import VACANT
from games.delivery import sending
from games.models import Channel, Consent, Downtime, Match, Move, Notice, Nudge
from games.services import (
    records,
    rows,
)
from tests.games.weeks import MOST_OVERDUE, START, Weeks

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("unlimited"),
    pytest.mark.any_database,
]


def told_of(weeks: Weeks) -> None:
    """Every notice left once at most, and who ran out of time had been reminded of that very decision, once."""
    assert set(weeks.told.values()) == {1}
    assert weeks.counts["digests"]
    assert weeks.counts["reminders"] == sum(key.startswith("reminder:") for _user, key in weeks.told)
    reminders = Counter(Notice.objects.filter(kind=Notice.Kind.REMINDER).values_list("user", "match", "version"))
    assert set(reminders.values()) == {1}
    for row in Move.objects.filter(kind=Move.Kind.TIMEOUT).select_related("match"):
        begins = Q(kind__in=(Move.Kind.START, Move.Kind.PLAY)) | Q(kind__in=rows.CHANGES_HANDS, seat=row.seat)
        since = row.match.moves.filter(begins, number__lt=row.number).latest("number").number
        late = row.match.departures.get(version=row.number)
        assert reminders[late.user_id, row.match_id, since] == 1, (row, since)


def test_weeks_of_play(clock, person, thorough, capsys, monkeypatch):
    days, matches = (60, 200) if thorough else (14, 10)
    clock.moment = START
    # What happens is the same at every run: all that is asked for afterwards comes about, or never does.
    chance = Random(20270301)
    monkeypatch.setattr("secrets.token_bytes", chance.randbytes)
    monkeypatch.setattr("secrets.randbelow", chance.randrange)
    weeks = Weeks(clock, person, Random(20270301), days, matches)
    monkeypatch.setattr(sending, "SENDERS", dict.fromkeys(Channel, weeks.leave))
    weeks.run()
    assert weeks.worst <= MOST_OVERDUE
    assert Match.objects.count() == matches == len(weeks.frozen)
    for match in Match.objects.all():
        assert match.status == ("cancelled" if match.end_reason == "agreed" else "finished")
        assert (match.deadline, match.paused_at, match.auto_at) == (None, None, None)
        assert weeks.facts(match) == weeks.frozen[match.pk]
        assert records.differences(match) == []
        ours = sum((one.ends - one.starts for one in Downtime.objects.all()), timedelta())
        begun, since = match.started_at, None
        given, stood = timedelta(), timedelta()
        for row in match.moves.exclude(kind=Move.Kind.START).order_by("number"):
            told = [news for news in row.news if news["what"] == "clock" and news["why"] in ("grant", "pause")]
            given += timedelta(seconds=sum(news["seconds"] for news in told))
            if row.kind == Move.Kind.PAUSE:
                since = row.at
            elif since is not None:
                stood += row.at - since + timedelta(days=7)  # and the weeks are counted anew
                since = None if row.kind == Move.Kind.RESUME else row.at
            if row.kind not in rows.TIME:
                assert row.at - begun <= max(match.clock.longest(given), VACANT) + stood + ours + MOST_OVERDUE
                begun, given, stood = row.at, timedelta(), timedelta()
    told_of(weeks)
    kinds = Counter(Move.objects.values_list("kind", flat=True))
    why = Counter(row.news[0]["why"] for row in Move.objects.filter(kind=Move.Kind.CLOCK))
    assert Downtime.objects.count() == weeks.counts["outages"] == 1
    assert kinds["timeout"]
    by = Counter(Move.objects.filter(kind=Move.Kind.PLAY).values_list("by", flat=True))
    assert by["auto"]
    assert why["downtime"]
    assert why["holiday"]
    assert weeks.counts["substitutes"], weeks.counts
    assert weeks.counts["returns"], weeks.counts
    assert why["grant"] == weeks.counts["grants"] > 0
    assert weeks.counts["nudges"] == Nudge.objects.count() > 0
    assert kinds["pause"] == weeks.counts["pause"] > weeks.counts["resumed"] > 0
    assert Match.objects.filter(end_reason="agreed").count() == weeks.counts["cancel"]
    assert not Consent.objects.exists()
    with CaptureQueriesContext(connection) as found:
        tasks.deadlines()
    assert len(found) <= 11
    with capsys.disabled():
        if thorough:
            automatic = Holiday.objects.filter(automatic=True).count()
            ended = (clock() - START).days
            print(f"\n{matches} matches, over after {ended} days; rows {dict(kinds)}, clock rows {dict(why)}, ", end="")
            print(f"moves by {dict(by)}, {automatic} automatic holidays, {dict(weeks.counts)}, ", end="")
            print(f"at worst {weeks.worst.total_seconds():.0f} s overdue")
