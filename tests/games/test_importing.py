"""Records that are brought: checked before anything is written, played back, kept for their owner."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import registry, tasks, verify
from games.models import Match, Record, Seat
from games.services import importing
from games.verify import reading
from tests.client import Client, client_of
from tests.conftest import seated
from tests.games.ended import kept, unfinished
from tests.golden import GAMES, golden, resealed
from tests.racing import at_once


def bring(client, value, name="record.json"):
    """Sends a record by the form."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    body = encode_multipart(BOUNDARY, {"record": SimpleUploadedFile(name, text)})
    return client.generic("POST", "/import/", body, content_type=MULTIPART_CONTENT)


@pytest.mark.parametrize("game", GAMES)
def test_a_true_record_is_kept_and_played_back(alice, charlie, game):
    answer = bring(client_of(alice), golden(game))
    record = Record.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, record.get_absolute_url())
    assert (record.owner, record.game, record.rows) == (alice, game, len(golden(game)["rows"]))
    assert not Match.objects.exists()
    for client in (client_of(alice), client_of(charlie), Client()):
        for version in ("", "at/1/", f"at/{record.rows}/", f"at/{record.rows // 2}/"):
            page = client.get(record.get_absolute_url() + version)
            assert page.status_code == 200
            assert golden(game)["seats"][0]["name"] in page.content.decode()
        given = client.get(record.get_absolute_url() + "record.json")
        assert json.loads(given.content) == golden(game)
        for version in (0, record.rows + 1):
            assert client.get(f"{record.get_absolute_url()}at/{version}/").status_code == 404


def test_only_who_has_an_account_brings_records(client, alice):
    guest = client_of(User.objects.create_guest())
    for visitor in (client, guest):
        page = visitor.get("/import/")
        assert page.status_code == 200
        assert b'type="file"' not in page.content
        assert bring(visitor, golden()).status_code == 409
    assert not Record.objects.exists()
    assert b'type="file"' in client_of(alice).get("/import/").content


def test_records_are_listed_for_their_owner_alone_and_thrown_away_by_them_alone(alice, charlie):
    record = kept(alice)
    assert record.slug in client_of(alice).get("/import/").content.decode()
    assert record.slug not in client_of(charlie).get("/import/").content.decode()
    for stranger in (client_of(charlie), Client()):
        assert stranger.post(record.get_absolute_url() + "throw-away/").status_code == 404
        page = stranger.get(record.get_absolute_url()).content.decode()
        assert "throw-away" not in page
        assert stranger.post(record.get_absolute_url() + "play-on/", {"version": "1", "seat": "0"}).status_code == 404
    assert Record.objects.exists()
    assert client_of(alice).post(record.get_absolute_url() + "throw-away/").status_code == 302
    assert not Record.objects.exists()
    assert client_of(alice).get(record.get_absolute_url()).status_code == 404


SPOILT = {
    "no JSON": (b"{", "not JSON"),
    "nested": (b"[" * 60_000, "nested too deep"),
    "NaN": (b'{"format": NaN}', "no number"),
    "twice": (b'{"a": 1, "a": 2}', "twice"),
    "NUL": (b'{"format": "\\u0000"}', "cannot be kept"),
    "running": (b'{"format": "na-tahu/1", "viewer": 0}', "no seed"),
    "empty": (b"", "not JSON"),
    "long": (b" " * (reading.MOST_BYTES + 1), "longer than"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_no_record_is_refused_with_a_sentence(alice, name):
    text, why = SPOILT[name]
    answer = bring(client_of(alice), text)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert not Record.objects.exists()


def test_a_record_of_a_match_that_runs_here_is_refused(alice, bob):
    match = unfinished(alice, bob, rows=3)
    text = client_of(alice).get(match.get_absolute_url() + "record.json").content
    answer = bring(client_of(alice), text)
    assert answer.status_code == 422
    assert "no seed" in answer.content.decode()
    before = Match.objects.filter(pk=match.pk).values().get()
    forged = golden() | {"id": match.slug}
    assert bring(client_of(alice), resealed(forged)).status_code == 422
    assert Match.objects.filter(pk=match.pk).values().get() == before


def test_the_same_record_is_kept_once_and_no_more_than_the_most(alice, bob, settings, unlimited, monkeypatch):
    one = kept(alice)
    assert bring(client_of(alice), golden())["Location"] == one.get_absolute_url()
    assert kept(bob) != one
    monkeypatch.setattr(importing, "MOST_KEPT", 2)
    assert bring(client_of(alice), golden("barvosauri")).status_code == 302
    assert bring(client_of(alice), golden("power_cards")).status_code == 409
    assert Record.objects.filter(owner=alice).count() == 2


def test_bringing_is_limited(alice, settings):
    settings.LIMITS = settings.LIMITS | {"import": (2, 3600)}
    assert [bring(client_of(alice), b"{").status_code for _time in range(3)] == [422, 422, 429]


def test_the_list_of_records_reads_none_of_their_texts(alice):
    kept(alice)
    with CaptureQueriesContext(connection) as asked:
        assert client_of(alice).get("/import/").status_code == 200
    [listed] = [query["sql"] for query in asked.captured_queries if "games_record" in query["sql"]]
    assert '"text"' not in listed  # fifty of a megabyte each


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"record=1", "application/x-www-form-urlencoded", 415),
        (b"{}", "application/json", 415),
        (b"x" * (2**20 + 2**15), MULTIPART_CONTENT, 413),
        (encode_multipart(BOUNDARY, {"other": "1"}), MULTIPART_CONTENT, 400),
        (encode_multipart(BOUNDARY, {"record": "no file"}), MULTIPART_CONTENT, 400),
        (encode_multipart(BOUNDARY, {name: SimpleUploadedFile("a", b"a") for name in "xyz"}), MULTIPART_CONTENT, 413),
        (b"--x\r\nbroken", "multipart/form-data", 400),
    ],
)  # fmt: skip
def test_other_bodies_are_refused(alice, body, kind, status):
    assert client_of(alice).generic("POST", "/import/", body, content_type=kind).status_code == status
    assert not Record.objects.exists()


def test_names_in_a_record_are_text(alice, client):
    value = golden()
    value["seats"][0]["name"] = "<script>alert(1)</script>"
    value["seats"][1]["name"] = "bot-<b>"
    assert bring(client_of(alice), resealed(value)).status_code == 302
    page = client.get(Record.objects.get().get_absolute_url()).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "<b>alert" not in page


def test_rules_that_are_not_here_are_named(alice):
    for change in ({"game": "chess"}, {"rules_version": 7}):
        answer = bring(client_of(alice), resealed(golden() | change))
        assert answer.status_code == 422
        assert "does not have these rules" in answer.content.decode()


def test_who_leaves_the_site_takes_the_records_along(alice):
    kept(alice)
    Seat.objects.all().delete()
    alice.delete()
    assert not Record.objects.exists()


def test_an_imported_page_costs_the_same_for_few_and_many_rows(alice):
    record, client, counts = kept(alice, "power_cards"), client_of(alice), []
    client.get("/import/")
    for version in (1, record.rows):
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"{record.get_absolute_url()}at/{version}/").status_code == 200
        counts.append(len(found))
    assert counts[0] == counts[1] <= 6, counts


def test_a_match_that_ended_by_a_time_out_is_true_and_brought(clock, alice, bob):
    match = seated(alice, bob)
    clock.forward(days=3)
    assert tasks.deadlines() == 1
    value = json.loads(client_of(alice).get(f"{match.get_absolute_url()}record.json").content)
    [left] = value["rows"][-1]["news"]
    assert (value["outcome"]["reason"], left["due"][:10]) == ("timeout", f"{clock() - timedelta(days=1):%F}")
    assert bring(client_of(alice), value).status_code == 302
    record = Record.objects.get()
    assert client_of(alice).get(record.get_absolute_url()).status_code == 200
    for due in ("yesterday", 5, None, "2026-12-02T16:30:00"):
        left["due"] = due
        assert "due is not what it can be" in bring(client_of(alice), resealed(value)).content.decode()


def with_rows(value, *rows):
    """The record up to its third row, then these rows of the site, under its own seed and with a checksum that fits."""
    game = registry.title(value["game"]).rules(value["rules_version"])
    part, seed = value | {"rows": value["rows"][:3], "outcome": None}, bytes.fromhex(value["seed"])
    observation = game.observe(verify.last_state(part, game), "open")
    for row in rows:
        row = {"number": len(part["rows"]) + 1, "text": "", "at": 1} | row
        digest = verify.digest(seed, part["rows"][-1]["digest"], row, observation)
        part["rows"] = [*part["rows"], row | {"digest": digest}]
    return resealed(part)


@pytest.mark.parametrize("why", ["pause", "grant", "downtime"])
def test_time_after_a_pause_that_no_page_could_tell_of_is_refused(alice, why):
    pause = {"kind": "pause", "seat": 0, "news": [{"what": "paused", "agreed": [0, 1]}]}
    given = {"what": "clock", "why": why, "seat": 0, "seconds": 60}
    resume = {"kind": "resume", "seat": 0, "news": [{"what": "resumed", "seat": 0}, given]}
    answer = bring(client_of(alice), with_rows(golden(), pause, resume))
    assert answer.status_code == (302 if why == "pause" else 422), answer.content.decode()
    for record in Record.objects.all():
        assert client_of(alice).get(record.get_absolute_url()).status_code == 200


def test_a_form_from_elsewhere_brings_nothing(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert bring(client, golden()).status_code == 403
    assert not Record.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_brought_twice_at_once_is_kept_once(person, rounds):
    """The user's row is locked: of two posts at once the second finds the record of the first."""
    for number in range(min(rounds, 10)):
        user = person(f"racer{number}")
        text = json.dumps(golden("barvosauri")).encode()
        kept_by_each = at_once([partial(importing.keep, user, text)] * 2)
        assert len({record.pk for record in kept_by_each}) == 1
        assert Record.objects.filter(owner=user).count() == 1
