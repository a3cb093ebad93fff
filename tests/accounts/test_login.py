"""Logging in and out, passwords and addresses changed, and the limits."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from accounts.models import User
from tests.accounts.people import PASSWORD, account, code, log_in, sign_up, whose
from tests.client import Client

pytestmark = pytest.mark.django_db

FRESH = "seven grey herons wait"


@pytest.fixture
def ada():
    """A person with an account."""
    return account("ada")


@pytest.fixture
def client(ada):
    """Ada's browser."""
    client = Client()
    assert log_in(client, "ada").status_code == 302
    return client


@pytest.mark.parametrize("login", ["ada", "ADA", " ada ", "ada@example.org", "Ada@Example.org"])
def test_one_logs_in_by_name_or_address(ada, login):
    visitor = Client()
    key = visitor.session.session_key
    answer = log_in(visitor, login)
    assert (answer.status_code, answer["Location"]) == (302, "/turns/")
    assert whose(visitor) == ada
    assert visitor.session.session_key != key
    assert answer.cookies["sessionid"]["max-age"] == 90 * 24 * 3600


@pytest.mark.parametrize(
    ("login", "password"), [("ada", PASSWORD + " "), ("ada", PASSWORD.upper()), ("eda", PASSWORD), ("bot-ada", "!")]
)
def test_all_else_is_refused_in_the_same_words(ada, login, password):
    User.objects.bot("Ada")
    visitor = Client()
    answer = log_in(visitor, login, password)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The name or address and the password do not belong together." in page
    assert "the fields marked below" not in page
    assert whose(visitor) is None


def test_an_account_that_is_closed_says_so_to_who_knows_the_password(ada):
    User.objects.filter(pk=ada.pk).update(is_active=False)
    visitor = Client()
    assert log_in(visitor, "ada")["Location"] == "/account/inactive/"
    assert "This account is closed" in visitor.get("/account/inactive/").content.decode()
    assert log_in(Client(), "ada", "wrong " * 4).status_code == 422
    assert whose(visitor) is None


def test_logging_out_is_a_form(client):
    assert client.get("/account/logout/").status_code == 200
    assert whose(client) is not None
    assert client.post("/account/logout/")["Location"] == "/"
    assert whose(client) is None


def test_a_guest_is_not_logged_out(ada):
    """The session is all that a guest has."""
    visitor = Client()
    visitor.post("/play-now/")
    guest = whose(visitor)
    assert visitor.get("/account/logout/")["Location"] == "/"
    assert visitor.post("/account/logout/")["Location"] == "/"
    assert whose(visitor) == guest


@pytest.mark.django_db(transaction=True)
def test_a_new_password_needs_the_old_one_and_is_told_by_mail(client, ada):
    wrong = {"oldpassword": FRESH, "password1": FRESH, "password2": FRESH}
    assert client.post("/account/password/", wrong).status_code == 422
    answer = client.post("/account/password/", {**wrong, "oldpassword": PASSWORD})
    assert answer["Location"] == "/account/"
    assert "Your password is changed." in client.get("/account/").content.decode()
    assert whose(client) == ada
    assert [message.subject for message in mail.outbox] == ["Your password was changed"]
    assert log_in(Client(), "ada").status_code == 422
    assert log_in(Client(), "ada", FRESH).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_first_password_needs_a_code(ada):
    User.objects.filter(pk=ada.pk).update(password="!")
    visitor = Client()
    visitor.post("/account/login/code/", {"email": ada.email})
    visitor.post("/account/login/code/enter/", {"code": code()})
    asked = visitor.get("/account/password/set/")
    assert asked["Location"] == "/account/again/code/?next=%2Faccount%2Fpassword%2Fset%2F"
    assert "that we mail to <b>ada@example.org</b>" in visitor.get(asked["Location"]).content.decode()
    sent = visitor.post(asked["Location"], {"recipient": "ada@example.org"})
    entered = visitor.post(sent["Location"], {"code": code()})
    assert entered["Location"] == "/account/password/set/"
    visitor.post("/account/password/set/", {"password1": FRESH, "password2": FRESH})
    assert log_in(Client(), "ada", FRESH).status_code == 302


def ask_for_address(client, address):
    """Asks for a new address, giving the password again."""
    assert client.get("/account/email/")["Location"] == "/account/again/?next=%2Faccount%2Femail%2F"
    again = client.post("/account/again/?next=%2Faccount%2Femail%2F", {"password": PASSWORD})
    assert again["Location"] == "/account/email/"
    return client.post("/account/email/", {"email": address})


@pytest.mark.django_db(transaction=True)
def test_a_new_address_counts_once_the_code_is_entered_and_the_old_one_is_told(client, ada):
    where = ask_for_address(client, "new@example.org")["Location"]
    assert where == "/account/verify/?next=%2Faccount%2F"
    assert [row.email for row in EmailAddress.objects.filter(user=ada)] == ["ada@example.org"]
    assert mail.outbox[-1].to == ["new@example.org"]
    assert client.post(where, {"action": "verify", "code": code()})["Location"] == "/account/"
    assert "new@example.org is verified" in client.get("/account/").content.decode()
    assert [(row.email, row.verified, row.primary) for row in EmailAddress.objects.filter(user=ada)] == [
        ("new@example.org", True, True)
    ]
    assert mail.outbox[-1].to == ["ada@example.org"]
    assert "new@example.org" in mail.outbox[-1].body
    ada.refresh_from_db()
    assert ada.email == "new@example.org"


def test_an_address_of_somebody_else_is_not_told_and_not_given(client, ada):
    account("eva")
    assert ask_for_address(client, "eva@example.org").status_code == 302
    answer = client.post("/account/verify/", {"action": "verify", "code": code()})
    assert answer.status_code == 422
    assert EmailAddress.objects.get(email="eva@example.org").user.username == "eva"


@pytest.mark.parametrize("action", ["action_remove", "action_primary", "action_send"])
def test_an_account_cannot_lose_its_address(client, ada, action):
    client.get("/account/email/")
    client.post("/account/again/?next=%2Faccount%2Femail%2F", {"password": PASSWORD})
    client.post("/account/email/", {action: "", "email": ada.email})
    assert EmailAddress.objects.filter(user=ada, verified=True, primary=True).exists()


def test_a_password_that_is_posted_too_late_is_not_kept(client, ada):
    User.objects.filter(pk=ada.pk).update(password="!")
    client.force_login(User.objects.get(pk=ada.pk))
    answer = client.post("/account/password/set/", {"password1": FRESH, "password2": FRESH})
    assert answer["Location"].startswith("/account/again/code/")
    assert FRESH not in str(dict(client.session))


def test_ten_wrong_passwords_close_the_account_to_passwords_and_a_code_opens_it(ada):
    for number in range(10):
        visitor = Client(REMOTE_ADDR=f"10.0.0.{number}")
        assert log_in(visitor, "ada", "wrong " * 4).status_code == 422
    visitor = Client(REMOTE_ADDR="10.0.0.99")
    assert log_in(visitor, "ada").status_code == 429
    visitor.post("/account/login/code/", {"email": ada.email})
    assert visitor.post("/account/login/code/enter/", {"code": code()}).status_code == 302
    assert whose(visitor) == ada


def test_twenty_wrong_passwords_close_an_address_to_passwords(ada):
    for number in range(20):
        assert log_in(Client(), f"name{number}", "wrong " * 4).status_code == 422
    assert log_in(Client(), "ada").status_code == 429
    assert log_in(Client(REMOTE_ADDR="10.0.0.1"), "ada").status_code == 302


def test_a_proxy_that_is_ours_tells_whom_to_count(ada, settings):
    settings.TRUSTED_PROXIES = 1
    for number in range(20):
        log_in(Client(HTTP_X_FORWARDED_FOR=f"{number}.1.1.1, 10.0.0.7"), f"name{number}", "wrong " * 4)
    assert log_in(Client(HTTP_X_FORWARDED_FOR="9.9.9.9, 10.0.0.7"), "ada").status_code == 429
    assert log_in(Client(HTTP_X_FORWARDED_FOR="10.0.0.7, 10.0.0.8"), "ada").status_code == 302
    assert log_in(Client(HTTP_X_FORWARDED_FOR="no address"), "ada").status_code == 302


@pytest.mark.parametrize("door", ["login/code", "reset"])
@pytest.mark.parametrize("address", ["ada@example.org", "nobody@example.org"])
def test_a_mailbox_gets_three_mails_an_hour(ada, door, address):
    mail.outbox.clear()
    answers = [Client(REMOTE_ADDR=f"10.0.0.{n}").post(f"/account/{door}/", {"email": address}) for n in range(5)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 429, 429]
    assert len(mail.outbox) == 3


def test_a_mailbox_gets_three_codes_for_signing_up_an_hour():
    answers = [sign_up(Client(), f"name-{n}", "one@example.org") for n in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 429]
    assert answers[-1]["Retry-After"] == "3600"
    assert "too often" in answers[-1].content.decode()
    assert len(mail.outbox) == 3


def test_an_address_signs_up_twenty_times_an_hour():
    statuses = [sign_up(Client(), f"name-{n}").status_code for n in range(21)]
    assert statuses == [302] * 20 + [429]


@pytest.mark.parametrize("door", ["login", "signup", "login/code", "reset"])
def test_without_the_cache_nobody_is_let_in_and_matches_go_on(ada, door, monkeypatch):
    def away(*_arguments, **_more):
        raise ConnectionError("no Redis")

    for method in ("get", "add", "incr", "set"):
        monkeypatch.setattr(f"django.core.cache.cache.{method}", away)
    visitor = Client()
    fields = {"login": "ada", "password": PASSWORD, "username": "eva", "email": "ada@example.org"}
    answer = visitor.post(f"/account/{door}/", fields)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "Accounts are out of order for a moment." in answer.content.decode()
    assert visitor.get(f"/account/{door}/").status_code == 200
    assert whose(visitor) is None
    assert not mail.outbox
    assert visitor.post("/play-now/").status_code == 302


@pytest.mark.parametrize("door", ["signup", "login/code", "reset"])
def test_a_mail_server_that_fails_is_a_sentence(ada, door, monkeypatch):
    def fails(*_arguments, **_more):
        raise OSError("no answer")

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fails)
    answer = Client().post(f"/account/{door}/", {"username": "eva", "email": "ada@example.org"})
    assert answer.status_code == 503
    assert "We could not send you the mail." in answer.content.decode()


@pytest.mark.parametrize("address", ["ada@example.org", "nobody@example.org"])
def test_asking_for_another_code_mails_to_whomever_and_counts(ada, address):
    client = Client()
    client.post("/account/login/code/", {"email": address})
    answers = [client.post("/account/login/code/enter/", {"action": "resend"}) for _time in range(2)]
    assert [answer["Location"] for answer in answers] == ["/account/login/code/enter/"] * 2
    assert [message.to for message in mail.outbox] == [[address]] * 3
    other = Client(REMOTE_ADDR="10.0.0.9")
    assert other.post("/account/login/code/", {"email": address}).status_code == 429


def test_another_code_does_not_come_beyond_the_limit_of_the_mailbox(ada):
    client = Client()
    for visitor in (Client(), client):
        visitor.post("/account/login/code/", {"email": ada.email})
    answers = [client.post("/account/login/code/enter/", {"action": "resend"}).status_code for _time in range(2)]
    assert answers == [302, 429]
    assert len(mail.outbox) == 3
    client.post("/account/login/code/enter/", {"code": code()})
    assert whose(client) == ada


@pytest.mark.parametrize("address", ["ada@example.org", "nobody@example.org"])
def test_who_signs_up_and_asks_for_another_code_gets_a_mail_whoever_it_is(ada, address):
    client = Client()
    sign_up(client, "somebody", address)
    for _time in range(2):
        assert client.post("/account/verify/", {"action": "resend"})["Location"] == "/account/verify/"
    assert [message.to for message in mail.outbox] == [[address]] * 3


@pytest.mark.parametrize(
    ("asked", "entered", "elsewhere"),
    [
        ("/account/reset/", "/account/reset/enter/", "/account/reset/"),
        ("/account/login/code/", "/account/login/code/enter/", "/account/login/code/"),
    ],
)
def test_who_waits_for_a_code_can_name_another_address(ada, asked, entered, elsewhere):
    visitor = Client()
    assert visitor.post(asked, {"email": "ada@example.org"})["Location"].startswith(entered)
    page = visitor.get(entered).content.decode()
    assert f'href="{elsewhere}"' in page
    assert "autofocus" in page
    assert visitor.get(elsewhere).status_code == 200
    assert visitor.post(elsewhere, {"email": "eda@example.org"})["Location"].startswith(entered)
    assert "eda@example.org" in visitor.get(entered).content.decode()


@pytest.mark.parametrize("asked", ["/account/login/code/", "/account/reset/", "/account/signup/"])
def test_who_waits_for_a_code_may_use_a_password_instead(ada, asked):
    visitor = Client()
    if asked == "/account/signup/":
        sign_up(visitor, "eda")
    else:
        assert visitor.post(asked, {"email": "ada@example.org"}).status_code == 302
    assert visitor.get("/account/login/").status_code == 200
    assert log_in(visitor, "ada")["Location"] == "/turns/"
    assert whose(visitor) == ada
