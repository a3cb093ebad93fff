"""Records that are brought: checked before anything is written, played back, played on with bots, counted nowhere."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import histories, lists, registry, tasks, verify
from games.models import Match, Move, Pace, Rating, Record, Seat, Statistic
from games.services import consent, counting, importing, leaving, paces, standings, turns
from games.services.records import differences, dump
from games.verify import reading
from tests.client import Client, client_of
from tests.conftest import move, post_body, seated
from tests.games.ended import unfinished
from tests.racing import at_once

GAMES = ("red", "barvosauri", "power_cards")
GOLDEN = {
    game: min(
        (path for path in Path("tests/titles").glob(f"{game}/records/*.json") if path.stat().st_size > 8_000),
        key=lambda path: path.stat().st_size,
    )
    for game in GAMES
}


def golden(game="red"):
    """A whole record of a game, the shortest there is."""
    return json.loads(GOLDEN[game].read_text("utf-8"))


def bring(client, value, name="record.json"):
    """Sends a record by the form."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    body = encode_multipart(BOUNDARY, {"record": SimpleUploadedFile(name, text)})
    return client.generic("POST", "/import/", body, content_type=MULTIPART_CONTENT)


def kept(user, game="red"):
    """A record that the user keeps."""
    return importing.keep(user, GOLDEN[game].read_bytes())


def resealed(value):
    """The record with a checksum that fits."""
    return value | {"checksum": verify.checksum(value)}


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


def test_playing_on_is_limited_for_it_writes_thousands_of_rows_at_once(alice, settings):
    settings.LIMITS = settings.LIMITS | {"play_on": (2, 3600)}
    url = kept(alice).get_absolute_url() + "play-on/"
    answers = [client_of(alice).post(url, {"version": "1", "seat": "0"}).status_code for _time in range(3)]
    assert answers == [302, 302, 429]
    assert Match.objects.count() == 2


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


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_played_on_with_bots_as_its_own_log(alice, game):
    record = kept(alice, game)
    value, version = golden(game), record.rows // 2
    page = client_of(alice).get(f"{record.get_absolute_url()}at/{version}/").content.decode()
    assert 'name="seat"' in page
    answer = client_of(alice).post(record.get_absolute_url() + "play-on/", {"version": version, "seat": "1"})
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert (match.version, match.origin, match.origin_rows, match.rated, match.audience, match.listed) == (
        version, value["id"], version, False, "link", False,
    )  # fmt: skip
    assert [seat.user == alice for seat in match.seats.all()] == [n == 1 for n in range(match.seat_count)]
    assert all(seat.user.is_bot for seat in match.seats.exclude(user=alice))
    assert match.slug != value["id"]
    assert differences(match) == []
    assert dump(match)["rows"][:version] == [
        row | {"at": dump(match)["rows"][at]["at"]} for at, row in enumerate(value["rows"][:version])
    ]
    shown = client_of(alice).get(match.get_absolute_url()).content.decode()
    assert f"goes on from move {version} of an imported record" in shown


def test_who_plays_on_plays_to_an_end_that_counts_nowhere(alice, bob):
    record = kept(alice, "barvosauri")
    match = importing.play_on(record, record.rows // 2, 0)
    client = client_of(alice)
    number = 0
    while match.status == "playing":
        if match.active_bot:
            turns.play_bots(match.pk)
        else:
            number += 1
            match = move(match, number)
        match.refresh_from_db()
    assert match.status == "finished"
    assert differences(match) == []
    call_command("verify", "--all")
    given = json.loads(client.get(match.get_absolute_url() + "record.json").content)
    assert verify.check(given, match.rules) == []
    assert given["id"] == golden("barvosauri")["id"]
    assert client.get(match.get_absolute_url() + "verify/").status_code == 200
    # It is in no history, list, statistic or ranking.
    assert histories.entries(alice, alice) == []
    assert list(lists.recently_finished()) == []
    for page in ("/history/", "/history/export.csv", "/player/alice/", "/watch/", "/"):
        answer = client.get(page)
        html = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert match.slug not in html.decode(), page
    counting.rebuild()
    paces.rebuild()
    standings.rebuild()
    assert not any(model.objects.exists() for model in (Rating, Statistic))
    assert not Pace.objects.filter(finished__gt=0).exists()


def test_a_posted_turn_goes_on_under_the_seed_of_the_record(alice):
    """The moves of the record, played again, draw what they drew in it: the same seed goes on."""
    value = golden("barvosauri")
    record = kept(alice, "barvosauri")
    version = next(n for n in range(2, record.rows) if value["rows"][n]["kind"] == "play")
    seat = value["rows"][version]["seat"]
    match = importing.play_on(record, version, seat)
    assert match.active_seat == seat
    steps = value["rows"][version]["text"].split("; ")
    assert client_of(alice).post(match.get_absolute_url(), post_body(match, steps)).status_code == 302
    made = match.moves.get(number=version + 1)
    assert (made.news, made.digest) == (value["rows"][version]["news"], value["rows"][version]["digest"])


def from_match(alice, match):
    """The record of a match, kept by alice."""
    return importing.keep(alice, json.dumps(dump(match)).encode())


def test_nobody_plays_on_after_the_end_or_from_what_is_not_there(alice):
    record = kept(alice)
    client, url = client_of(alice), record.get_absolute_url() + "play-on/"
    last = str(record.rows)
    for version, seat, status in ((last, "0", 422), ("0", "0", 422), ("9999", "0", 422), ("2", "7", 422),
                                  ("", "0", 400), ("x", "0", 400), ("2", "-1", 400), ("2", "", 400)):  # fmt: skip
        assert client.post(url, {"version": version, "seat": seat}).status_code == status, (version, seat)
    assert "over at this move" in client.post(url, {"version": last, "seat": "0"}).content.decode()
    assert not Match.objects.exists()
    assert client.get(url).status_code == 405


def test_from_a_pause_or_with_a_seat_that_was_left_nobody_plays_on(alice, bob, charlie, dora):
    match = seated(alice, bob, charlie)
    gone = match.seats.get(user=bob).number
    leaving.resign(match.pk, gone, version=match.version)
    match.refresh_from_db()
    left = match.version
    leave = match.seats.get(user=charlie).number
    leaving.resign(match.pk, leave, version=match.version)
    match.refresh_from_db()
    if match.status == "playing":
        last = match.seats.get(user=alice).number
        leaving.resign(match.pk, last, version=match.version)
        match.refresh_from_db()
    while match.status == "playing":
        turns.play_bots(match.pk)
        match.refresh_from_db()
    record = from_match(dora, match)
    client, url = client_of(dora), record.get_absolute_url() + "play-on/"
    answer = client.post(url, {"version": left, "seat": gone})
    assert (answer.status_code, b"had left the match" in answer.content) == (422, True)
    assert client.post(url, {"version": left, "seat": leave}).status_code == 302
    going = Match.objects.latest("pk")
    assert differences(going) == []
    assert going.seats.get(number=gone).left_how == "resign"


@pytest.mark.parametrize("kind", ["news", "digest"])
def test_the_gate_looks_at_matches_that_go_on_and_at_kept_records(alice, kind):
    record = kept(alice)
    match = importing.play_on(record, 2, 0)
    call_command("verify", "--all")
    Record.objects.update(text=record.text.replace('"na-tahu/1"', '"na-tahu/9"'))
    with pytest.raises(CommandError):
        call_command("verify", "--all")
    call_command("verify")
    Record.objects.update(text=record.text)
    Move.objects.filter(match=match, number=2).update(**{kind: [] if kind == "news" else "0" * 64})
    with pytest.raises(CommandError):
        call_command("verify", "--all")


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


def test_a_pause_is_no_place_to_go_on_from(alice, bob, dora):
    match = seated(alice, bob)
    for user in (alice, bob):
        consent.propose(match.pk, match.seats.get(user=user).number, "pause", version=match.version)
    match.refresh_from_db()
    paused = match.version
    leaving.resign(match.pk, match.seats.get(user=bob).number, version=match.version)
    match.refresh_from_db()
    record = from_match(dora, match)
    answer = client_of(dora).post(record.get_absolute_url() + "play-on/", {"version": paused, "seat": "0"})
    assert (answer.status_code, b"paused at this move" in answer.content) == (422, True)


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
