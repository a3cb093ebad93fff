"""The page of nights, free days and holidays; what it refuses; and the way on to the next match."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from accounts.models import Holiday, User
from games.forms import PACES
from games.models import Match
from games.services import holidays, lobby
from games.services.lobby import Proposal
from tests.client import Client, client_of
from tests.conftest import move, mover_of, seated
from tests.games.test_clocks import page_of

pytestmark = pytest.mark.django_db

PAGE = "/settings/rest/"
TAKE = PAGE + "holidays/"
GOOD = {"night_from": "1320", "night_to": "420", "free_days": ["5", "6"], "auto_holiday": "on"}


def post(client: Client, path: str, body: dict[str, object]):
    """Posts a form with fields that may come several times."""
    pairs = [(name, one) for name, value in body.items() for one in (value if isinstance(value, list) else [value])]
    return client.post(path, "&".join(f"{name}={one}" for name, one in pairs))


def stored(user: User) -> tuple[object, ...]:
    user = User.objects.get(pk=user.pk)
    return user.night_from, user.night_to, user.free_days, user.auto_holiday


def test_what_is_set_is_kept_and_shown(alice):
    client = client_of(alice)
    assert post(client, PAGE, GOOD).status_code == 302
    assert stored(alice) == (1320, 420, "56", True)
    html = client.get(PAGE).content.decode()
    assert "Saved." in html
    assert "Saved." not in client.get(PAGE).content.decode()
    assert '<option value="1320" selected>22:00</option>' in html
    assert post(client, PAGE, {}).status_code == 302
    assert stored(alice) == (None, None, "", False)


WRONG = [
    ({"night_to": "600"}, "at most 10 hours"),
    ({"night_to": "1320"}, "not the whole day"),
    ({"night_to": ""}, "a beginning and an end"),
    ({"night_from": ""}, "a beginning and an end"),
    ({"night_from": "1321"}, "Choose one of these times."),
    ({"night_from": "-30"}, "Choose one of these times."),
    ({"night_from": "x" * 300}, "Choose one of these times."),
    ({"free_days": ["0", "1", "2"]}, "At most two days"),
    ({"free_days": list("0123456")}, "At most two days"),
    ({"free_days": ["7"]}, "Select a valid choice."),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_windows_that_leave_too_little_are_refused(alice, change, sentence):
    answer = post(client_of(alice), PAGE, GOOD | change)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert stored(alice) == (None, None, "", True)


def test_a_holiday_is_taken_shown_and_ended(clock, alice, bob):
    match = seated(alice, bob, rests=True)
    user = mover_of(match)
    client = client_of(user)
    assert client.post(TAKE, {"first": "2026-11-29", "last": "2026-12-01"}).status_code == 302
    html = client.get(PAGE).content.decode()
    assert "You have 25 of 28 days left in 2026." in html
    assert "End it now" in html
    assert "You are away: your turn has 2 d 12 h more." in page_of(user, match)
    clock.forward(hours=1)
    (action,) = re.findall(r'action="(/settings/rest/holidays/\d+/end/)"', html)
    other = bob if user == alice else alice
    assert client_of(other).post(action).status_code == 404
    assert Client().post(action).status_code == 404
    assert Match.objects.get(pk=match.pk).version == 2
    assert client.get(action).status_code == 405
    assert client.post(action).status_code == 302
    assert "You have 27 of 28 days left" in client.get(PAGE).content.decode()
    assert "You are back early" in page_of(user, match)
    assert "is back early: the turn has 2 d 11 h less." in page_of(other, match)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"first": "2026-11-28", "last": "2026-12-01"}, "cannot begin in the past"),
        ({"first": "2026-12-02", "last": "2026-12-01"}, "before the first"),
        ({"first": "2026-12-01", "last": "2026-12-31"}, "31 days in 2026, and you have 28 left"),
        ({"first": "2026-12-01", "last": "9999-12-31"}, "more than a year ahead"),
        ({"first": "2026-12-01"}, "This field is required."),
        ({"first": "yesterday", "last": "<script>"}, "Enter a valid date."),
    ],
)
def test_days_that_cannot_be_taken_are_refused(clock, alice, body, sentence):
    answer = client_of(alice).post(TAKE, body)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert b'<script>"' not in answer.content
    assert not Holiday.objects.exists()


def test_who_is_nobody_yet_may_look_and_save_but_takes_no_holiday(client, db):
    assert "Once you play" in client.get(PAGE).content.decode()
    assert client.post(TAKE, {"first": "2030-01-01", "last": "2030-01-01"}).status_code == 404
    assert not User.objects.exists()
    assert post(client, PAGE, GOOD).status_code == 302
    assert stored(User.objects.get(kind="guest")) == (1320, 420, "56", True)


@pytest.mark.parametrize("path", [PAGE, TAKE, TAKE + "1/end/"])
def test_forms_of_other_sites_are_refused(alice, path):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.post(path, {"first": "2030-01-01", "last": "2030-01-01"}).status_code == 403
    assert not Holiday.objects.exists()


@pytest.mark.parametrize("name", PACES)
def test_every_pace_can_be_chosen_and_found(alice, name):
    days, bank = PACES[name]
    fields = {"seats": "2", "bots": "0", "days": name, "audience": "public", "option_game": "basic"}
    client = client_of(alice)
    assert client.post("/new/red/", fields | {"listed": "anybody", "rests": "on", "rated": "on"}).status_code == 302
    match = Match.objects.get()
    assert (match.clock.days, match.clock.bank, match.clock.rests) == (days, bank, True)
    lobby.create(alice, Proposal("red", 2, 0, listed=True))
    for other in (*PACES, "no"):
        tables = Client().get(f"/lobby/?days={other}").context["tables"]
        assert (match in [table["match"] for table in tables]) == (other == name)
        assert len(tables) == (other in (name, "no"))
    again = client.post(match.get_absolute_url() + "cancel/") and client.post(match.get_absolute_url() + "again/")
    assert again.status_code == 302
    assert Match.objects.latest("pk").clock == match.clock


def test_a_bank_that_is_not_on_offer_is_refused(alice):
    fields = {"seats": "2", "bots": "0", "days": "bank999", "audience": "public", "option_game": "basic"}
    assert client_of(alice).post("/new/red/", fields).status_code == 422
    assert not Match.objects.exists()


def test_after_a_move_the_next_match_is_the_most_urgent(clock, alice, bob, charlie, person):
    def mine(user, **more):
        """A match with this user in which alice is to move."""
        while True:
            match = seated(alice, user, **more)
            if mover_of(match) == alice:
                return match

    last, urgent, first = mine(bob, days=7), mine(charlie, days=1), mine(bob, days=2)
    html = page_of(alice, first)
    assert "To the next match" not in html
    first = move(first)
    Match.objects.filter(seats__user=alice).exclude(pk__in=(last.pk, urgent.pk, first.pk)).update(status="finished")
    if mover_of(first) == alice:
        first.active_seat = 1 - first.active_seat
        first.save(update_fields=["active_seat"])
    html = page_of(alice, first)
    assert "Red with charlie" in html
    assert f'href="{urgent.get_absolute_url()}">To the next match' in html
    assert "Mon 30 Nov 12:00" in html
    # Neither to others nor at an earlier version.
    assert "To the next match" not in page_of(person("dora"), first)
    assert "To the next match" not in client_of(alice).get(first.get_absolute_url() + "at/1/").content.decode()
    Match.objects.exclude(pk=first.pk).update(status="finished")
    assert "To the next match" not in page_of(alice, first)


def test_who_takes_and_takes_back_all_day_is_told_to_wait(clock, alice, settings):
    settings.LIMITS = {**settings.LIMITS, "holiday": (2, 3600)}
    client = client_of(alice)
    body = {"first": "2026-12-02", "last": "2026-12-02"}
    assert [client.post(TAKE, body).status_code for _each in range(3)] == [302, 422, 429]


def test_a_year_of_holidays_is_all_there_is(clock, alice):
    client = client_of(alice)
    today = clock().date()
    holidays.take(alice, today, today + timedelta(days=27))
    answer = client.post(TAKE, {"first": "2026-12-30", "last": "2026-12-30"})
    assert "1 day in 2026, and you have 0 left" in answer.content.decode()


def test_a_guest_is_not_asked_about_holidays_that_guests_never_get(client):
    guest = User.objects.create_guest()
    for visitor in (client, client_of(guest)):
        assert "auto_holiday" not in visitor.get(PAGE).content.decode()
    assert post(client_of(guest), PAGE, {name: text for name, text in GOOD.items() if name != "auto_holiday"})
    assert stored(guest) == (1320, 420, "56", True)  # which counts once the guest has an account
