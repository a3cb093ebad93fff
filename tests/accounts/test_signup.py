"""Signing up: by code, the same row all along, nothing lost, nothing told."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.utils import timezone

from accounts import signup
from accounts.models import User
from games import tasks
from games.models import Match
from tests.accounts.people import PASSWORD, account, bare, code, log_in, sign_up, verify, whose
from tests.client import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(client):
    """The guest that the client is after one click, with a match."""
    client.post("/play-now/")
    return whose(client)


def test_a_guest_signs_up_and_keeps_the_row_and_the_match(client, guest):
    key = client.session.session_key
    answer = sign_up(client, "Zdenka", password=PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, "/account/verify/")
    assert whose(client) == guest
    guest.refresh_from_db()
    assert (guest.kind, guest.username, guest.name) == ("guest", "Zdenka", f"Guest {guest.mark[:4]}")
    assert client.get("/turns/").status_code == 200
    assert [message.to for message in mail.outbox] == [["zdenka@example.org"]]
    assert "Zdenka" in mail.outbox[0].body
    answer = verify(client)
    assert (answer.status_code, answer["Location"]) == (302, "/turns/")
    guest.refresh_from_db()
    assert (guest.kind, guest.name, guest.email) == ("person", "Zdenka", "zdenka@example.org")
    assert whose(client) == guest
    assert client.session.session_key != key
    assert Match.objects.get().seats.filter(user=guest).exists()
    page = client.get("/turns/").content.decode()
    assert " is verified: it is the address of your account." in page
    assert "Zdenka" in page
    assert " is verified: it is the address of your account." not in client.get("/turns/").content.decode()
    other = Client()
    assert log_in(other, "zdenka")["Location"] == "/turns/"
    assert whose(other) == guest


def test_signing_up_makes_no_page_look_whether_its_session_has_ended(client, guest, monkeypatch):
    """A page that is told to, while the form is on its way, would load itself again instead of the next page."""
    asked = []
    monkeypatch.setattr("games.live.recheck", asked.append)
    sign_up(client, "Zdenka", password=PASSWORD)
    verify(client)
    assert asked == []


def test_somebody_who_was_never_here_plays_on_as_a_guest_until_the_code_is_entered(client):
    sign_up(client, "Zdenka")
    guest = whose(client)
    assert guest.is_guest
    page = client.get("/account/").content.decode()
    assert "/account/verify/" in page
    assert client.post("/play-now/").status_code == 302
    verify(client)
    assert whose(client) == guest
    assert not whose(client).is_guest
    assert Match.objects.get().seats.filter(user=guest).exists()


def test_the_next_page_is_the_one_that_was_asked_for(client):
    answer = client.post(
        "/account/signup/?next=/new/red/", {"username": "Zdenka", "email": "z@example.org", "password1": ""}
    )
    assert answer["Location"] == "/account/verify/?next=%2Fnew%2Fred%2F"
    entered = {"action": "verify", "code": code()}
    assert client.post(answer["Location"], entered)["Location"] == "/new/red/"


def test_without_a_password_one_logs_in_by_a_code(client):
    sign_up(client, "Zdenka")
    verify(client)
    other = Client()
    assert log_in(other, "Zdenka", "anything that is long").status_code == 422
    other.post("/account/login/code/", {"email": "zdenka@example.org"})
    assert other.post("/account/login/code/enter/", {"code": code().lower()})["Location"] == "/turns/"
    assert whose(other) == whose(client)


def test_a_second_attempt_with_another_name_and_address_counts(client, guest):
    sign_up(client, "Zdenka", "wrong@example.org", PASSWORD)
    first = code()
    sign_up(client, "Zdena", "right@example.org")
    assert verify(client, first).status_code == 422
    verify(client)
    guest.refresh_from_db()
    assert (guest.username, guest.email, guest.kind) == ("Zdena", "right@example.org", "person")
    assert not guest.has_usable_password()
    assert [row.email for row in EmailAddress.objects.all()] == ["right@example.org"]
    sign_up(Client(), "Zdenka", "wrong@example.org")
    assert User.objects.filter(username="Zdenka", kind="guest").exists()


def test_another_code_is_sent_and_the_old_one_is_void(client):
    sign_up(client, "Zdenka")
    old = code()
    assert client.post("/account/verify/", {"action": "resend"})["Location"] == "/account/verify/"
    assert len(mail.outbox) == 2
    page = client.get("/account/verify/").content.decode()
    assert '<p class="note good" role="status">Another code is on its way.' in page
    assert "Another code is on its way." not in client.get("/account/verify/").content.decode()
    assert verify(client, old).status_code == 422
    assert verify(client).status_code == 302


def test_after_five_wrong_codes_it_is_over_and_one_may_begin_again(client):
    sign_up(client, "Zdenka")
    right = code()
    statuses = [verify(client, "BCDF-GHJK").status_code for _each in range(5)]
    assert statuses == [422, 422, 422, 422, 302]
    assert verify(client, right)["Location"] == "/account/"
    assert whose(client).is_guest
    assert sign_up(client, "Zdenka")["Location"] == "/account/verify/"
    assert verify(client).status_code == 302
    assert not whose(client).is_guest


def test_a_code_that_is_too_old_is_none(client, monkeypatch):
    sign_up(client, "Zdenka")
    late = time.time() + 3601
    monkeypatch.setattr("time.time", lambda: late)
    assert verify(client)["Location"] == "/account/"
    assert "There is no code to enter any more." in client.get("/account/").content.decode()
    assert whose(client).is_guest


def test_a_name_that_is_not_verified_is_given_back_after_seven_days(client, guest):
    sign_up(client, "Zdenka", password=PASSWORD)
    held = User.objects.filter(username="Zdenka")
    held.update(claimed_at=timezone.now() - timedelta(days=6, hours=23))
    tasks.guests()
    assert held.exists()
    assert sign_up(Client(), "zdenka", "other@example.org").status_code == 422
    held.update(claimed_at=timezone.now() - timedelta(days=7, minutes=1))
    tasks.guests()
    guest.refresh_from_db()
    assert (guest.username, guest.skeleton, guest.claimed_at) == (f"guest-{guest.mark}", None, None)
    assert whose(client) == guest
    assert client.get("/turns/").status_code == 200
    assert sign_up(Client(), "zdenka", "other@example.org").status_code == 302


def test_a_guest_with_a_name_and_a_password_cannot_log_in_with_them(client):
    sign_up(client, "Zdenka", password=PASSWORD)
    for login in ("Zdenka", "zdenka@example.org"):
        other = Client()
        assert log_in(other, login).status_code == 422
        assert whose(other) is None


def test_an_address_that_was_never_verified_is_nobodys(client):
    """Who signs up with somebody else's address does not get their account, nor keeps them from making one."""
    sign_up(client, "Mallory", "zdenka@example.org", PASSWORD)
    owner = Client()
    for door in ("login/code", "reset"):
        mail.outbox.clear()
        owner.post(f"/account/{door}/", {"email": "zdenka@example.org"})
        assert "no account has it" in mail.outbox[-1].body
    sign_up(owner, "Zdenka", "zdenka@example.org")
    assert verify(owner).status_code == 302
    assert whose(owner).username == "Zdenka"
    assert whose(client).is_guest


def test_one_address_verified_twice_belongs_to_who_was_first(client):
    sign_up(client, "Zdenka", "same@example.org")
    early = code()
    other = Client()
    sign_up(other, "Jana", "same@example.org")
    assert verify(client, early).status_code == 302
    assert verify(other).status_code == 422
    assert whose(other).is_guest
    assert EmailAddress.objects.count() == 1


def test_the_second_to_take_a_name_is_told(client, monkeypatch):
    sign_up(client, "Zdenka")
    monkeypatch.setattr(signup, "is_free", lambda name, guest: True)
    other = Client()
    answer = sign_up(other, "zdenka", "other@example.org")
    assert answer.status_code == 422
    assert "This name is taken" in answer.content.decode()
    assert User.objects.filter(username__iexact="zdenka").count() == 1


def test_whether_an_address_has_an_account_does_not_show(client):
    """The same pages, names held alike, and as many mails: only who reads it knows."""
    account("taken")
    shown = []
    for address in ("taken@example.org", "fresh@example.org"):
        visitor, name = Client(), f"x-{address[:5]}"
        steps = [sign_up(visitor, name, address, PASSWORD)]
        mark = whose(visitor).mark[:4]
        steps += [visitor.get("/account/verify/"), visitor.get("/account/"), verify(visitor, "BCDF-GHJK")]
        steps += [visitor.post("/account/verify/", {"action": "resend"}), sign_up(Client(), name, "else@example.org")]
        steps += [log_in(Client(), name), visitor.get("/turns/")]
        pages = [bare(step, address, mark, name) for step in steps]
        shown.append((pages, sorted(visitor.session.keys()), list(visitor.cookies)))
    assert shown[0] == shown[1]
    assert "has an account already" in mail.outbox[0].body
    assert [message.to[0] for message in mail.outbox] == [*["taken@example.org"] * 2, *["fresh@example.org"] * 2]


@pytest.mark.parametrize("door", ["login/code", "reset"])
def test_whether_an_address_has_an_account_does_not_show_at_the_other_doors(door):
    account("taken")
    shown = []
    for address in ("taken@example.org", "fresh@example.org"):
        visitor = Client()
        answer = visitor.post(f"/account/{door}/", {"email": address})
        steps = [answer, visitor.get(answer["Location"]), visitor.post(answer["Location"], {"code": "BCDF-GHJK"})]
        shown.append([bare(step, address) for step in steps])
    assert shown[0] == shown[1]
    assert len(mail.outbox) == 2


@pytest.mark.parametrize("door", ["login", "signup", "login/code", "reset"])
def test_an_address_with_an_account_takes_as_much_hashing_as_one_without(door, monkeypatch):
    """Hashing is what takes time: as often for a known address as for an unknown one."""
    account("taken")
    counts, hashed = [], []
    made = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: hashed.append(1) or made(*given))
    for address in ("taken@example.org", "fresh@example.org"):
        hashed.clear()
        fields = {
            "email": address,
            "username": f"x-{address[:5]}",
            "login": address,
            "password": "x" * 20,
            "password1": PASSWORD,
        }
        Client().post(f"/account/{door}/", fields)
        counts.append(len(hashed))
    assert counts[0] == counts[1]


def test_who_has_just_become_a_person_keeps_name_and_password(client, monkeypatch):
    """Two tabs: in one the form is sent again while in the other the code is entered."""
    sign_up(client, "Zdenka", password=PASSWORD)
    made, user = signup.make_password, whose(client)

    def slow(password):
        User.objects.filter(pk=user.pk).update(kind="person", claimed_at=None)
        return made(password)

    monkeypatch.setattr(signup, "make_password", slow)
    assert sign_up(client, "Jana", password="seven grey herons wait").status_code == 422
    user.refresh_from_db()
    assert (user.username, user.claimed_at) == ("Zdenka", None)
    assert user.check_password(PASSWORD)
