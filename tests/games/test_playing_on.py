"""Records that are played on with bots: from which move, as which seat, under which seed; counted nowhere."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from games import histories, lists, verify
from games.models import Match, Move, Pace, Rating, Record, Statistic
from games.services import consent, counting, importing, leaving, paces, standings, turns
from games.services.records import differences, dump
from tests.client import client_of
from tests.conftest import move, post_body, seated
from tests.games.ended import kept
from tests.golden import GAMES, golden


def test_playing_on_is_limited_for_it_writes_thousands_of_rows_at_once(alice, settings):
    settings.LIMITS = settings.LIMITS | {"play_on": (2, 3600)}
    url = kept(alice).get_absolute_url() + "play-on/"
    answers = [client_of(alice).post(url, {"version": "1", "seat": "0"}).status_code for _time in range(3)]
    assert answers == [302, 302, 429]
    assert Match.objects.count() == 2


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
