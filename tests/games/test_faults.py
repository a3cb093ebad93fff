"""Faults of the rules, of the database and of what is installed: one match may stop, the site goes on."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import OperationalError

from games import states, tasks
from games.models import Heartbeat, Match
from games.services import leaving, records, turns
from games.services.errors import NotRunning
from tests.client import Client
from tests.conftest import move, play_out, seated, steps_for


def broken(*_arguments, **_more):
    """Rules gone wrong."""
    raise RuntimeError("rules gone wrong")


@pytest.fixture
def match(alice, bob):
    """A running match of alice and bob."""
    return seated(alice, bob)


@pytest.mark.parametrize("method", ["observe", "outcome"])
def test_rules_that_fail_on_the_new_state_stop_the_match(match, monkeypatch, method):
    steps = steps_for(match)
    states.load(match, list(match.seats.all()))
    monkeypatch.setattr(type(match.rules), method, broken)
    with pytest.raises(NotRunning):
        turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4())
    assert Match.objects.get(pk=match.pk).status == "quarantined"
    assert match.moves.count() == 1


def test_rules_that_fail_while_somebody_leaves_stop_the_match(match, monkeypatch):
    states.load(match, list(match.seats.all()))
    monkeypatch.setattr(type(match.rules), "observe", broken)
    with pytest.raises(NotRunning):
        leaving.resign(match.pk, 0, version=1)
    assert Match.objects.get(pk=match.pk).status == "quarantined"
    assert not match.seats.filter(left_version__isnull=False).exists()


@pytest.mark.parametrize("method", ["observe", "legal_moves"])
def test_rules_that_fail_on_a_stored_state_stop_the_match_and_the_page_says_so(match, monkeypatch, method):
    client = Client()
    client.force_login(match.seats.get(number=match.active_seat).user)
    states.load(match, list(match.seats.all()))
    monkeypatch.setattr(type(match.rules), method, broken)
    answer = client.get(match.get_absolute_url())
    assert answer.status_code == 200
    assert b"A fault of ours stopped this match" in answer.content
    assert Match.objects.get(pk=match.pk).status == "quarantined"


def test_a_hiccup_of_the_database_stops_nothing(match, monkeypatch):
    steps = steps_for(match)

    def locked(*_arguments, **_more):
        raise OperationalError("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(states, "load", locked)
        with pytest.raises(OperationalError):
            turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4())
    assert Match.objects.get(pk=match.pk).status == "playing"
    assert turns.play(match.pk, match.active_seat, steps, version=1, key=uuid4()).number == 2


def test_while_the_database_is_away_one_is_told_to_come_again(match, monkeypatch):
    def away(*_arguments, **_more):
        raise OperationalError("the server closed the connection")

    client = Client(raise_request_exception=False)
    monkeypatch.setattr(states, "load", away)
    answer = client.get(match.get_absolute_url())
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert b"Something broke here" in answer.content


def test_one_match_does_not_stop_the_sweep(clock, alice, monkeypatch):
    matches = [seated(alice, bots=1) for _each in range(2)]
    Match.objects.update(active_bot=True)
    original = turns.play_bots

    def play_bots(match):
        if match == matches[0].pk:
            raise OperationalError("database is locked")
        return original(match)

    monkeypatch.setattr(turns, "play_bots", play_bots)
    tasks.bots()
    assert Heartbeat.objects.filter(pk="bots").exists()


def test_a_game_that_was_taken_away_hides_its_matches_and_nothing_else(match, alice, bob, client):
    kept = play_out(seated(alice, bob), 1)
    lost = play_out(seated(alice, bob), 2)
    Match.objects.filter(pk__in=[match.pk, lost.pk]).update(game="gone")
    client.force_login(alice)
    for url in ("/", "/turns/", "/history/"):
        html = client.get(url).content.decode()
        assert match.slug not in html
        assert lost.slug not in html
    assert kept.slug in client.get("/history/").content.decode()
    for tail in ("", "version.json", "log/"):
        assert client.get(f"/match/{match.slug}/{tail}").status_code == 404
    assert records.differences(Match.objects.get(pk=match.pk))[0].what == "rules"


def test_other_versions_of_the_rules_are_left_to_processes_that_have_them(match):
    Match.objects.filter(pk=match.pk).update(rules_version=99)
    newer = Match.objects.get(pk=match.pk)
    with pytest.raises(states.UnknownRules):
        states.load(newer, list(newer.seats.all()))
    with pytest.raises(states.UnknownRules):
        turns.play(match.pk, match.active_seat, ["END"], version=1, key=uuid4())
    assert Match.objects.get(pk=match.pk).status == "playing"


@pytest.mark.parametrize(
    ("change", "what"),
    [({"active_seat": 7}, "active seat"), ({"status": "finished"}, "status"), ({"version": 1}, "head")],
)
def test_verify_names_a_column_that_does_not_follow_from_the_log(match, change, what):
    match = move(match)
    assert records.differences(match) == []
    Match.objects.filter(pk=match.pk).update(**change)
    found = records.differences(Match.objects.get(pk=match.pk))
    assert what in [difference.what for difference in found] or found[0].what == "outcome"
