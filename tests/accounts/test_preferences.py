"""Preferences: who may set which, what a page then looks like, and the zone that a browser tells."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import engine, states
from tests.client import Client, client_of
from tests.conftest import move, post_body, seated
from tests.reading import Page

PAGE, ZONE = "/settings/", "/settings/zone/"
GOOD = {"theme": "dark", "size": "normal", "order": "colour", "zone": "Europe/Prague", "language": ""}
TWO = [("en", "English"), ("cs", "Čeština")]


def stored(user: User) -> tuple[str, bool, str, str]:
    """What is kept of the user's preferences."""
    user.refresh_from_db()
    return (user.theme, user.confirm, user.zone, user.language)


@pytest.fixture
def guest(db):
    """A guest."""
    return User.objects.create_guest()


def test_what_is_saved_is_kept_and_said_once(alice):
    client = client_of(alice)
    answer = client.post(PAGE, GOOD)
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert stored(alice) == ("dark", False, "Europe/Prague", "")
    assert b"Saved." not in client.get("/").content
    assert b"Saved." in client.get(PAGE).content
    assert b"Saved." not in client.get(PAGE).content
    fields = Page(client.get(PAGE).content.decode()).form(field="theme").fields
    assert {name: fields.get(name) for name in (*GOOD, "confirm")} == GOOD | {"confirm": None}
    client.post(PAGE, GOOD | {"confirm": "on", "theme": "light"})
    assert stored(alice) == ("light", True, "Europe/Prague", "")


def test_pieces_and_sound_are_kept_and_every_page_knows_them(alice):
    client = client_of(alice)
    for size, order, sound in (("large", "number", True), ("normal", "colour", False)):
        client.post(PAGE, GOOD | {"size": size, "order": order} | ({"sound": "on"} if sound else {}))
        alice.refresh_from_db()
        assert (alice.size, alice.order, alice.sound) == (size, order, sound)
        head = client.get("/rules/").content.split(b"<head>")[0]
        assert (b'data-size="large"' in head, b"data-sound" in head) == (size == "large", sound)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_own_hand_lies_as_its_player_likes_it(alice, bob, charlie, person, seats):
    match = seated(alice, bob, *([charlie, person("dora")] if seats == 4 else []))
    hands = {}
    for order in ("colour", "number"):
        User.objects.filter(pk=alice.pk).update(order=order)
        html = client_of(alice).get(match.get_absolute_url()).content.decode()
        hands[order] = re.findall(r'data-card="(\w\d)"', html.split('<ul class="cards hand')[1].split("</ul>")[0])
    assert len(hands["colour"]) == 7
    assert hands["colour"] == sorted(hands["number"], key=lambda card: ("ROYGBIV".index(card[0]), card[1]))
    assert hands["number"] == sorted(hands["colour"], key=lambda card: (card[1], "ROYGBIV".index(card[0])))


def test_only_ones_own_preferences_change(alice, bob):
    client_of(alice).post(PAGE, GOOD)
    assert stored(bob) == ("auto", True, "", "")


def test_a_visitor_who_is_nobody_becomes_a_guest_by_saving_only(client, db):
    assert client.get(PAGE).status_code == 200
    assert client.post(PAGE, GOOD | {"zone": "Europe/Atlantis"}).status_code == 422
    assert not User.objects.exists()
    assert client.post(PAGE, GOOD).status_code == 302
    assert stored(User.objects.get(kind="guest")) == ("dark", False, "Europe/Prague", "")
    assert b'data-theme="dark"' in client.get("/").content


WRONG = [
    ({"theme": "pink"}, "There are no such colours."),
    ({"theme": ""}, "This field is required."),
    ({"size": "huge"}, "There is no such size."),
    ({"order": "by suit"}, "There is no such order."),
    ({"order": ""}, "This field is required."),
    ({"zone": "Europe/Atlantis"}, "This site does not know that time zone."),
    ({"zone": "<script>alert(1)</script>"}, "This site does not know that time zone."),
    ({"zone": "Europe/Prague" * 100}, "This site does not know that time zone."),
    ({"zone": "localtime"}, "This site does not know that time zone."),
    ({"language": "xx"}, "This site is not written in that language."),
    ({"language": "cs"}, "This site is not written in that language."),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_bad_values_are_refused_with_a_sentence_and_nothing_is_written(alice, change, sentence):
    answer = client_of(alice).post(PAGE, GOOD | change)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert b"<script>alert" not in answer.content
    assert stored(alice) == ("auto", True, "", "")


@pytest.mark.parametrize("role", ["anonymous", "guest", "person"])
def test_who_may_do_what(client, guest, alice, role):
    user = {"guest": guest, "person": alice}.get(role)
    if user:
        client = client_of(user)
    assert client.get(PAGE).status_code == client.head(PAGE).status_code == 200
    assert client.get(ZONE).status_code == client.head(ZONE).status_code == 405
    for path in (PAGE, ZONE):
        for method in ("put", "patch", "delete", "options", "trace"):
            assert getattr(client, method)(path).status_code in (405, 415), (path, method)
    assert client.post(ZONE, {"zone": "Asia/Kathmandu"}).status_code == (204 if user else 404)
    assert client.post(PAGE, GOOD).status_code == 302


@pytest.mark.parametrize("path", [PAGE, ZONE])
def test_forms_of_other_sites_are_refused(alice, path):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(path, GOOD).status_code == 403
    assert stored(alice) == ("auto", True, "", "")


def test_the_zone_of_the_browser_is_taken_once(alice):
    client = client_of(alice)
    form = Page(client.get("/turns/").content.decode()).form(action=ZONE)
    assert set(form.fields) == {"csrfmiddlewaretoken", "zone"}
    assert client.post(ZONE, {"zone": "Asia/Kathmandu"}).status_code == 204
    assert client.post(ZONE, {"zone": "Europe/Prague"}).status_code == 204
    assert stored(alice)[2] == "Asia/Kathmandu"
    html = client.get("/turns/").content.decode()
    assert ZONE not in html
    assert 'data-zone="Asia/Kathmandu"' in html


@pytest.mark.parametrize("zone", ["", "Atlantis", "Factory", "../../etc/passwd", "x" * 5000])
def test_a_zone_that_is_none_is_refused(alice, zone):
    assert client_of(alice).post(ZONE, {"zone": zone}).status_code == 400
    assert stored(alice)[2] == ""


def test_nobody_is_asked_for_a_zone(client, db):
    assert ZONE not in client.get("/").content.decode()


@pytest.mark.parametrize(
    ("theme", "html", "meta"),
    [("auto", "", "light dark"), ("light", ' data-theme="light"', "light"), ("dark", ' data-theme="dark"', "dark")],
)
def test_the_theme_is_in_the_page(alice, theme, html, meta):
    User.objects.update(theme=theme, zone="UTC")
    page = client_of(alice).get("/").content.decode()
    assert f'<html lang="en"{html} data-zone="UTC">' in page
    assert f'<meta name="color-scheme" content="{meta}">' in page


def test_a_match_tells_its_deadline_in_the_zone_of_who_looks(clock, alice, bob):
    match = seated(alice, bob)
    url = match.get_absolute_url()
    User.objects.filter(pk=alice.pk).update(zone="Asia/Kathmandu")
    User.objects.filter(pk=bob.pk).update(zone="Atlantis/Capital")
    assert "Tue 1 Dec 17:45 UTC+05:45" in client_of(alice).get(url).content.decode()
    unknown = client_of(bob).get(url).content.decode()
    assert "Tue 1 Dec 12:00 UTC<" in unknown
    assert "data-zone" not in unknown
    # And who comes after is not told the time of who was here before.
    assert "Tue 1 Dec 12:00 UTC<" in Client().get(url).content.decode()


def test_a_language_that_is_set_wins(alice, settings):
    settings.LANGUAGES = TWO
    client = client_of(alice)
    assert client.get(PAGE, headers={"Accept-Language": "cs"})["Content-Language"] == "cs"
    html = client.get(PAGE).content.decode()
    assert "Čeština" in html
    assert client.post(PAGE, GOOD | {"language": "cs"}).status_code == 302
    answer = client.get("/", headers={"Accept-Language": "en"})
    assert answer["Content-Language"] == "cs"
    assert "Cookie" in answer["Vary"]
    assert '<html lang="cs"' in answer.content.decode()
    other = Client().get("/", headers={"Accept-Language": "en"})
    assert other["Content-Language"] == "en"
    assert "Accept-Language" in other["Vary"]
    assert client.get("/nothing/", headers={"Accept-Language": "en"})["Content-Language"] == "cs"


def test_a_language_that_is_not_offered_any_more_is_passed_over(alice):
    User.objects.update(language="cs")
    client = client_of(alice)
    answer = client.get(PAGE)
    assert answer["Content-Language"] == "en"
    html = answer.content.decode()
    assert Page(html).form(field="theme").fields["language"] == ""
    assert "Language" not in Page(html).text
    assert client.post(PAGE, GOOD).status_code == 302


def test_saving_costs_little(alice):
    client = client_of(alice)
    # Another zone is kept from the matches that wait for one, in a transaction of its own: three more than without.
    for path, fields, most in ((PAGE, GOOD, 10), (PAGE, GOOD, 9), (ZONE, {"zone": "UTC"}, 4)):
        with CaptureQueriesContext(connection) as found:
            assert client.post(path, fields).status_code in (302, 204)
        assert len(found) <= most, [query["sql"] for query in found]


def at_once(client: Client, url: str) -> bool:
    """Whether the page would send its turn by itself when a click has led there."""
    return bool(re.search(r"<form [^>]*data-at-once", client.get(url).content.decode()))


@pytest.fixture
def opening(alice, bob):
    """A match in which whoever is to move can lead by one card on the canvas, the mover's seat, and that step."""
    for _each in range(50):
        match = seated(alice, bob)
        seats = list(match.seats.select_related("user"))
        legal = match.rules.legal_moves(states.load(match, seats))
        if discards := [step for step in legal if step.startswith("C:")]:
            return match, seats[match.active_seat], discards[0]
    raise AssertionError("no match begins so")


@pytest.mark.parametrize("confirm", [True, False])
def test_a_complete_turn_is_marked_for_who_does_not_want_to_be_asked(opening, confirm):
    match, seat, discard = opening
    User.objects.update(confirm=confirm)
    client = client_of(seat.user)
    url = f"{match.get_absolute_url()}?v={match.version}"
    plan = f"{url}&plan={discard}"
    assert at_once(client, plan) is not confirm
    assert not at_once(client, url)
    assert not at_once(client, f"{plan}&pick=R1")
    assert not at_once(client, f"{plan};END")  # refused: nothing follows the discard
    assert not at_once(client, plan.replace("?v=1", "?v=0"))  # made on another version
    assert not at_once(client, f"{url}&plan=PASS")  # costs the round
    other = match.seats.exclude(number=seat.number).get().user
    assert not at_once(client_of(other), plan)
    refused = client.post(match.get_absolute_url(), post_body(match, [discard, "END"]))
    assert (refused.status_code, b"data-at-once" in refused.content) == (422, False)


def test_a_turn_that_could_go_on_is_not_sent_at_once(alice, bob):
    """A card on the palette that leads: complete only where no card on the canvas could follow."""
    User.objects.update(confirm=False)
    told: dict[tuple[bool, bool], bool] = {}
    for number in range(60):
        match = seated(alice, bob)
        while match.status == "playing" and len(told) < 3:
            state = states.load(match, list(match.seats.all()))
            client = client_of(match.seats.get(number=match.active_seat).user)
            for step in match.rules.legal_moves(state):
                legal = list(match.rules.legal_moves(engine.plan(match.rules, state, [step])[0]))
                case = (legal == ["END"], "END" in legal)
                if step.startswith("P:") and case not in told:
                    told[case] = at_once(client, f"{match.get_absolute_url()}?v={match.version}&plan={step}")
            match = move(match, number)
        if len(told) == 3:
            assert told == {(True, True): True, (False, True): False, (False, False): False}
            return
    raise AssertionError(f"only {told} came up")
