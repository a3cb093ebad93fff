"""manage.py seed and verify."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.management.commands import sweep
from games.models import Heartbeat, Match, Move
from tests.conftest import play_out, seated


@pytest.fixture
def demo(db):
    """The demo data."""
    call_command("seed", stdout=StringIO())


def test_the_demo_shows_every_game_running_and_finished(demo, client):
    for game in ("red", "barvosauri", "power_cards"):
        assert set(Match.objects.filter(game=game).values_list("status", flat=True)) == {"playing", "finished"}
    assert not User.objects.exclude(password="!").exists()
    assert not User.objects.exclude(email="").exists()
    assert not Match.objects.filter(active_bot=True).exists()
    for match in Match.objects.all():
        assert match.audience == "public"
        assert client.get(match.get_absolute_url()).status_code == 200
    call_command("verify", stdout=StringIO())


def test_the_demo_is_loaded_once_and_only_where_nothing_is(demo, alice):
    before = Match.objects.count()
    call_command("seed", stdout=StringIO())
    assert Match.objects.count() == before
    Match.objects.all().delete()
    call_command("seed", "--if-empty", stdout=StringIO())
    assert Match.objects.count() == 0


def test_the_demo_is_not_for_production(db, settings):
    settings.PRODUCTION = True
    with pytest.raises(CommandError):
        call_command("seed")


def test_a_changed_row_is_named_and_the_command_fails(alice, bob):
    match = play_out(seated(alice, bob), rows=4)
    sound = play_out(seated(alice, bob), rows=3)
    Move.objects.filter(match=match, number=3).update(news=[])
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verify", "--json", stdout=out)
    assert json.loads(out.getvalue()) == {
        "matches": 2,
        "differences": [{"match": match.slug, "version": 3, "what": "news"}],
    }
    call_command("verify", "--match", sound.slug, stdout=StringIO())
    with pytest.raises(CommandError):
        call_command("verify", "--match", "nothing")


def said(*command, **options):
    """What a command prints."""
    out = StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue().splitlines()


def test_a_sweep_does_once_what_is_due_and_says_how_much(clock, alice, bob):
    late, waiting = seated(alice, bob, days=1), seated(alice, bob, days=7)
    Heartbeat.objects.create(sweep="deadlines", at=clock())
    clock.forward(minutes=2)
    seated(alice, bots=1)
    clock.moment = late.deadline + timedelta(seconds=3)
    Heartbeat.objects.update(at=clock())
    lines = said("sweep")
    assert [line.split(":")[0] for line in lines] == list(sweep.SWEEPS)
    assert lines[0] == "deadlines: 1 time-outs"
    assert said("sweep", "bots", "deadlines", verbosity=2) == [
        "deadlines ...",
        "deadlines: 0 time-outs",
        "bots ...",
        "bots: 0 moves of bots",
    ]
    statuses = {match.pk: match.status for match in Match.objects.all()}
    assert (statuses[late.pk], statuses[waiting.pk]) == ("finished", "playing")
    with pytest.raises(CommandError, match="There is no sweep chores"):
        call_command("sweep", "bots", "chores")


def test_the_health_of_the_site_is_an_exit_status(clock, alice, bob):
    match = seated(alice, bob)
    with pytest.raises(CommandError) as wrong:
        said("health")
    assert wrong.value.returncode == 1
    said("sweep")
    assert said("health") == ["All sweeps run, nothing is overdue."]
    clock.moment = match.deadline + timedelta(seconds=62)
    Heartbeat.objects.update(at=clock())
    assert json.loads(said("health", "--json")[0])["ok"]
    clock.forward(seconds=1)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("health", stdout=out)
    assert out.getvalue() == "1 decisions are overdue, 0 bots idle.\n"
    clock.forward(minutes=4)
    with pytest.raises(CommandError):
        call_command("health", stdout=out)
    assert "The sweep deadlines stands still." in out.getvalue()
