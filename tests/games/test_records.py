"""Records as files: whole after the end, before it only what the viewer may know; and all of one's own at once."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from jsonschema import Draft202012Validator

from accounts.models import User
from games import engine, records, states, verify
from games.chance import fresh
from games.services import leaving, lobby
from games.views.records import as_text
from tests.client import Client, client_of
from tests.conftest import play_out, seated
from tests.games.ended import ended, unfinished
from tests.golden import LONGEST

pytestmark = pytest.mark.any_database

GAMES = ("red", "barvosauri", "power_cards")
T = datetime(2026, 11, 20, 12, tzinfo=UTC)
SCHEMA = Draft202012Validator(json.loads(Path("docs/record.schema.json").read_text("utf-8")))


def got(client, match, tail="record.json"):
    """The record that a browser is given."""
    answer = client.get(match.get_absolute_url() + tail)
    assert answer.status_code == 200
    value = json.loads(answer.content)
    SCHEMA.validate(value)
    return value


@pytest.mark.parametrize("game", ["red", "barvosauri"])
def test_a_finished_match_is_given_whole_and_true(alice, bob, client, game):
    match = play_out(seated(alice, bob, game=game))
    answer = client.get(match.get_absolute_url() + "record.json")
    assert answer["Content-Disposition"] == f'attachment; filename="na-tahu-{match.slug}.json"'
    value = got(client, match)
    assert verify.check(value, match.rules) == []
    assert value == got(client_of(alice), match)
    assert value["seed"] == bytes(match.seed).hex()
    assert sorted(seat["name"] for seat in value["seats"]) == ["alice", "bob"]
    assert len(value["rows"]) == match.version
    assert value["outcome"]["reason"] == match.end_reason


@pytest.mark.parametrize("game", GAMES)
def test_of_a_running_match_a_viewer_gets_what_the_pages_tell(alice, bob, charlie, game):
    match = unfinished(alice, bob, game=game, options={"game": "advanced"} if game == "red" else {}, rows=6)
    for user in (alice, bob, charlie, None):
        seat = match.seats.filter(user=user).first() if user else None
        value = got(client_of(user) if user else Client(), match)
        viewer = seat.number if seat else None
        assert (value["viewer"], value["status"], value["outcome"]) == (viewer, "playing", None)
        assert [row["news"] for row in value["rows"]] == [engine.seen(one.news, viewer) for one in match.moves.all()]
        text = json.dumps(value)
        secrets = [bytes(match.seed).hex(), *(bytes(one.entropy).hex() for one in match.seats.all())]
        secrets += [one.digest for one in match.moves.all()]
        assert not [secret for secret in secrets if secret in text]
        assert not {"text", "digest", "seed", "entropy", "checksum"} & {key for row in value["rows"] for key in row}


@pytest.mark.parametrize("game", GAMES)
def test_twin_worlds_give_the_same_record(alice, bob, game, monkeypatch):
    """What the viewer cannot tell apart is the same record, to the byte: the file is made of news, never of states."""
    match = unfinished(alice, bob, game=game, rows=6)
    viewer = match.seats.get(user=alice).number
    url = match.get_absolute_url() + "record.json"
    before = client_of(alice).get(url).content

    def twin(found, seats, version=None):
        raise AssertionError("a record of a running match needs no state")

    monkeypatch.setattr(states, "load", twin)
    hidden = match.moves.order_by("number")
    for row in hidden:  # another card was drawn where only others saw it
        row.news = [
            value | {"card": "?"} if "card" in value and viewer not in value.get("to", [viewer]) else value
            for value in row.news
        ]
        row.text = fresh().roll(9) * "x"
        row.save()
    assert client_of(alice).get(url).content == before


def test_who_may_not_watch_gets_nothing(alice, bob, charlie):
    match = seated(alice, bob, audience="seated")
    over = play_out(seated(alice, bob, audience="seated"))
    for one in (match, over):
        for tail in ("record.json", "verify/", "verify/draws.json"):
            for client in (Client(), client_of(charlie)):
                assert client.get(one.get_absolute_url() + tail).status_code == 404
    assert client_of(alice).get(over.get_absolute_url() + "verify/draws.json").status_code == 200


def test_before_the_end_nothing_is_drawn_again_for_anybody(alice, bob):
    for match in (seated(alice, bob), lobby.create(alice, lobby.Proposal("red", 2, 0))):
        for tail in ("verify/", "verify/draws.json"):
            assert client_of(alice).get(match.get_absolute_url() + tail).status_code == 404


def test_a_match_that_waits_or_came_to_nothing_has_a_record_without_secrets(alice, bob):
    waiting = lobby.create(alice, lobby.Proposal("red", 2, 0))
    assert got(Client(), waiting)["rows"] == []
    off = seated(alice, bob)
    leaving.call_off(off.pk, off.seats.get(user=alice).number, version=off.version)
    for user in (alice, bob):
        value = got(client_of(user), off)
        assert (value["status"], "seed" in value) == ("cancelled", False)


def test_names_are_told_as_at_the_table(alice):
    guest = User.objects.create_guest()
    User.objects.filter(pk=guest.pk).update(username="secretly-reserved")
    User.objects.filter(pk=alice.pk).update(profile="hidden")
    guest.refresh_from_db()
    match = leave(seated(alice, guest, bots=0), alice)
    text = json.dumps(got(Client(), match))
    assert f"guest-{guest.mark[:4]}" in text
    assert '"alice"' in text
    assert "secretly-reserved" not in text
    assert guest.mark not in text


def leave(match, user):
    """The user gives up; the match of two is over."""
    leaving.resign(match.pk, match.seats.get(user=user).number, version=match.version)
    match.refresh_from_db()
    return match


def test_a_match_that_somebody_left_is_true_as_well(alice, bob, client):
    match = leave(unfinished(alice, bob, rows=2), bob)
    value = got(client, match)
    assert (value["outcome"]["reason"], verify.check(value, match.rules)) == ("resign", [])


def test_a_record_costs_the_same_early_and_late(alice, bob):
    counts = []
    for rows in (3, 40):
        match = unfinished(alice, bob, options={"game": "advanced"}, rows=rows)
        client = client_of(alice)
        client.get(match.get_absolute_url() + "record.json")
        with CaptureQueriesContext(connection) as found:
            got(client, match)
        counts.append(len(found))
    assert counts[0] == counts[1] <= 6, counts


def unzipped(answer):
    """The records in an archive, by name."""
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as file:
        assert file.testzip() is None
        return {name: json.loads(file.read(name)) for name in file.namelist()}


def test_the_archive_has_all_matches_of_the_visitor_and_no_others(alice, bob, charlie):
    over = [play_out(seated(alice, bob)), play_out(seated(alice, charlie, audience="seated"))]
    running = [unfinished(alice, bob, rows=2), seated(alice, charlie)]
    play_out(seated(bob, charlie))
    seated(bob, charlie)
    answer = client_of(alice).get("/history/records.zip")
    assert answer["Content-Disposition"] == 'attachment; filename="na-tahu-alice.zip"'
    found = unzipped(answer)
    assert set(found) == {f"{match.slug}.json" for match in over + running}
    for match in over:
        assert verify.check(found[f"{match.slug}.json"], match.rules) == []
    for match in running:
        value = found[f"{match.slug}.json"]
        assert value["viewer"] == match.seats.get(user=alice).number
        assert "seed" not in value
    for value in found.values():
        SCHEMA.validate(value)


def test_nobody_has_no_archive_and_a_new_account_an_empty_one(client, alice):
    assert client.get("/history/records.zip").status_code == 404
    assert unzipped(client_of(alice).get("/history/records.zip")) == {}


def test_the_archive_is_limited(alice):
    visitor = client_of(alice)
    statuses = [visitor.get("/history/records.zip").status_code for _time in range(6)]
    assert statuses == [200] * 5 + [429]


def test_the_archive_needs_the_memory_of_a_match_not_of_all(alice, bob, unlimited, monkeypatch):
    """Twenty times as many matches, each with the same long record, need no more than a little more."""
    text = LONGEST.read_text("utf-8")
    monkeypatch.setattr(records, "for_viewer", lambda *_match: json.loads(text))
    peaks = []
    for number in (1, 20):
        for each in range(number):
            ended([alice, bob], [1, 2], T + timedelta(minutes=each))
        answer = client_of(alice).get("/history/records.zip")
        tracemalloc.start()
        size = sum(len(part) for part in answer.streaming_content)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert size > 1000 * number
    assert peaks[1] < 1.5 * peaks[0], peaks


def test_a_record_as_text_is_the_same_value(alice, bob, client):
    value = got(client, play_out(seated(alice, bob)))
    assert json.loads(as_text(value)) == value
