"""Faults reported on comparable sites, each by the number it has in our collection: what ours does instead."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, make_dataclass
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from games import engine, states
from games.models import Match, Move
from games.services import lobby, records
from tests.client import Client
from tests.conftest import move, mover_of, play_out, post_body, seated, steps_for
from tests.racing import at_once, clients_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("unlimited")]

GAMES = ("red", "barvosauri", "power_cards")
AT_ONCE = 20


def browser_of(user: Any) -> Client:
    """A browser in which the user is logged in."""
    (client,) = clients_of(user, 1)
    return client


def facts(match: Match) -> tuple[Any, ...]:
    """All that must not change when something is refused."""
    found = Match.objects.get(pk=match.pk)
    return found.version, found.status, found.digest, found.active_seat, found.deadline, found.moves.count()


@pytest.mark.parametrize("game", GAMES)
def test_o01_a_turn_sent_twenty_times_at_once_is_made_once(alice, bob, game, thorough):
    match = seated(alice, bob, game=game)
    clients = {user: clients_of(user, AT_ONCE) for user in (alice, bob)}
    for number in range(200 if thorough else 2):
        for keys in (1, AT_ONCE):
            if match.status != "playing":
                match = seated(alice, bob, game=game)
            steps, same, url = steps_for(match, number), uuid4(), match.get_absolute_url()
            bodies = [post_body(match, steps, same if keys == 1 else uuid4()) for _each in range(AT_ONCE)]
            browsers = clients[mover_of(match)]
            sent = [partial(client.post, url, body) for client, body in zip(browsers, bodies, strict=True)]
            answers = at_once(sent)
            if keys == 1:
                assert {(answer.status_code, answer["Location"], answer.content) for answer in answers} == {
                    (302, url, b"")
                }
            else:
                assert sorted(answer.status_code for answer in answers) == [302] + [409] * (AT_ONCE - 1)
            before = match.version
            match.refresh_from_db()
            assert match.version == before + 1 == match.moves.count()
    assert records.differences(match) == []


@pytest.mark.parametrize("game", GAMES)
def test_o02_no_command_means_the_latest_of_something(alice, bob, game):
    match = seated(alice, bob, game=game)
    user, url = mover_of(match), match.get_absolute_url()
    client, body = browser_of(user), post_body(match, steps_for(match))
    giving_up = {"version": "1"}
    assert client.post(url, body).status_code == 302
    before = facts(match)
    for address, again in ((url, body | {"key": str(uuid4())}), (url + "resign/", giving_up)):
        assert client.post(address, again).status_code == 409
        assert facts(match) == before
    # Whoever calls off says which version they saw: a form from before the start never hits a match that has begun.
    for seen, status in (({}, 400), ({"version": "0"}, 409), ({"version": str(match.version - 1)}, 409)):
        assert browser_of(match.created_by).post(url + "cancel/", seen).status_code == status
        assert facts(match) == before


@pytest.mark.parametrize("game", GAMES)
def test_o03_an_old_tab_is_refused_and_told(alice, bob, game):
    match = seated(alice, bob, game=game)
    tab, old = browser_of(alice), None
    for number in range(60):
        if old is not None and match.version >= int(old["version"]) + 2 and mover_of(match) == alice:
            break
        if mover_of(match) == alice and old is None:
            old = post_body(match, steps_for(match, number))
        match = move(match, number)
    assert match.status == "playing"
    before = facts(match)
    answer = tab.post(match.get_absolute_url(), old)
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "The match has moved on." in html
    assert f'data-version="{match.version}"' in html
    assert facts(match) == before


def test_o15_answers_for_machines_hold_numbers_only(alice, bob, charlie):
    match = play_out(seated(alice, bob), rows=4)
    for user in (alice, bob, charlie):
        answer = browser_of(user).get(match.get_absolute_url() + "version.json").json()
        assert answer == {"version": match.version, "status": match.status, "gathered": 1}
    assert set(Client().get("/healthz").json()) == {"ok", "silent_sweeps", "overdue_decisions", "idle_bots"}


SECRET = "zz_secret"


def marked(value: Any) -> Any:
    """The value with a further field in every object of it, as somebody might add one some day."""
    if isinstance(value, tuple):
        return tuple(marked(part) for part in value)
    if not is_dataclass(value):
        return value
    kind = make_dataclass(type(value).__name__, [(SECRET, str, SECRET)], bases=(type(value),), frozen=True)
    return kind(**{field.name: marked(getattr(value, field.name)) for field in fields(value)})


@pytest.mark.any_database
@pytest.mark.parametrize("game", GAMES)
def test_o17_a_new_field_of_the_state_is_in_no_answer(alice, bob, charlie, monkeypatch, game):
    load = states.load
    monkeypatch.setattr(states, "load", lambda *arguments: marked(load(*arguments)))
    match = seated(alice, bob, bots=1, game=game)
    assert repr(states.load(match, list(match.seats.all()))).count(SECRET) > 4
    people = [browser_of(user) for user in (alice, bob, charlie)] + [Client()]
    url = match.get_absolute_url()
    for number in range(3):
        for client in people:
            html = client.get(url).content.decode()
            plans = re.findall(r'href="([^"]*[?&]v=[^"]*)"', html)[:3]
            tails = ("log/", "version.json", f"at/{match.version}/", *(plan.replace("&amp;", "&") for plan in plans))
            for address in (url, *(tail if tail.startswith("/") else url + tail for tail in tails)):
                assert SECRET not in client.get(address).content.decode()
            refused = client.post(url, {"steps": "zz", "version": str(match.version), "key": str(uuid4())})
            assert refused.status_code in (302, 404, 409, 422)
            assert SECRET not in refused.content.decode()
        match = move(match, number)
        if match.status != "playing":
            break
    assert SECRET not in repr(list(Move.objects.values_list("news", "text")))


@pytest.mark.parametrize("game", GAMES)
def test_o18_what_was_drawn_or_rolled_cannot_be_drawn_anew(alice, bob, game):
    match = seated(alice, bob, game=game)
    url, commitment = match.get_absolute_url(), match.commitment
    drawn = 0
    for number in range(12):
        if match.status != "playing":
            break
        version, steps, key = match.version, steps_for(match, number), uuid4()
        client, body = browser_of(mover_of(match)), post_body(match, steps, key)
        tab = f"{url}?v={version}&plan={engine.join(steps[:1])}"
        assert client.post(url, body).status_code == 302
        match.refresh_from_db()
        row = match.moves.get(number=version + 1)
        drawn += row.news != []
        before = facts(match)
        # The same form after an answer that was lost, another form on the old version, other steps with the old key,
        # and the tab restored: the row stays what it is, drawn from what was committed to at the start.
        states.forget()
        assert client.post(url, body).status_code == 302
        assert client.post(url, body | {"key": str(uuid4())}).status_code == 409
        assert client.post(url, body | {"steps": "zz"}).status_code == 422
        assert client.get(tab).status_code == 200
        assert facts(match) == before
        assert match.moves.get(number=version + 1).news == row.news
        assert commitment in client.get(url).content.decode()
    assert drawn > 2
    assert records.differences(match) == []
    assert Match.objects.get(pk=match.pk).commitment == commitment


def shown_row(client: Client, match: Match) -> str:
    """The newest row of the log page, as this browser gets it."""
    html = client.get(match.get_absolute_url() + "log/").content.decode()
    return re.findall(rf'<li value="{match.version}".*?</li>', html, re.S)[0]


def test_o19_the_log_names_a_drawn_card_to_who_drew_it_only(alice, bob, charlie):
    told = 0
    for number in range(10):
        match = seated(alice, bob, options={"game": "advanced"})
        while match.status == "playing" and match.version < 30:
            drawer = mover_of(match)
            match = move(match, number)
            news = match.moves.get(number=match.version).news
            secret = [value for value in news if value.get("to") and value.get("public")]
            if not secret or match.status != "playing":
                continue
            others = [browser_of(user) for user in (alice, bob, charlie) if user != drawer]
            mine = shown_row(browser_of(drawer), match)
            theirs = [shown_row(client, match) for client in others]
            # Were another card drawn, the one who drew it would read so, and nobody else anything.
            for value in secret:
                value["card"] = "V1" if value["card"] != "V1" else "R1"
            match.moves.filter(number=match.version).update(news=news)
            assert shown_row(browser_of(drawer), match) != mine
            assert [shown_row(client, match) for client in others] == theirs
            told += 1
            break
    assert told


def test_o21_the_seat_comes_from_the_session_and_the_match_from_the_address(alice, bob, charlie):
    match, other = seated(alice, bob), seated(alice, charlie)
    first = mover_of(match)
    rival = bob if first == alice else alice
    before, untouched = facts(match), facts(other)
    body = post_body(match, steps_for(match))
    claims = {"seat": str(match.active_seat), "user": str(first.pk), "player": first.username, "match": match.slug}
    for user, status in ((rival, 409), (charlie, 404)):
        assert browser_of(user).post(match.get_absolute_url(), body | claims).status_code == status
        assert facts(match) == before
    # What a form says of another match counts for nothing: the address does.
    claims = {"match": other.slug, "match_id": str(other.pk), "seat": "0"}
    assert browser_of(first).post(match.get_absolute_url(), body | claims).status_code == 302
    assert browser_of(bob).post(match.get_absolute_url() + "resign/", {"version": "2", **claims}).status_code == 302
    assert facts(match)[0] == 3
    assert Match.objects.get(pk=match.pk).seats.get(user=bob).left_version == 3
    assert facts(other) == untouched


def test_o21_what_belongs_to_one_match_opens_no_other(alice, bob, charlie):
    one, other = (lobby.create(user, lobby.Proposal("red", 2, 0)) for user in (alice, bob))
    tokens = [match.invitations.get().token for match in (one, other)]
    for match, token in ((one, tokens[1]), (other, tokens[0])):
        for client in (browser_of(charlie), browser_of(alice), browser_of(bob), Client()):
            for answer in (client.get, client.post):
                assert answer(f"{match.get_absolute_url()}join/{token}/").status_code == 404
        assert match.seats.count() == 1
    played = play_out(seated(alice, bob), rows=3)
    fresh = seated(alice, bob)
    key = played.moves.exclude(key=None).first().key
    body = post_body(fresh, steps_for(fresh), key)  # a key of another match is as good as any: it is no way to that one
    assert browser_of(mover_of(fresh)).post(fresh.get_absolute_url(), body).status_code == 302
    assert (fresh.moves.count(), played.moves.count()) == (2, 3)
    assert browser_of(alice).get(f"{fresh.get_absolute_url()}at/3/").status_code == 404
