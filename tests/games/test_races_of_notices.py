"""What happens while a page is made, a mail is on its way, or a browser asks for something by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Notice
from games.services import notices, people
from tests.client import client_of
from tests.conftest import move, mover_of, seated
from tests.games.leaving import other_than

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]


def test_what_is_told_while_the_page_is_made_is_not_seen_by_it(alice, bob, monkeypatch):
    match = seated(alice, bob)
    waits = other_than(match, mover_of(match))
    proposal = notices.tell(waits.pk, Notice.Kind.TABLE, "proposed:0", match, proposed="pause", seat=0, after=1)
    notices.store([proposal])
    real = notices.standing

    def late(user, shown):
        if shown.version == 1:
            move(match)  # the other moves after the match was read and before it is shown
        return real(user, shown)

    monkeypatch.setattr(notices, "standing", late)
    client_of(waits).get(match.get_absolute_url())
    told = {one.kind: one.seen_at for one in Notice.objects.filter(user=waits)}
    assert told.keys() == {"table", "turn"}
    assert told["turn"] is None
    assert told["table"] is not None
    client_of(waits).get(match.get_absolute_url())
    assert not Notice.objects.filter(user=waits, seen_at=None).exists()


def test_who_comes_back_while_the_mail_leaves_has_come_back(clock, alice):
    clock.moment = timezone.now() - timedelta(seconds=40)
    User.objects.filter(pk=alice.pk).update(seen_at=clock())
    clock.forward(seconds=2)
    User.objects.filter(pk=alice.pk).update(mailed_at=clock())  # it was on its way as she came
    clock.forward(seconds=30)
    people.was_here(User.objects.get(pk=alice.pk))
    alice.refresh_from_db()
    assert alice.seen_at > alice.mailed_at


@pytest.mark.parametrize("path", ["/sw.js", "/manifest.webmanifest", "/favicon.ico"])
def test_what_a_browser_fetches_by_itself_is_no_visit(alice, path):
    ago = datetime(2026, 1, 1, tzinfo=UTC)
    client = client_of(alice)
    User.objects.filter(pk=alice.pk).update(seen_at=ago)
    assert client.get(path).status_code < 400
    alice.refresh_from_db()
    assert alice.seen_at == ago
    client.get("/turns/")
    alice.refresh_from_db()
    assert alice.seen_at > ago + timedelta(days=1)
