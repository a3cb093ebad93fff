"""Who may do what: every page and role, as a table; strangers learn nothing, not even that a match exists."""

from __future__ import annotations

import pytest
from django.urls import get_resolver

from accounts.models import User
from games.models import Match
from games.services import leaving, lobby
from tests.client import Client
from tests.conftest import play_out, post_body, seated

ROLES = ("anonymous", "guest", "mover", "opponent", "left", "stranger")

PUBLIC = {
    "front": "/",
    "lobby": "/lobby/",
    "watch": "/watch/",
    "dashboard": "/turns/",
    "history": "/history/",
    "following": "/following/",
    "rankings": "/rankings/",
    "ranking": "/rankings/red/",
    "statistics": "/statistics/red/",
    "find": "/find/",
    "new_match": "/new/",
    "new_match_for": "/new/red/",
    "all_rules": "/rules/",
    "rules": "/rules/red/",
    "settings": "/settings/",
    "rest": "/settings/rest/",
    "notices": "/notices/",
    "deliveries": "/notices/deliveries/",
    "notice_settings": "/settings/notices/",
    "api": "/api/",
    "api_schema": "/api/openapi.json",
    "webhooks": "/settings/webhooks/",
    "bots": "/bots/",
    "own_bots": "/settings/bots/",
    "import": "/import/",
}
"""Pages that everybody may read."""

WATCH = {"match": "", "version": "version.json", "log": "log/", "replay": "at/1/", "record": "record.json"}
"""Pages of a match for who may watch it."""

ACT = {
    "resign": "resign/",
    "cancel": "cancel/",
    "wishes": "wishes/",
    "propose": "propose/pause/",
    "agree": "agree/cancel/",
    "decline_proposal": "decline/pause/",
    "withdraw_proposal": "withdraw/cancel/",
    "resume": "resume/",
    "give": "give/",
    "nudge": "nudge/",
}
"""Pages of a match for who sits there."""

GATHER = {
    "sit": "sit/",
    "leave": "leave/",
    "new_link": "link/",
    "withdraw_link": "link/withdraw/",
    "invite": "invite/",
}
"""Pages of a match before its start, see test_access_open; afterwards they do nothing for anybody."""


@pytest.fixture
def cast(alice, bob, charlie, person):
    """A client for every role and a running match of three with each audience."""
    left, guest = person("dora"), User.objects.create_guest()
    matches = {}
    for audience in Match.Audience.values:
        match = seated(alice, bob, left, audience=audience)
        leaving.resign(match.pk, match.seats.get(user=left).number, version=1)
        matches[audience] = Match.objects.get(pk=match.pk)
    User.objects.update(zone="Europe/Prague")  # without one each page has a form, with a token that differs
    clients = {role: Client() for role in ROLES}
    for role, user in (("guest", guest), ("left", left), ("stranger", charlie)):
        clients[role].force_login(user)
    return matches, clients, {"alice": alice, "bob": bob}


def as_seated(match, clients, users):
    """Logs the two players in by whose turn it is; a bot's turn counts as nobody's."""
    names = ["alice", "bob"]
    active = match.seats.filter(number=match.active_seat).first()
    mover = active.user.username if active and active.user.username in names else "alice"
    clients["mover"].force_login(users[mover])
    clients["opponent"].force_login(users[names[1 - names.index(mover)]])
    return clients


def test_every_address_stands_in_the_tables():
    names = {pattern.name for pattern in get_resolver().url_patterns[0].url_patterns}
    others = {"join", "accept", "decline", "withdraw", "again", "play_now", "healthz", "favicon", "settings_zone"}
    others |= {"take_holiday", "end_holiday"}  # see test_rest_page
    others |= {"take_over", "come_back"}  # see test_substitutes and test_returning
    others |= {"match_notices", "deadlines_feed", "turns_feed"}  # see test_notice_list and test_feeds
    others |= {"usual_notices", "try_address_again", "new_feed", "end_feed"}  # see test_notice_settings
    others |= {"go", "void", "unlink", "end_links", "unsubscribe", "bounce"}  # see test_links and test_hooks
    others |= {"push_key", "add_device", "remove_device", "test_device"}  # see test_devices
    others |= {"remove_webhook", "test_webhook", "webhook_on", "webhook_off"}  # see test_webhook_page
    others |= {"change_bot", "bot_token", "remove_bot"}  # see test_api_bots
    others |= {"service_worker", "manifest"}
    others |= {"profile", "history_of", "head_to_head", "follow", "unfollow"}  # see test_hidden_profiles
    others |= {"player_rating"}  # there too
    others |= {"export_csv", "export_json", "star", "unstar"}  # see test_exports and test_histories
    others |= {"verify", "draws", "archive"}  # see test_records
    others |= {"imported", "imported_at", "imported_file", "throw_away", "play_on"}  # see test_importing
    others |= {"embed", "oembed", "player_feed", "game_feed"}  # see test_embedding
    assert names == {*PUBLIC, *WATCH, *ACT, *GATHER, *others}


def test_public_pages_are_for_all(cast):
    _matches, clients, _users = cast
    found = {
        (role, name): (clients[role].get(url).status_code, clients[role].head(url).status_code)
        for role in ROLES
        for name, url in PUBLIC.items()
    }
    assert {cell: statuses for cell, statuses in found.items() if statuses != (200, 200)} == {}


@pytest.mark.parametrize("audience", Match.Audience.values)
def test_who_may_watch(cast, audience):
    matches, clients, users = cast
    match = matches[audience]
    as_seated(match, clients, users)
    for role, client in clients.items():
        inside = role in ("mover", "opponent", "left")
        expected = 200 if inside or audience != "seated" else 404
        for tail in WATCH.values():
            url = match.get_absolute_url() + tail
            assert client.get(url).status_code == expected, (role, url)
            assert client.head(url).status_code == expected, (role, url)


@pytest.mark.parametrize("audience", Match.Audience.values)
def test_who_may_act(cast, audience):
    matches, clients, users = cast
    match = matches[audience]
    as_seated(match, clients, users)
    before = (match.version, Match.objects.count())
    url = match.get_absolute_url()
    for role in ("anonymous", "guest", "left", "stranger"):
        for tail in ("", *ACT.values()):
            gone = role == "left" and tail == ACT["resign"]  # asked twice by one who has left: shown the match
            answer = clients[role].post(url + tail, post_body(match, ["PASS"]))
            assert answer.status_code == (302 if gone else 404), (role, tail)
        assert clients[role].get(url + "resign/").status_code == (302 if role == "left" else 404)
    for role in ("anonymous", "guest", "stranger"):
        assert clients[role].post(url + "again/").status_code == 404
    match.refresh_from_db()
    assert (match.version, Match.objects.count()) == before
    assert clients["opponent"].post(url, post_body(match, ["PASS"])).status_code == 409
    assert clients["opponent"].get(url + "resign/").status_code == 200
    assert clients["opponent"].get(url + "cancel/").status_code == 200  # not everybody has moved
    match.refresh_from_db()
    assert match.version == before[0]


@pytest.mark.parametrize("audience", Match.Audience.values)
def test_what_was_for_the_time_before_the_start_does_nothing_any_more(cast, audience):
    matches, clients, users = cast
    match = matches[audience]
    as_seated(match, clients, users)
    before = Match.objects.filter(pk=match.pk).values().get()
    for role, client in clients.items():
        made = role in ("mover", "opponent") and match.created_by_id == int(client.session["_auth_user_id"])
        sits = role in ("mover", "opponent")
        for name, tail in GATHER.items():
            answer = client.post(match.get_absolute_url() + tail, {"names": "charlie"})
            refused = {"sit": False, "leave": sits, "invite": sits, "new_link": made, "withdraw_link": made}[name]
            assert answer.status_code == (409 if refused else 404), (role, name)
    assert Match.objects.filter(pk=match.pk).values().get() == before


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_other_methods_change_nothing(cast, method):
    matches, clients, users = cast
    match = matches["public"]
    as_seated(match, clients, users)
    for tail in ("", *ACT.values(), *GATHER.values(), "again/"):
        response = getattr(clients["mover"], method)(match.get_absolute_url() + tail)
        assert response.status_code in (405, 415)
    match.refresh_from_db()
    assert match.version == 2


def test_a_match_that_is_not_there_and_one_that_is_hidden_look_alike(cast):
    matches, clients, _users = cast
    hidden = clients["stranger"].get(matches["seated"].get_absolute_url())
    missing = clients["stranger"].get("/match/aaaaaaaaaa/")
    assert hidden.status_code == missing.status_code == 404
    assert hidden.content.replace(matches["seated"].slug.encode(), b"aaaaaaaaaa") == missing.content


def test_lists_show_public_matches_only(cast, client):
    matches, _clients, _users = cast
    html = client.get("/").content.decode()
    assert matches["public"].slug in html
    assert matches["link"].slug not in html
    assert matches["seated"].slug not in html


def test_an_open_match_shows_its_link_only_to_who_sits_there(alice, bob):
    match = lobby.create(alice, lobby.Proposal("red", 3, 0))
    token = match.invitations.get().token
    for user, shown in ((alice, True), (bob, False)):
        client = Client()
        client.force_login(user)
        assert (token in client.get(match.get_absolute_url()).content.decode()) == shown
    assert token not in Client().get(match.get_absolute_url()).content.decode()


def test_after_the_end_all_is_open_to_who_may_watch(alice, bob, client):
    match = play_out(seated(alice, bob))
    assert client.get(match.get_absolute_url()).status_code == 200
    response = client.post(match.get_absolute_url(), post_body(match, ["PASS"]))
    assert response.status_code == 404


def test_a_session_that_is_not_one_is_nobody(client, alice, bob):
    match = seated(alice, bob, audience="seated")
    client.cookies["sessionid"] = "forged" * 5
    assert client.get(match.get_absolute_url()).status_code == 404


def test_an_invitation_to_a_hidden_match_and_to_none_are_refused_alike(cast):
    matches, clients, _users = cast
    answers = [clients["stranger"].get(f"/match/{slug}/join/xx/") for slug in (matches["seated"].slug, "aaaaaaaaaa")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content


def test_a_guest_is_told_that_a_rated_match_needs_an_account_and_none_is_made(alice):
    match = lobby.create(alice, lobby.Proposal("red", 2, 0, days=2, rated=True))
    url = f"/match/{match.slug}/join/{match.invitations.get().token}/"
    assert Client().post(url).status_code == 409
    assert not User.objects.filter(kind="guest").exists()


def test_a_page_for_forms_only_says_so(client):
    answer = client.get("/play-now/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert b"This address only takes forms" in answer.content


def test_a_turn_posted_to_a_match_that_was_called_off_is_refused(alice):
    match = lobby.create(alice, lobby.Proposal("red", 2, 0))
    lobby.cancel(match.pk, alice)
    client = Client()
    client.force_login(alice)
    assert client.post(match.get_absolute_url(), post_body(match, ["PASS"])).status_code == 409
