"""Deadlines for calendars and turns for feed readers, by addresses that can be revoked."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client as Anyone
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar

from accounts.models import User
from games import tasks
from games.models import Feed, Match, token_hash
from games.services import feeds, holidays, people
from tests.client import client_of
from tests.conftest import move, seated

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
ATOM = "{http://www.w3.org/2005/Atom}"


def addresses(feed):
    """The two addresses of a feed."""
    return f"/feeds/{feed.token}/deadlines.ics", f"/feeds/{feed.token}/turns.atom"


def events(feed):
    """The events of the calendar, read by a library."""
    answer = Anyone().get(addresses(feed)[0])
    assert answer.status_code == 200
    return [part for part in Calendar.from_ical(answer.content).walk() if part.name == "VEVENT"]


def entries(feed):
    """The entries of the feed, read by a library."""
    answer = Anyone().get(addresses(feed)[1])
    assert answer.status_code == 200
    return ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")


@pytest.fixture
def feed(alice):
    """Alice's feed."""
    return feeds.make(alice)


@pytest.fixture
def match(clock, alice, bob):
    """A match that waits for alice."""
    match = seated(alice, bob, rests=True)
    while match.seats.get(user=alice).number != match.active_seat:
        match = move(match)
    return match


def test_a_deadline_of_mine_is_an_event(match, feed):
    (event,) = events(feed)
    assert event["uid"] == f"{match.slug}-{match.since_version}@localhost"
    assert event["summary"] == "Your turn: Red, with bob"
    assert event["url"] == f"http://localhost:8000{match.get_absolute_url()}"
    assert event["dtend"].dt == match.deadline.replace(microsecond=0)
    assert event["dtend"].dt - event["dtstart"].dt == timedelta(minutes=30)
    assert not [part for part in event.walk() if part.name == "VALARM"]
    answer = Anyone().get(addresses(feed)[0])
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.content.decode().split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert all(len(line.encode()) <= 75 for line in lines)
    assert re.search(r"\r\nDTEND:\d{8}T\d{6}Z\r\n", answer.content.decode())


def test_a_turn_of_mine_is_an_entry(match, feed):
    (entry,) = entries(feed)
    assert entry.findtext(f"{ATOM}title") == "Your turn: Red, with bob"
    assert entry.find(f"{ATOM}link").get("href") == f"http://localhost:8000{match.get_absolute_url()}"
    assert entry.findtext(f"{ATOM}id") == f"tag:localhost,2026:turn/{match.slug}-{match.since_version}"
    answer = Anyone().get(addresses(feed)[1])
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert ElementTree.fromstring(answer.content).findtext(f"{ATOM}updated")


def test_what_waits_for_others_is_in_no_feed(match, bob, feed):
    assert events(feeds.make(bob)) == entries(feeds.of(bob)) == []
    move(match)
    match.refresh_from_db()
    if match.seats.get(user=bob).number == match.active_seat:
        assert events(feed) == entries(feed) == []
        assert len(events(feeds.of(bob))) == 1


def test_a_deadline_that_moves_is_the_same_event_later(clock, alice, match, feed):
    (before,) = events(feed)
    clock.forward(hours=1)
    day = clock().date() + timedelta(days=1)
    holidays.take(alice, day, day)
    tasks.deadlines()
    (after,) = events(feed)
    assert after["uid"] == before["uid"]
    assert after["dtend"].dt > before["dtend"].dt
    assert after["dtend"].dt == Match.objects.get(pk=match.pk).deadline.replace(microsecond=0)
    assert after["sequence"] > before["sequence"]
    assert after["last-modified"].dt > before["last-modified"].dt


def test_another_decision_is_another_event(match, alice, feed):
    (before,) = events(feed)
    match = move(match)
    while match.seats.get(user=alice).number != match.active_seat:
        match = move(match)
    (after,) = events(feed)
    assert after["uid"] != before["uid"]


def test_names_with_marks_of_the_formats_stay_names(clock, alice, person, feed):
    other = person("Zoë")
    User.objects.filter(pk=other.pk).update(username="A;B,C\\<&\u200bx")
    match = seated(alice, User.objects.get(pk=other.pk))
    while match.seats.get(user=alice).number != match.active_seat:
        match = move(match)
    (event,), (entry,) = events(feed), entries(feed)
    assert event["summary"] == entry.findtext(f"{ATOM}title") == "Your turn: Red, with A;B,C\\<&\u200bx"


def test_an_answer_is_kept_privately_and_asked_for_again_cheaply(clock, alice, match, feed):
    for url in addresses(feed):
        first = Anyone().get(url)
        assert first["Cache-Control"] == "private, max-age=300"
        clock.forward(minutes=5)
        again = Anyone().get(url, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]
        assert Anyone().head(url).status_code == 200
        assert client_of(alice).post(url).status_code == 405
    move(match)
    assert Anyone().get(url, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_an_empty_feed_stays_the_same(clock, feed):
    for url in addresses(feed):
        first = Anyone().get(url)
        clock.forward(hours=5)
        assert Anyone().get(url)["ETag"] == first["ETag"]


def test_no_cookie_is_set_and_nobody_was_here(clock, alice, bob, match, feed):
    client = client_of(alice)
    client.cookies["theme"] = "x"
    User.objects.update(seen_at=clock() - timedelta(days=3))
    for visitor in (Anyone(), client, client_of(bob)):
        for url in addresses(feed):
            assert not visitor.get(url).cookies
    assert set(User.objects.values_list("seen_at", flat=True)) == {clock() - timedelta(days=3)}


def test_the_token_alone_decides_whose_turns_are_told(match, alice, bob, feed):
    answers = {client.get(addresses(feed)[0]).content for client in (Anyone(), client_of(alice), client_of(bob))}
    assert len(answers) == 1
    assert b"with bob" in answers.pop()


def test_an_address_is_made_replaced_and_taken_away(match, alice):
    client = client_of(alice)
    assert b"/feeds/" not in client.get(PAGE).content.replace(b"/settings/notices/feeds/", b"")
    assert client.post(PAGE + "feeds/").status_code == 302
    first = addresses(Feed.objects.get(user=alice))
    assert all(f"http://testserver{url}" in client.get(PAGE).content.decode() for url in first)
    assert client.post(PAGE + "feeds/").status_code == 302
    second = addresses(Feed.objects.get(user=alice))
    assert [Anyone().get(url).status_code for url in (*first, *second)] == [404, 404, 200, 200]
    assert client.post(PAGE + "feeds/end/").status_code == 302
    assert [Anyone().get(url).status_code for url in second] == [404, 404]
    assert client.post(PAGE + "feeds/end/").status_code == 302


def test_stored_is_the_hash_of_the_token_and_not_the_token(feed):
    assert re.fullmatch(r"[0-9a-f]{32}", feed.token)
    assert Feed.objects.get().token_hash == token_hash(feed.token)
    assert feed.token not in " ".join(str(value) for value in Feed.objects.values().get().values())


@pytest.mark.parametrize("token", ["x", "0" * 32, "A" * 32, "-" * 500])
def test_no_other_token_opens_anything(match, feed, token):
    for name in ("deadlines.ics", "turns.atom"):
        assert Anyone().get(f"/feeds/{token}/{name}").status_code == 404


def test_of_a_guest_who_came_along_nothing_is_told(match, bob, alice):
    guest = User.objects.create_guest()
    feed = feeds.make(guest)
    seated(guest, bob)
    people.merge(guest.pk, alice.pk)
    assert [Anyone().get(url).status_code for url in addresses(feed)] == [404, 404]


def test_times_are_told_in_the_zone_of_the_user(match, alice, feed):
    User.objects.filter(pk=alice.pk).update(zone="Asia/Kathmandu")
    (entry,) = entries(feed)
    assert "17:45 UTC+05:45" in entry.findtext(f"{ATOM}summary")


def test_many_turns_cost_as_much_as_few(match, alice, bob, feed):
    for url in addresses(feed):
        counts = []
        for _each in range(2):
            with CaptureQueriesContext(connection) as found:
                Anyone().get(url)
            counts.append(len(found))
            for _more in range(3):
                seated(alice, bob)
        assert counts[0] == counts[1] <= 6
