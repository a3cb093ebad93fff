"""What an operation costs: a fixed number of queries, however many rows there are."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import states
from games.api.pages import schema
from games.models import Follow, Invitation, Notice
from games.services import leaving, lobby, notices, rankings, standings
from tests.api.calling import Program
from tests.conftest import move, seated, steps_for

pytestmark = pytest.mark.django_db

MOST = {
    "listGames": 1,
    "readGame": 1,
    "readStatistics": 2,
    "listLobby": 10,
    "listRunning": 4,
    "readMatch": 3,
    "observe": 3,
    "log": 4,
    "readRecord": 4,
    "readTable": 8,
    "readWishes": 3,
    "listInvitationsOfMatch": 5,
    "readMe": 5,
    "listMyMatches": 22,
    "listMyInvitations": 6,
    "listMyHistory": 6,
    "exportHistory": 6,
    "listFollowed": 5,
    "listNotices": 6,
    "listDeliveries": 8,
    "readNoticeChoices": 3,
    "readPreferences": 1,
    "readRest": 5,
    "listRankings": 1,
    "readRanking": 5,
    "readProfile": 22,
    "listHistory": 7,
    "readRating": 8,
    "readHeadToHead": 9,
}
"""The most queries that reading may make, that of the token included."""


def reads() -> dict[str, str]:
    """The operations that read, with their addresses; the stream of events never ends and is measured elsewhere."""
    found = {one["get"]["operationId"]: path for path, one in schema()["paths"].items() if "get" in one}
    return {name: path for name, path in found.items() if name != "events"}


def test_every_operation_that_reads_stands_in_the_table():
    assert set(reads()) == set(MOST)


def grown(alice, bob, person, number):
    """So many more of everything that lists show."""
    for each in range(number):
        mark = f"{uuid4().hex[:6]}"
        move(seated(alice, bob))
        lobby.create(person(f"q{mark}"), lobby.Proposal("red", 3, 0, listed=True), [alice])
        lobby.create(alice, lobby.Proposal("red", 3, 0, listed=True))
        match = seated(alice, bob, rated=True)
        leaving.resign(match.pk, each % 2, version=1)
        Follow.objects.create(follower=alice, followed=person(f"p{mark}"), at=match.created_at)
        told = notices.tell(alice.pk, Notice.Kind.TURN, f"turn:{mark}", match, version=1)
        notices.store([told])
    standings.rebuild()
    rankings.refresh()


@pytest.mark.usefixtures("unlimited")
def test_reading_costs_the_same_for_many_as_for_few(clock, alice, bob, person):
    program, match = Program(alice), seated(alice, bob, bots=1, game="barvosauri")
    waiting = lobby.create(alice, lobby.Proposal("red", 3, 0), [bob])
    counts: list[dict[str, int]] = []
    for number in (3, 9):
        grown(alice, bob, person, number)
        for _row in range(number):
            match = move(match)
        assert match.status == "playing", "an ended match costs something else"
        found = {}
        for name, path in reads().items():
            slug = waiting.slug if name == "listInvitationsOfMatch" else match.slug
            path = path.format(slug=slug, game="red", family="red", name="bob", other="alice")
            program.get(path)
            with CaptureQueriesContext(connection) as queries:
                answer = program.get(path)
                assert answer.status_code == 200, (name, answer.content)
                if answer.streaming:
                    list(answer.streaming_content)
            found[name] = len(queries)
        counts.append(found)
    assert counts[0] == counts[1]
    assert {name: number for name, number in counts[1].items() if number > MOST[name]} == {}


ACTS = {
    "preview": 4,
    "move": 26,
    "refused move": 9,
    "stale move": 12,
    "resign": 36,
    "join": 45,
    "create": 34,
    "accept": 45,
}
"""The most queries that acting may make."""


def cost(call, status):
    """The queries of a call."""
    with CaptureQueriesContext(connection) as queries:
        answer = call()
    assert answer.status_code == status, answer.content
    return len(queries)


@pytest.mark.usefixtures("unlimited")
def test_what_acting_costs(clock, alice, bob, charlie):
    match = seated(alice, bob, bots=1, game="barvosauri")
    for _row in range(6):
        match = move(match)
    while match.active_bot:
        match = move(match)
    mover = next(Program(user) for user in (alice, bob) if match.seats.get(user=user).number == match.active_seat)
    steps = steps_for(match)
    path, body = f"/matches/{match.slug}", {"version": match.version, "steps": steps}
    mover.get(f"{path}/observation")
    found = {"preview": cost(lambda: mover.post(f"{path}/preview", body), 200)}
    found["refused move"] = cost(lambda: mover.move(match.slug, match.version, ["zz"]), 422)
    found["stale move"] = cost(lambda: mover.move(match.slug, 1, steps), 409)
    found["move"] = cost(lambda: mover.move(match.slug, match.version, steps), 201)
    match.refresh_from_db()
    found["resign"] = cost(lambda: mover.post(f"{path}/resign", {"version": match.version}), 200)
    program = Program(alice)
    found["create"] = cost(
        lambda: program.post("/matches", {"game": "red", "seats": 3, "bots": 1, "invite": ["bob"]}), 201
    )
    asked = Invitation.objects.get(to=bob)
    other = Program(bob)
    found["accept"] = cost(lambda: other.post(f"/invitations/{asked.pk}/accept"), 200)
    made = lobby.create(alice, lobby.Proposal("red", 2, 0))
    link = {"token": made.invitations.get().token}
    found["join"] = cost(lambda: other.post(f"/matches/{made.slug}/join", link), 200)
    assert {name: number for name, number in found.items() if number > ACTS[name]} == {}


def test_an_observation_is_found_in_the_memory_of_states(alice, bob, monkeypatch):
    match = move(seated(alice, bob, game="barvosauri"))
    program = Program(alice)
    program.get(f"/matches/{match.slug}/observation")

    def replayed(*_values: object) -> None:
        raise AssertionError("replayed")

    monkeypatch.setattr(states, "_replay", replayed)
    assert program.get(f"/matches/{match.slug}/observation").status_code == 200
