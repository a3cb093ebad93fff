"""manage.py seed and verify."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.models import Match, Move
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
