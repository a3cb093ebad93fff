"""Twin worlds, by mail: what is written to somebody does not depend on anything they may not know."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
import time_machine

from games import states
from games.delivery import composing, webhooks
from games.models import Channel, Delivery, Match, Move, Notice
from tests.conftest import play_out, seated
from tests.games.mailing import with_address
from tests.games.test_twin_pages import SECRET, TABLES, exchanged
from tests.twins import twin_world

pytestmark = pytest.mark.any_database

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def written(user, match, version):
    """All that mails and webhooks say to the user at that version, for every kind of notice of a running match."""
    found = []
    for kind in ("turn", "reminder", "nudge", "table"):
        notice, _new = Notice.objects.get_or_create(
            user=user,
            key=f"twin:{kind}:{version}",
            defaults={"kind": kind, "match": match, "version": version, "at": NOW},
        )
        row = Delivery(notice=notice, channel=Channel.MAIL, due_at=NOW, message_id="<1@example.org>")
        row.notice = Notice.objects.select_related("user", "match").get(pk=notice.pk)
        message = composing.mail(row, [row.notice])
        html = message.alternatives[0].content
        found.append((message.subject, message.body, html, message.extra_headers))
        posted = webhooks.message_of(row.notice)
        found.append([payload(posted) for payload in webhooks.PAYLOADS.values()])
    return found


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize(("game", "options"), TABLES)
def test_no_byte_of_a_mail_or_webhook_differs(clock, alice, bob, thorough, game, options):
    chooser = random.Random(5)
    with_address(alice, bob)
    match = play_out(seated(alice, bob, bots=1, game=game, days=2, options=options), 5, rows=200)
    versions = sorted(
        chooser.sample(range(1, match.version), min(match.version - 1, 60 if thorough else 8)), reverse=True
    )
    Match.objects.filter(pk=match.pk).update(status="playing", finished_at=None)
    match.seats.update(place=None, finished_at=None)
    told = 0
    for version in versions:
        match.moves.filter(number__gt=version).delete()
        active = match.rules.active_seat(states.load(match, list(match.seats.all()), version))
        head = match.moves.get(number=version)
        Match.objects.filter(pk=match.pk).update(version=version, active_seat=active, digest=head.digest)
        match.refresh_from_db()
        for user in (alice, bob):
            viewer = match.seats.get(user=user).number
            with time_machine.travel(clock.moment, tick=False):
                truth = written(user, match, version)
                true_moves = list(match.moves.all())
                with twin_world(viewer, version):
                    Move.objects.bulk_update(
                        [Move(pk=row.pk, news=exchanged(row.news, viewer)) for row in true_moves], ["news"]
                    )
                    imagined = written(user, match, version)
                Move.objects.bulk_update(true_moves, ["news"])
            assert imagined == truth
            assert SECRET not in str(imagined)
            told += "<li>" in truth[0][2]
    assert told
